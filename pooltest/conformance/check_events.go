package conformance

import (
	"slices"
	"sync/atomic"
	"testing/synctest"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
)

var eventChecks = []Check{
	{Name: "events/tell a pool's story in order, and number it", run: func(w *world) {
		w.does(pooltest.TrapOn(7))
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 3})
		w.submit(id, 1, 7, 2, 3)
		w.exited(id, 1)
		w.must("Reconcile", w.Service.Reconcile(w.owner.Caller, id))
		w.Quiet(id)
		w.must("DrainWait", w.Service.DrainWait(w.t.Context(), id))
		w.must("Destroy", w.Service.Destroy(id))
		w.reported(pool.PoolDestroyed, 1)
		story := w.story()
		w.same("first", pool.PoolCreated, story[0].Kind)
		w.same("last", pool.PoolDestroyed, story[len(story)-1].Kind)
		byWorker := map[pool.WorkerID][]pool.PoolEventKind{}
		for i, e := range story {
			w.same("number", story[0].Seq+uint64(i), e.Seq)
			w.same("time that goes back", false, e.Time.Before(story[max(i, 1)-1].Time))
			w.same("pool", id, e.Pool)
			w.same("final stats", e.Kind == pool.PoolDestroyed, e.Final != nil)
			if e.Worker != 0 {
				byWorker[e.Worker] = append(byWorker[e.Worker], e.Kind)
			}
		}
		w.same("workers", 4, len(byWorker))
		for _, kinds := range byWorker {
			w.same("first of a worker", pool.PoolWorkerAdded, kinds[0])
			w.same("last of a worker", pool.PoolWorkerRemoved, kinds[len(kinds)-1])
		}
		draining := slices.IndexFunc(story, func(e pool.PoolEvent) bool { return e.Kind == pool.PoolDraining })
		drained := slices.IndexFunc(story, func(e pool.PoolEvent) bool { return e.Kind == pool.PoolDrained })
		w.same("draining before drained", true, 0 < draining && draining < drained)
	}},
	{Name: "events/name worker, tag and key of what was routed", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{})
		worker, err := w.Service.SubmitKeyed(id, 5, 9, nil)
		w.must("SubmitKeyed", err)
		routed := w.reported(pool.PoolTaskRouted, 1)[0]
		w.same("worker", worker, routed.Worker)
		w.same("tag, key", [2]uint64{9, 5}, [2]uint64{routed.Tag, routed.Key})
		w.Quiet(id)
	}},
	{Name: "events/their sum is the ledger", run: func(w *world) {
		id, gate := w.full(pool.PoolOptions{MaxRestarts: 9})
		for range 3 {
			_, err := w.Service.Submit(id, 9, nil)
			w.bare("Submit", pool.ErrPoolBackpressure, err)
		}
		w.does(pooltest.TrapOn(2, 3))
		gate.Open()
		w.exited(id, 1)
		w.must("Reconcile", w.Service.Reconcile(w.owner.Caller, id))
		w.submit(id, 4)
		w.Quiet(id)
		w.must("Destroy", w.Service.Destroy(id))
		final := w.reported(pool.PoolDestroyed, 1)[0].Final
		w.reported(pool.PoolTaskRouted, int(final.Routed))
		w.reported(pool.PoolTaskRejected, int(final.Rejected))
		w.reported(pool.PoolTaskFailed, int(final.FailedTasks))
		w.reported(pool.PoolWorkerRemoved, int(final.Exited))
		w.same("routed, rejected, failed, exited", [4]uint64{3, 3, 1, 2},
			[4]uint64{final.Routed, final.Rejected, final.FailedTasks, final.Exited})
	}},
	{Name: "events/a stuck observer delays nobody, and is told what it missed", run: func(w *world) {
		release := make(chan struct{})
		var received, lost, last atomic.Uint64
		_, err := w.Service.ObserveEvents(func(e *pool.PoolEvent) {
			select {
			case <-release:
			case <-w.over:
			}
			if e.Kind == pool.PoolEventsLost {
				lost.Add(e.Count)
				w.sameLater("the number behind a gap", last.Load()+e.Count, e.Seq)
			} else {
				received.Add(1)
				w.sameLater("number", last.Load()+1, e.Seq)
			}
			last.Store(e.Seq)
		})
		w.must("ObserveEvents", err)
		id, gate := w.full(pool.PoolOptions{})
		for range 3000 {
			_, err := w.Service.Submit(id, 9, nil)
			w.bare("Submit", pool.ErrPoolBackpressure, err)
			synctest.Wait() // the other observer keeps up
		}
		w.reported(pool.PoolTaskRejected, 3000)
		gate.Open()
		w.Quiet(id)
		close(release)
		w.Eventually("the stuck observer to come after", func() bool { return last.Load() == w.story()[len(w.story())-1].Seq })
		w.same("events received and lost", uint64(len(w.story())), received.Load()+lost.Load())
		w.same("some are lost", true, lost.Load() > 0)
	}},
	{Name: "events/an observer may call the service", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{})
		var submitted atomic.Uint64
		_, err := w.Service.ObserveEvents(func(e *pool.PoolEvent) {
			if e.Kind != pool.PoolTaskRouted || e.Tag >= 5 {
				return
			}
			if _, err := w.Service.Submit(id, e.Tag+1, nil); err == nil {
				submitted.Add(1)
			}
			_, _ = w.Service.Stats(id)
			w.Service.List()
		})
		w.must("ObserveEvents", err)
		w.submit(id, 1)
		w.Until(id, "the chain of tasks", func(s pool.PoolStats) bool { return s.Done == 5 })
		w.same("submitted by the observer", uint64(4), submitted.Load())
	}},
}

