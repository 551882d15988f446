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

func TestPC18PowerOfTwoSpreads(t *testing.T) {
	opts := pool.PoolOptions{Strategy: pool.PowerOfTwo, MinWorkers: 4, Worker: pool.WorkerOptions{QueueCapacity: 16384}}
	spread := func(t *testing.T, b *bench, n uint64) {
		for _, w := range b.stats().Workers {
			assert.GreaterOrEqual(t, w.Enqueued, n/10)
			assert.LessOrEqual(t, w.Enqueued, n*4/10)
		}
	}
	t.Run("over idle workers", func(t *testing.T) {
		const n = 1000
		b := newBench(t, rig.Config{Quiet: true}, opts)
		for tag := range uint64(n) {
			_, err := b.Service.Call(t.Context(), b.id, pool.Task{Tag: tag})
			require.NoError(t, err)
		}
		spread(t, b, n)
	})
	t.Run("by many, over workers that all fall behind", func(t *testing.T) { // or the scheduler's favourite would get more
		b, _ := newShutBench(t, rig.Config{Quiet: true}, opts)
		var submitting sync.WaitGroup
		for range 8 {
			submitting.Go(func() {
				for tag := range uint64(1000) {
					_, err := b.Service.Submit(b.id, tag, nil)
					assert.NoError(t, err)
				}
			})
		}
		submitting.Wait()
		spread(t, b, 8000)
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

func TestPC20NewWorkersGetTheirShare(t *testing.T) {
	for _, c := range []struct {
		strategy pool.Strategy
		holds    func(t *testing.T, old, young []int)
	}{
		{pool.LeastLoaded, func(t *testing.T, old, young []int) {
			assert.Equal(t, []int{0, 0}, old)
			assert.Equal(t, []int{20, 20}, young)
		}},
		{pool.RoundRobin, func(t *testing.T, old, young []int) {
			assert.Equal(t, []int{10, 10}, old)
			assert.Equal(t, []int{10, 10}, young)
		}},
		{pool.PowerOfTwo, func(t *testing.T, _, young []int) {
			assert.GreaterOrEqual(t, young[0], 10)
			assert.GreaterOrEqual(t, young[1], 10)
		}},
		{pool.Random, func(t *testing.T, _, young []int) {
			assert.GreaterOrEqual(t, young[0], 2)
			assert.GreaterOrEqual(t, young[1], 2)
		}},
	} {
		t.Run(c.strategy.String(), func(t *testing.T) {
			b, _ := newShutBench(t, rig.Config{}, pool.PoolOptions{Strategy: c.strategy, MinWorkers: 2, MaxWorkers: 4})
			b.fill(20)
			b.scale(4)
			got := make(map[pool.WorkerID]int)
			for tag := range uint64(40) {
				got[b.give(tag)]++
			}
			ids := b.workers()
			c.holds(t, []int{got[ids[0]], got[ids[1]]}, []int{got[ids[2]], got[ids[3]]})
		})
	}
}

// fill submits until each of two workers has n tasks queued, or more where the strategy doesn't look at loads.
func (b *bench) fill(n uint32) {
	b.T.Helper()
	for tag := uint64(1000); ; tag++ {
		workers := b.stats().Workers
		if workers[0].Outstanding >= n && workers[1].Outstanding >= n {
			return
		}
		b.give(tag)
	}
}

func TestPC20NewWorkersOwnKeys(t *testing.T) {
	b, _ := newShutBench(t, rig.Config{}, pool.PoolOptions{
		Strategy: pool.ConsistentHash, MinWorkers: 2, MaxWorkers: 4, Worker: pool.WorkerOptions{QueueCapacity: 2048},
	})
	b.fill(20)
	b.scale(4)
	got := make(map[pool.WorkerID]int)
	for key := range uint64(1000) {
		worker, err := b.Service.SubmitKeyed(b.id, key, 1, nil)
		require.NoError(t, err)
		got[worker]++
	}
	for _, id := range b.workers()[2:] {
		assert.GreaterOrEqual(t, got[id], 50, "5 %% of 1000")
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
