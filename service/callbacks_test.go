package service_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/events"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPC02ATaskSubmitsToItsOwnFullPool(t *testing.T) {
	answers := make(chan error, 2)
	b := newBench(t, rig.Config{Behaviour: func(w *rig.Worker, task pool.Task) rig.Act {
		if task.Tag == 1 {
			for range 2 {
				_, err := w.Service().SubmitFrom(w.Caller, 1, 2, nil)
				answers <- err
			}
		}
		return rig.Next
	}}, pool.PoolOptions{Overflow: pool.OverflowReject, Worker: pool.WorkerOptions{QueueCapacity: 1}})
	require.EqualValues(t, 1, b.id)
	b.submit(1)
	require.NoError(t, within(t, quick, answers, "the first submit"))
	require.Equal(t, pool.ErrPoolBackpressure, within(t, quick, answers, "the second submit"))
	b.quiet()
	assert.Equal(t, []uint64{1, 2}, b.Finished())
	assert.EqualValues(t, 2, b.Service.Tally(b.id).Accepted)
}

func TestPC02AnObserverCallsTheServiceOnEveryEvent(t *testing.T) {
	b := newBench(t, rig.Config{}, pool.PoolOptions{MinWorkers: 2, Worker: pool.WorkerOptions{QueueCapacity: 128}})
	tag := atomic.Uint64{}
	tag.Store(10)
	sub, err := b.Service.ObserveEvents(func(e *pool.PoolEvent) {
		_, err := b.Service.Stats(e.Pool)
		assert.NoError(t, err)
		assert.NotEmpty(t, b.Service.List())
		if n := tag.Add(1); n <= 110 {
			_, err := b.Service.Submit(e.Pool, n, nil)
			assert.NoError(t, err)
		}
	})
	require.NoError(t, err)
	b.submit(span(1, 10)...)
	b.Eventually(func() bool { return len(b.Finished()) == 110 }, "110 tasks")
	b.quiet()
	require.NoError(t, b.Service.UnsubscribeEvents(sub))
	assert.Equal(t, span(1, 110), b.Finished())
}

func TestPC02AnObserverDestroysThePool(t *testing.T) {
	t.Run("when its first worker joins", func(t *testing.T) {
		r := rig.New(t, rig.Config{})
		answers := destroyOn(r, pool.PoolWorkerAdded)
		owner := r.Owner()
		_, err := r.Service.Create(owner.Caller, rig.EntryLoop, pool.PoolOptions{MinWorkers: 4})
		if err != nil {
			assert.ErrorIs(t, err, pool.ErrPoolDestroyed)
		}
		assert.NoError(t, within(t, 2*quick, answers, "Destroy"))
		r.Eventually(func() bool { return r.LiveWorkers() == 0 }, "no worker left")
	})
	t.Run("when a worker dies", func(t *testing.T) {
		b := newBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{MinWorkers: 3})
		answers := destroyOn(b.Rig, pool.PoolWorkerRemoved)
		b.submit(666)
		assert.NoError(t, within(t, 2*quick, answers, "Destroy"))
		b.Eventually(func() bool { return b.LiveWorkers() == 0 }, "no worker left")
	})
}

// destroyOn destroys a pool, once, from inside an observer of an event of the kind.
func destroyOn(r *rig.Rig, kind pool.PoolEventKind) <-chan error {
	answers := make(chan error, 1)
	done := false
	_, err := r.Service.ObserveEvents(func(e *pool.PoolEvent) {
		if e.Kind == kind && !done {
			done = true
			answers <- r.Service.Destroy(e.Pool)
		}
	})
	require.NoError(r.T, err)
	return answers
}

func TestPC03UnsubscribeFromInsideItsOwnCallback(t *testing.T) {
	b := newBench(t, rig.Config{}, pool.PoolOptions{MinWorkers: 2, Worker: pool.WorkerOptions{QueueCapacity: 256}})
	all := record(b.Rig)
	var sub pool.EventSubscription
	ready, answers, entered := make(chan struct{}), make(chan error, 1), atomic.Int32{}
	sub, err := b.Service.ObserveEvents(func(*pool.PoolEvent) {
		entered.Add(1)
		<-ready
		answers <- b.Service.UnsubscribeEvents(sub)
	})
	close(ready)
	require.NoError(t, err)
	b.submit(span(1, 100)...)
	require.Equal(t, pool.ErrInsideCallback, within(t, quick, answers, "UnsubscribeEvents"))
	b.quiet()
	all.await(pool.PoolTaskRouted, 100)
	require.NoError(t, b.Service.UnsubscribeEvents(sub), "it has ended")
	assert.EqualValues(t, 1, entered.Load())
}

