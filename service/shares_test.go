package service_test

import (
	"sync"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPC18PowerOfTwoWithOneWorker(t *testing.T) {
	b := newBench(t, rig.Config{}, pool.PoolOptions{Strategy: pool.PowerOfTwo, Worker: pool.WorkerOptions{QueueCapacity: 128}})
	only := b.workers()[0]
	for tag := range uint64(100) {
		require.Equal(t, only, b.give(tag))
	}
	b.quiet()
}

func TestPC18PowerOfTwoWithTwoWorkersNeverTakesTheBusierOne(t *testing.T) {
	b, _ := newShutBench(t, rig.Config{Quiet: true}, pool.PoolOptions{})
	for range size(100, 20) {
		b.id = b.another(pool.PoolOptions{Strategy: pool.PowerOfTwo, MaxWorkers: 2})
		old := b.workers()[0]
		b.submit(span(1, 5)...)
		b.scale(2)
		for tag := range uint64(5) {
			require.NotEqual(t, old, b.give(tag))
		}
		require.NoError(t, b.Service.Destroy(b.id))
	}
}

// TestPC18PowerOfTwoSpreads has 8 goroutines submit 1 000 tasks each to four workers, which are all idle at every submit, or which
// all fall behind. In between, with workers that take tasks when the scheduler lets them, the favourite of the scheduler is idle
// more often than the others and may get half of all tasks: that is what power of two is for.
func TestPC18PowerOfTwoSpreads(t *testing.T) {
	const goroutines, each = 8, 1000
	opts := pool.PoolOptions{Strategy: pool.PowerOfTwo, MinWorkers: 4, Worker: pool.WorkerOptions{QueueCapacity: 16384}}
	spread := func(t *testing.T, b *bench, submit func(tag uint64) error) {
		var submitting sync.WaitGroup
		for range goroutines {
			submitting.Go(func() {
				for tag := range uint64(each) {
					assert.NoError(t, submit(tag))
				}
			})
		}
		submitting.Wait()
		for _, w := range b.stats().Workers {
			assert.GreaterOrEqual(t, w.Enqueued, uint64(goroutines*each/10))
			assert.LessOrEqual(t, w.Enqueued, uint64(goroutines*each*4/10))
		}
	}
	t.Run("over idle workers", func(t *testing.T) {
		b := newBench(t, rig.Config{Quiet: true}, opts)
		var one sync.Mutex
		spread(t, b, func(tag uint64) error {
			one.Lock()
			defer one.Unlock()
			_, err := b.Service.Call(t.Context(), b.id, pool.Task{Tag: tag})
			return err
		})
	})
	t.Run("over workers that all fall behind", func(t *testing.T) {
		b, _ := newShutBench(t, rig.Config{Quiet: true}, opts)
		spread(t, b, func(tag uint64) error {
			_, err := b.Service.Submit(b.id, tag, nil)
			return err
		})
	})
}

func TestPC18TwoPoolsPickDifferently(t *testing.T) {
	picks := func(seed uint64) (positions []int) {
		b, _ := newShutBench(t, rig.Config{}, pool.PoolOptions{Strategy: pool.PowerOfTwo, MinWorkers: 8, HashSeed: seed})
		place := make(map[pool.WorkerID]int)
		for i, id := range b.workers() {
			place[id] = i
		}
		for tag := range uint64(64) {
			positions = append(positions, place[b.give(tag)])
		}
		return positions
	}
	assert.NotEqual(t, picks(0), picks(0))
	assert.Equal(t, picks(7), picks(7), "a seed makes them repeatable")
}

// TestPC20NewWorkersGetTheirShare has two workers with exactly 20 tasks each when two more join and 40 tasks come, or tasks with
// 1 000 keys. A seed has the choices of chance be the same in every run.
func TestPC20NewWorkersGetTheirShare(t *testing.T) {
	atLeast := func(n int) func(*testing.T, []int) {
		return func(t *testing.T, got []int) {
			assert.GreaterOrEqual(t, got[2], n)
			assert.GreaterOrEqual(t, got[3], n)
		}
	}
	exactly := func(want ...int) func(*testing.T, []int) {
		return func(t *testing.T, got []int) { assert.Equal(t, want, got) }
	}
	for _, c := range []struct {
		strategy pool.Strategy
		tasks    uint64
		holds    func(t *testing.T, got []int) // by slot, the new ones last
	}{
		{pool.LeastLoaded, 40, exactly(0, 0, 20, 20)},
		{pool.RoundRobin, 40, exactly(10, 10, 10, 10)},
		{pool.PowerOfTwo, 40, atLeast(10)},
		{pool.Random, 40, atLeast(2)},
		{pool.ConsistentHash, 1000, atLeast(50)},
		{pool.Broadcast, 40, exactly(40, 40, 40, 40)},
	} {
		t.Run(c.strategy.String(), func(t *testing.T) {
			b, _ := newShutBench(t, rig.Config{}, pool.PoolOptions{
				Strategy: c.strategy, MinWorkers: 2, MaxWorkers: 4, HashSeed: 20, Worker: pool.WorkerOptions{QueueCapacity: 2048},
			})
			for tag := range uint64(20) {
				n, err := b.Service.Broadcast(b.id, tag, nil)
				require.NoError(t, err)
				require.Equal(t, 2, n)
			}
			b.scale(4)
			before := b.stats().Workers
			for tag := range c.tasks {
				_, err := b.Service.Submit(b.id, tag, nil) // its key is its tag
				require.NoError(t, err)
			}
			after, got := b.stats().Workers, make([]int, 4)
			require.Len(t, after, 4)
			for slot, w := range after {
				require.Equal(t, before[slot].ID, w.ID)
				got[slot] = int(w.Enqueued - before[slot].Enqueued)
			}
			assert.EqualValues(t, []uint64{20, 20, 0, 0}, []uint64{before[0].Enqueued, before[1].Enqueued, before[2].Enqueued, before[3].Enqueued})
			c.holds(t, got)
		})
	}
}

func TestPC20RoundRobinStaysFairUnderChurn(t *testing.T) {
	t.Parallel()
	b := newBench(t, rig.Config{Quiet: true, Behaviour: rig.TrapOn(666)}, pool.PoolOptions{
		MinWorkers: 4, MaxWorkers: 5, MaxRestarts: pool.UnlimitedRestarts,
	})
	got := make(map[int]int)
	rounds := size(400, 100)
	for round := range rounds {
		ids := b.workers()
		tag, failed := uint64(1), b.stats().Failed
		if round%2 == 0 {
			tag = 666
		}
		worker := b.give(tag)
		for at, id := range ids {
			if id == worker {
				got[at]++
			}
		}
		if tag == 666 {
			b.until(func(s pool.PoolStats) bool { return s.Failed == failed+1 }, "666 traps")
			b.reconcile()
			continue
		}
		b.quiet()
		b.scale(5)
		b.scale(4)
		b.settle()
	}
	assert.Len(t, got, 4)
	for at, n := range got {
		assert.GreaterOrEqual(t, n*100, 10*rounds, "position %d: %v", at, got)
		assert.LessOrEqual(t, n*100, 40*rounds, "position %d: %v", at, got)
	}
}
