package service_test

import (
	"errors"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var strategies = []pool.Strategy{pool.RoundRobin, pool.LeastLoaded, pool.Random, pool.PowerOfTwo, pool.ConsistentHash, pool.Broadcast}

func TestPC17NobodyToSendTo(t *testing.T) {
	for _, strategy := range strategies {
		t.Run(strategy.String(), func(t *testing.T) {
			b := newBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{Strategy: strategy, Restart: pool.RestartNever})
			b.submit(666)
			b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "666 traps")
			for range 2 { // before and after Reconcile
				findsNobody(t, b, pool.ErrPoolEmpty)
				assert.Empty(t, b.workers(), "no departed worker is shown")
				assert.Contains(t, b.Service.List(), b.id)
				b.reconcile()
			}
			b.scale(1)
			b.submit(1)
			b.quiet()
			assert.Equal(t, []uint64{1}, b.Finished())
		})
	}
}

// findsNobody holds that every way in that never waits answers err at once.
func findsNobody(t *testing.T, b *bench, want error) {
	t.Helper()
	for name, submit := range waysIn(b.owner.Caller) {
		if name == "SubmitWait" || name == "Call" {
			continue
		}
		if name == "SubmitFrom" && want == pool.ErrPoolEmpty {
			continue // it reconciles first
		}
		assert.Equal(t, want, promptly(t, name, func() error { return submit(b.Service, b.id, 1, nil) }), name)
	}
	n, err := b.Service.Broadcast(b.id, 1, nil)
	assert.Zero(t, n)
	assert.Equal(t, want, err)
}

func TestPC17TheNumberOfPointsOnTheRingIsBounded(t *testing.T) {
	b := newBench(t, rig.Config{}, pool.PoolOptions{})
	for _, replicas := range []uint32{0, 1, pool.MaxRingReplicas} {
		id := b.another(pool.PoolOptions{Strategy: pool.ConsistentHash, RingReplicas: replicas, MinWorkers: 2})
		_, err := b.Service.SubmitKeyed(id, 1, 1, nil)
		assert.NoError(t, err)
	}
	_, err := b.Service.Create(b.owner.Caller, rig.EntryLoop, pool.PoolOptions{RingReplicas: pool.MaxRingReplicas + 1})
	var bad *pool.OptionError
	require.True(t, errors.As(err, &bad))
	assert.Equal(t, "RingReplicas", bad.Option)
	assert.Contains(t, bad.Bound, "4096") // the bound is part of the contract
}

func TestPC17ADrainingPoolTakesNothing(t *testing.T) {
	for _, strategy := range strategies {
		b, open := newShutBench(t, rig.Config{}, pool.PoolOptions{Strategy: strategy, MinWorkers: 2})
		b.submit(1)
		require.NoError(t, b.Service.Drain(b.id))
		findsNobody(t, b, pool.ErrPoolDraining)
		open()
		require.NoError(t, promptlyDrained(b))
		findsNobody(t, b, pool.ErrPoolDraining)
	}
}