// story returns every event so far.
func (w *world) story() []pool.PoolEvent {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.events)
}

// sameLater is same for goroutines that must not end the test.
func (w *world) sameLater(what string, want, got uint64) {
	if want != got {
		w.t.Errorf("%s: want %d, got %d", what, want, got)
	}
}

var unsubscribeChecks = []Check{
	{Name: "unsubscribe/nothing comes after it", run: func(w *world) {
		var calls atomic.Uint64
		sub, err := w.Service.ObserveEvents(func(*pool.PoolEvent) { calls.Add(1) })
		w.must("ObserveEvents", err)
		id := w.owner.Create(pool.PoolOptions{})
		w.Eventually("events", func() bool { return calls.Load() == uint64(len(w.story())) && calls.Load() >= 2 })
		w.must("UnsubscribeEvents", w.Service.UnsubscribeEvents(sub))
		before := calls.Load()
		w.submit(id, 1, 2, 3)
		w.reported(pool.PoolTaskRouted, 3) // the others go on
		w.same("calls", before, calls.Load())
		w.must("UnsubscribeEvents again", w.Service.UnsubscribeEvents(sub))
	}},
	{Name: "unsubscribe/waits for the callback in flight, and throws the queue away", run: func(w *world) {
		inside, release := make(chan struct{}), make(chan struct{})
		var calls atomic.Uint64
		sub, err := w.Service.ObserveEvents(func(*pool.PoolEvent) {
			if calls.Add(1) == 1 {
				close(inside)
				select {
				case <-release:
				case <-w.over:
				}
			}
		})
		w.must("ObserveEvents", err)
		id := w.owner.Create(pool.PoolOptions{})
		w.submit(id, 1, 2, 3)
		w.returns("the callback's beginning", inside)
		done := w.async(func() {
			if err := w.Service.UnsubscribeEvents(sub); err != nil {
				w.t.Errorf("UnsubscribeEvents: %v", err)
			}
		})
		w.waits("UnsubscribeEvents", done)
		close(release)
		w.returns("UnsubscribeEvents", done)
		synctest.Wait()
		w.same("calls", uint64(1), calls.Load())
	}},
	{Name: "unsubscribe/from inside its own callback it is refused, and ends with that", run: func(w *world) {
		subs := make(chan pool.EventSubscription, 1)
		var calls atomic.Uint64
		results := make(chan error, 1)
		sub, err := w.Service.ObserveEvents(func(*pool.PoolEvent) {
			if calls.Add(1) == 1 {
				results <- w.Service.UnsubscribeEvents(<-subs)
			}
		})
		w.must("ObserveEvents", err)
		subs <- sub
		id := w.owner.Create(pool.PoolOptions{})
		w.submit(id, 1, 2, 3)
		w.bare("UnsubscribeEvents", pool.ErrInsideCallback, receive(w, results))
		w.reported(pool.PoolTaskRouted, 3)
		w.same("calls", uint64(1), calls.Load())
	}},
	{Name: "unsubscribe/what is no subscription is unknown", run: func(w *world) {
		w.bare("UnsubscribeEvents of zero", pool.ErrUnknownSubscription, w.Service.UnsubscribeEvents(pool.EventSubscription{}))
		_, err := w.Service.ObserveEvents(nil)
		w.same("nil is refused", true, err != nil)
	}},
}
