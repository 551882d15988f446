package service_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Places that a Create had reserved and gives back are no worker's end, of which others would hear.
func TestAPoolThatIsShortOfItsShareGetsWhatAFailedCreateGivesBack(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		gate, held := make(chan struct{}), make(chan struct{})
		b := newBench(t, bubbleBudget("4", rig.HoldUntil(gate)), pool.PoolOptions{MaxWorkers: 4, TargetPerWorker: 1})
		over := b.supervise()
		synctest.Wait()
		other := b.Owner()
		b.OnSpawn(func(n int) error {
			if n > 1 {
				return nil
			}
			<-held
			return errSpawn
		})
		created := async(func() error {
			_, err := b.Service.Create(other.Caller, rig.EntryLoop, pool.PoolOptions{MinWorkers: 3})
			return err
		})
		synctest.Wait()
		b.submit(span(1, 8)...)
		synctest.Wait()
		require.EqualValues(t, 1, b.stats().Live, "three of four places are reserved")
		close(held)
		require.ErrorIs(t, <-created, errSpawn)
		<-time.After(2 * time.Second)
		synctest.Wait()
		assert.EqualValues(t, 4, b.stats().Live)
		close(gate)
		require.NoError(t, b.Service.Drain(b.id))
		require.NoError(t, <-over)
	})
}

func TestSuperviseOfADrainedPoolReturnsNilHoweverSoonItIsDestroyed(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		r := rig.New(t, rig.Config{Bubble: true, Quiet: true})
		owner := r.Owner()
		for range size(300, 100) {
			id, err := r.Service.Create(owner.Caller, rig.EntryLoop, pool.PoolOptions{MinWorkers: 4})
			require.NoError(t, err)
			over := async(func() error { return r.Service.Supervise(context.Background(), owner.Caller, id) })
			synctest.Wait()
			require.NoError(t, r.Service.DrainWait(context.Background(), id))
			require.NoError(t, r.Service.Destroy(id))
			require.NoError(t, <-over)
		}
	})
}

func TestACreateThatTheRestartBudgetEndsIsHaltedAndNotLimited(t *testing.T) {
	r := rig.New(t, rig.Config{})
	rec := record(r)
	r.OnSpawn(func(n int) error {
		if n == 3 {
			rec.await(pool.PoolHalted, 1)
		}
		return nil
	})
	_, err := r.Service.Create(r.Owner().Caller, rig.EntryTraps, pool.PoolOptions{MinWorkers: 3, MaxRestarts: 1})
	require.ErrorIs(t, err, pool.ErrPoolHalted)
	rec.await(pool.PoolDestroyed, 1)
	assert.Empty(t, rec.of(pool.PoolLimited))
}