func TestPC03UnsubscribeIsABarrierForEverybody(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, rig.Config{Bubble: true}, pool.PoolOptions{})
		gate, entries, plain := make(chan struct{}), 0, 0
		sub, err := b.Service.ObserveEvents(func(*pool.PoolEvent) {
			entries++
			<-gate
			entries += plain
		})
		require.NoError(t, err)
		b.submit(1)
		synctest.Wait() // the callback has begun
		x := async(func() error { return b.Service.UnsubscribeEvents(sub) })
		y := async(func() error { return b.Service.UnsubscribeEvents(sub) })
		synctest.Wait() // everything is parked
		for _, c := range []<-chan error{x, y} {
			select {
			case <-c:
				require.Fail(t, "back before the callback")
			default:
			}
		}
		close(gate)
		require.NoError(t, <-x)
		require.NoError(t, <-y)
		plain = 1 // no callback reads it any more: the race detector would say so
		for _, tag := range span(1, 100) {
			_, err := b.Service.SubmitWait(t.Context(), b.id, pool.Task{Tag: tag})
			require.NoError(t, err)
		}
		b.quiet()
		assert.Equal(t, 1, entries)
		assert.NoError(t, b.Service.UnsubscribeEvents(sub), "again")
	})
}

func TestPC03ASubscriptionThatNeverWasIsUnknown(t *testing.T) {
	one, other := newBench(t, rig.Config{}, pool.PoolOptions{}), newBench(t, rig.Config{}, pool.PoolOptions{})
	foreign, err := other.Service.ObserveEvents(func(*pool.PoolEvent) {})
	require.NoError(t, err)
	for name, sub := range map[string]pool.EventSubscription{"zero": {}, "another service's": foreign} {
		assert.ErrorIs(t, one.Service.UnsubscribeEvents(sub), pool.ErrUnknownSubscription, name)
	}
	require.NoError(t, other.Service.UnsubscribeEvents(foreign))
}

func TestPC05AnObserverThatPanicsOrEndsItsGoroutineHarmsNobody(t *testing.T) {
	control := watchedRun(t, false)
	assert.Equal(t, control, watchedRun(t, true))
}

// watchedRun does 99 tasks and a poison before an observer that behaves, beside two that don't if asked to. It returns the
// kinds of events that the good one saw, by worker in order of appearance.
func watchedRun(t *testing.T, hostile bool) [][]pool.PoolEventKind {
	t.Helper()
	r := rig.New(t, rig.Config{Behaviour: rig.TrapOn(100)})
	var bad []pool.EventSubscription
	if hostile {
		bad = hostileObservers(r)
	}
	rec := record(r)
	b := &bench{Rig: r}
	b.create(pool.PoolOptions{MinWorkers: 2, Worker: pool.WorkerOptions{QueueCapacity: 64}})
	b.submit(span(1, 99)...)
	b.quiet()
	b.submit(100)
	b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "100 traps")
	b.reconcile()
	assert.Equal(t, span(1, 99), b.Finished())
	assert.EqualValues(t, 1, b.stats().FailedTasks)
	for _, sub := range bad {
		assert.NoError(t, promptly(t, "unsubscribe", func() error { return r.Service.UnsubscribeEvents(sub) }))
	}
	rec.awaitAll()
	assert.NoError(t, promptly(t, "unsubscribe", func() error { return r.Service.UnsubscribeEvents(rec.sub) }))
	assert.NoError(t, promptly(t, "Destroy", func() error { return b.Service.Destroy(b.id) }))
	err := r.Shut()
	if hostile {
		assert.ErrorIs(t, err, events.ErrCallbackFailed, "what they did is told at the end")
	} else {
		assert.NoError(t, err)
	}
	return kindsByWorker(rec.events())
}

func hostileObservers(r *rig.Rig) []pool.EventSubscription {
	panics, err := r.Service.ObserveEvents(func(*pool.PoolEvent) { panic("an observer's own trouble") })
	require.NoError(r.T, err)
	n := 0
	ends, err := r.Service.ObserveEvents(func(*pool.PoolEvent) {
		if n++; n == 5 {
			runtime.Goexit()
		}
	})
	require.NoError(r.T, err)
	return []pool.EventSubscription{panics, ends}
}

// kindsByWorker returns each worker's events in order, the workers in order of appearance; those of no worker come first.
func kindsByWorker(seen []pool.PoolEvent) [][]pool.PoolEventKind {
	kinds := [][]pool.PoolEventKind{nil}
	place := map[pool.WorkerID]int{0: 0}
	for _, e := range seen {
		at, ok := place[e.Worker]
		if !ok {
			at = len(kinds)
			place[e.Worker] = at
			kinds = append(kinds, nil)
		}
		kinds[at] = append(kinds[at], e.Kind)
	}
	return kinds
}
