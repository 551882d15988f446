package service_test

import (
	"context"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// A guest that drains every pool it makes would otherwise make pools without end: drained ones have no place of their own.
func TestOfDrainedPoolsThatNobodyDestroysTheOldestGiveWay(t *testing.T) {
	b := newBench(t, rig.Config{Settings: map[string]string{pool.PluginID: `{"maxPools": 3}`}}, pool.PoolOptions{})
	other := &bench{Rig: b.Rig, owner: b.Owner()}
	other.id = other.another(pool.PoolOptions{})
	require.NoError(t, promptlyDrained(other))
	drained := []pool.PoolID{b.id}
	require.NoError(t, promptlyDrained(b))
	for range 5 {
		b.id = b.another(pool.PoolOptions{})
		drained = append(drained, b.id)
		require.NoError(t, promptlyDrained(b))
	}
	last := b.another(pool.PoolOptions{})
	assert.Equal(t, append([]pool.PoolID{other.id}, append(drained[3:], last)...), b.Service.List(), "three of each creator are kept")
	for _, gone := range drained[:3] {
		assert.Equal(t, pool.ErrPoolNotFound, b.Service.Drain(gone))
		assert.Equal(t, uint64(1), b.finalOf(gone).Exited)
	}
}

func TestNobodyWhoIsToldToStopCreatesAPool(t *testing.T) {
	b := newBench(t, rig.Config{}, pool.PoolOptions{})
	told := make(chan struct{})
	refused := b.owner.Do(func(caller wago.HostModule) error {
		ctx, cancel, err := b.Service.CallerContext(caller)
		if err != nil {
			return err
		}
		defer cancel()
		close(told)
		<-ctx.Done()
		_, err = b.Service.Create(caller, rig.EntryLoop, pool.PoolOptions{})
		return err
	})
	<-told
	closed := async(b.owner.Close)
	assert.Equal(t, error(pool.ErrCallerEnding), within(t, testPatience, refused, "Create"))
	require.NoError(t, within(t, testPatience, closed, "Close"))
	assert.Empty(t, b.Service.List())
}

func TestNothingStartsAServiceThatWasStopped(t *testing.T) {
	s := newTolled(t)
	require.NoError(t, s.Stop(context.Background()))
	assert.ErrorIs(t, s.Start(t.Context()), pool.ErrPoolsClosed)
	_, err := s.Create(s.caller, 0, bodiless)
	assert.Equal(t, pool.ErrPoolsClosed, err)
}
