package service_test

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// flooded is a pool whose workers can't keep up with what is submitted: they take a task now and then, or none.
func flooded(t *testing.T, overflow pool.OverflowPolicy, taken bool) *bench {
	t.Helper()
	opts := pool.PoolOptions{MinWorkers: 4, Overflow: overflow, Worker: pool.WorkerOptions{QueueCapacity: 16}}
	b := &bench{Rig: rig.New(t, rig.Config{Quiet: true})}
	if !taken {
		b.ShutGates()
	}
	b.create(opts)
	return b
}

// flood has each of two producers submit n tasks of 4 KiB as fast as it can, by key and not.
func (b *bench) flood(n int) {
	var producers sync.WaitGroup
	for range 2 {
		producers.Go(func() {
			payload := make([]byte, 4096)
			for i := range n {
				_, err := b.Service.SubmitKeyed(b.id, uint64(i), 1, payload)
				if err != nil && err != pool.ErrPoolBackpressure {
					assert.NoError(b.T, err)
				}
			}
		})
	}
	producers.Wait()
}

// TestQ7MemoryIsFlatUnderEndlessOverload floods a pool again and again, with 160 000 tasks in all, 24 000 under -short, and has
// the live heap be no more than 10 % above the least it was since the first flood.
func TestQ7MemoryIsFlatUnderEndlessOverload(t *testing.T) {
	for _, overflow := range []pool.OverflowPolicy{pool.OverflowSpill, pool.OverflowReject, pool.OverflowShed} {
		for how, taken := range map[string]bool{"taken slowly": true, "not taken": false} {
			t.Run(overflow.String()+", "+how, func(t *testing.T) {
				b := flooded(t, overflow, taken)
				const floods = 8
				n := size(160_000, 24_000) / floods / 2
				b.flood(n) // queues, pools of errands and observers' queues have their size from here on
				least := heapInUse()
				for range floods {
					b.flood(n)
					least = b.noMoreThan(least)
				}
				stats := b.stats()
				assert.Greater(t, stats.Shed+stats.Rejected, uint64(n), "it was too much for the pool")
				assert.Equal(t, taken, stats.Done > 0)
			})
		}
	}
}

// noMoreThan waits until the live heap is at most 10 % above least, and returns the lesser of the two: what a flood leaves
// behind never goes, what earlier tests left does.
func (b *bench) noMoreThan(least uint64) uint64 {
	b.T.Helper()
	deadline := time.Now().Add(testPatience)
	heap := heapInUse()
	for heap > least+least/10 && time.Now().Before(deadline) {
		heap = heapInUse()
	}
	require.LessOrEqual(b.T, heap, least+least/10, "live heap in bytes")
	return min(heap, least)
}

// heapInUse returns the bytes of live objects.
func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
