package service_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The shared budget is free again, by other ways than a worker's end: a supervised pool that is short of it must grow.
var (
	budgetOfTwo = map[string]string{pool.PluginID: `{"runnableWorkers": 2}`}
	hungryPool  = pool.PoolOptions{MinWorkers: 1, MaxWorkers: 4, TargetPerWorker: 1}
	emptyPool   = pool.PoolOptions{MinWorkers: pool.NoWorkers, MaxWorkers: 4, TargetPerWorker: 1}
)

// growsToTwo ends the test: the pool, whose workers take nothing, has three tasks.
func (b *bench) growsToTwo(open func(), over <-chan error) {
	b.T.Helper()
	<-time.After(time.Hour)
	synctest.Wait()
	assert.EqualValues(b.T, 2, b.stats().Live, "%+v", b.stats())
	open()
	require.NoError(b.T, b.Service.Destroy(b.id))
	<-over
}

func TestPlacesOfAStartThatFailedGoToThePoolThatIsShortOfThem(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b, open := newShutBench(t, rig.Config{Bubble: true, Settings: budgetOfTwo}, hungryPool)
		over := b.supervise()
		other := b.Owner()
		start := make(chan struct{})
		b.OnSpawn(func(int) error { <-start; return errSpawn })
		created := async(func() error {
			_, err := b.Service.Create(other.Caller, rig.EntryLoop, pool.PoolOptions{})
			return err
		})
		synctest.Wait() // the other's worker is on its way: it counts
		b.submit(1, 2, 3)
		synctest.Wait()
		require.True(t, b.stats().Limited)
		b.OnSpawn(nil)
		close(start)
		require.Error(t, <-created)
		b.growsToTwo(open, over)
	})
}

func TestTheShareOfAPoolThatDrainsGoesToThePoolThatIsShortOfIt(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b, open := newShutBench(t, rig.Config{Bubble: true, Settings: budgetOfTwo}, hungryPool)
		other := b.another(emptyPool) // nobody supervises it
		for tag := range uint64(3) {
			_, err := b.Service.Submit(other, tag, nil)
			require.NoError(t, err)
		}
		over := b.supervise()
		synctest.Wait()
		b.submit(1, 2, 3)
		synctest.Wait()
		require.EqualValues(t, 1, b.stats().Live)
		require.True(t, b.stats().Limited)
		require.NoError(t, b.Service.Drain(other)) // with Destroy it is a matter of luck
		b.growsToTwo(open, over)
	})
}

func TestAPoolThatIsHaltedHasNoShare(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, rig.Config{Bubble: true, Settings: budgetOfTwo, Behaviour: rig.TrapOn(666)}, hungryPool)
		halted := emptyPool
		halted.MaxRestarts = 1
		other := b.another(halted)
		for range 2 {
			_, err := b.Service.SubmitFrom(b.owner.Caller, other, 666, nil)
			require.NoError(t, err)
			require.NoError(t, b.Service.Reconcile(b.owner.Caller, other))
			synctest.Wait()
		}
		require.True(t, b.statsOf(other).Halted)
		for tag := range uint64(3) { // they are parked until Rearm, which may never be
			_, err := b.Service.Submit(other, tag, nil)
			require.NoError(t, err)
		}
		gates := b.ShutGates()
		over := b.supervise()
		synctest.Wait()
		b.submit(1, 2, 3, 4)
		synctest.Wait()
		b.growsToTwo(gates.Open, over)
	})
}
