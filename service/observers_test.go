package service_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tally is an observer that counts what it receives and what it is told to have missed.
type tally struct {
	received, lost, last atomic.Uint64
	disordered           atomic.Bool
}

func (c *tally) add(e *pool.PoolEvent) {
	before := c.last.Swap(e.Seq)
	if e.Kind == pool.PoolEventsLost {
		c.lost.Add(e.Count)
		if before != 0 && e.Seq != before+e.Count {
			c.disordered.Store(true)
		}
		return
	}
	c.received.Add(1)
	if before != 0 && e.Seq != before+1 {
		c.disordered.Store(true)
	}
}

func TestPC24AStuckObserverSlowsNobody(t *testing.T) {
	n := size(10_000, 2_000)
	control := observedRun(t, n, func(*bench) func() { return func() {} })
	var stuck, counting tally
	release := make(chan struct{})
	took := observedRun(t, n, func(b *bench) func() {
		blocked, err := b.Service.ObserveEvents(func(e *pool.PoolEvent) {
			<-release
			stuck.add(e)
		})
		require.NoError(t, err)
		counts, err := b.Service.ObserveEvents(counting.add)
		require.NoError(t, err)
		return func() {
			close(release)
			b.Eventually(func() bool { return counting.last.Load() > 0 && stuck.last.Load() == counting.last.Load() }, "both are up to date")
			assert.NoError(t, promptly(t, "unsubscribe", func() error { return b.Service.UnsubscribeEvents(blocked) }))
			assert.NoError(t, promptly(t, "unsubscribe", func() error { return b.Service.UnsubscribeEvents(counts) }))
		}
	})
	assert.LessOrEqual(t, took, 3*control+slack*time.Second)
	for name, c := range map[string]*tally{"the counting one": &counting, "the stuck one": &stuck} {
		assert.False(t, c.disordered.Load(), name)
		assert.Greater(t, c.received.Load()+c.lost.Load(), uint64(n), name)
	}
	assert.NotZero(t, stuck.lost.Load())
	assert.LessOrEqual(t, stuck.received.Load(), uint64(1024+1), "what waits for it is bounded")
	assert.Equal(t, stuck.received.Load()+stuck.lost.Load(), counting.received.Load()+counting.lost.Load())
}

// observedRun does n tasks and a poison, reconciles and scales, and returns how long that took.
func observedRun(t *testing.T, n int, observe func(*bench) (end func())) time.Duration {
	t.Helper()
	b := newBench(t, rig.Config{Quiet: true, Behaviour: rig.TrapOn(666)}, pool.PoolOptions{
		MinWorkers: 2, MaxWorkers: 4, Worker: pool.WorkerOptions{QueueCapacity: 16384},
	})
	end := observe(b)
	heap := heapInUse()
	begun := time.Now()
	for tag := range uint64(n) {
		if tag == uint64(n/2) {
			tag = 666
		} else if tag == 666 {
			tag = 1
		}
		before := time.Now()
		b.give(tag)
		require.Less(t, time.Since(before), quick)
	}
	b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "the poison")
	assert.NoError(t, promptly(t, "Reconcile", func() error { return b.Service.Reconcile(b.owner.Caller, b.id) }))
	assert.NoError(t, promptly(t, "Scale", func() error { return b.Service.Scale(b.owner.Caller, b.id, 4) }))
	b.quiet()
	took := time.Since(begun)
	assert.LessOrEqual(t, heapInUse(), heap+4<<20*slack, "what waits for a stuck observer is bounded")
	end()
	assert.NoError(t, promptly(t, "Destroy", func() error { return b.Service.Destroy(b.id) }))
	runtime.KeepAlive(b)
	return took
}
