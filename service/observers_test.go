package service_test

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tally is an observer that counts what it receives and what it is told to have missed, and sees whether that is everything in
// order.
type tally struct {
	received, lost, first, last atomic.Uint64
	disordered                  atomic.Bool
}

func (c *tally) add(e *pool.PoolEvent) {
	begins := e.Seq
	if e.Kind == pool.PoolEventsLost {
		c.lost.Add(e.Count)
		begins = e.Seq - e.Count + 1
	} else {
		c.received.Add(1)
	}
	if before := c.last.Swap(e.Seq); before == 0 {
		c.first.Store(begins)
	} else if begins != before+1 {
		c.disordered.Store(true)
	}
}

// holds is true of an observer that is up to date: it was told of every event since it subscribed, in order.
func (c *tally) holds(t *testing.T, first, last uint64, name string) {
	t.Helper()
	assert.False(t, c.disordered.Load(), name)
	assert.Equal(t, first, c.first.Load(), name)
	assert.Equal(t, last, c.last.Load(), name)
	assert.Equal(t, last-first+1, c.received.Load()+c.lost.Load(), name)
}

// TestPC24AStuckObserverSlowsNobody compares the faster of two runs beside a stuck observer with the slower of two without
// observers: whatever else the machine does only brings these together.
func TestPC24AStuckObserverSlowsNobody(t *testing.T) {
	n := size(10_000, 2_000)
	var control, took [2]time.Duration
	for i := range control {
		control[i] = observedRun(t, n, func(*bench) func() { return func() {} })
		took[i] = besideAStuckObserver(t, n)
	}
	assert.LessOrEqual(t, slices.Min(took[:]), 3*slack*slices.Max(control[:]))
}

// besideAStuckObserver is observedRun with an observer that blocks on its first event until the run is over, and one that counts.
func besideAStuckObserver(t *testing.T, n int) time.Duration {
	t.Helper()
	var stuck, counting tally
	release := make(chan struct{})
	return observedRun(t, n, func(b *bench) func() {
		blocked, err := b.Service.ObserveEvents(func(e *pool.PoolEvent) {
			<-release
			stuck.add(e)
		})
		require.NoError(t, err)
		counts, err := b.Service.ObserveEvents(counting.add)
		require.NoError(t, err)
		return func() {
			close(release)
			last := b.lastEvent()
			b.Eventually(func() bool { return counting.last.Load() == last && stuck.last.Load() == last }, "both are up to date")
			assert.NoError(t, promptly(t, "unsubscribe", func() error { return b.Service.UnsubscribeEvents(blocked) }))
			assert.NoError(t, promptly(t, "unsubscribe", func() error { return b.Service.UnsubscribeEvents(counts) }))
			const first = 1 + 2 + 1 // after the pool's creation with two workers
			assert.Greater(t, last, uint64(n), "there is an event for every task")
			counting.holds(t, first, last, "the counting one")
			stuck.holds(t, first, last, "the stuck one")
			assert.NotZero(t, stuck.lost.Load())
			assert.LessOrEqual(t, stuck.received.Load(), uint64(1024+1), "what waits for it is bounded")
		}
	})
}

// lastEvent makes an event and returns its number.
func (b *bench) lastEvent() uint64 {
	b.T.Helper()
	rec := record(b.Rig)
	require.NoError(b.T, b.Service.Scale(b.owner.Caller, b.id, 4)) // as before
	seq := rec.await(pool.PoolScaled, 1)[0].Seq
	require.NoError(b.T, b.Service.UnsubscribeEvents(rec.sub))
	return seq
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
