package conformance

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
)

var contextChecks = []Check{
	{Name: "context/an owner's ends when its instance closes", run: func(w *world) {
		creator := w.Owner(pooltest.Loop)
		ctx, cancel, err := w.Service.CallerContext(creator.Caller)
		w.must("CallerContext", err)
		defer cancel()
		w.waits("the context", ctx.Done())
		w.must("Close", creator.Close())
		w.returns("the context", ctx.Done())
		w.bare("the cause", pool.ErrCallerEnding, context.Cause(ctx))
	}},
	{Name: "context/a worker's ends when it is told to stop, and not when it is retired", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 2})
		worker, goOn := w.held(id, 7)
		ctx, cancel, err := w.Service.CallerContext(worker.Caller)
		w.must("CallerContext", err)
		defer cancel()
		w.must("Drain", w.Service.Drain(id))
		w.waits("the context", ctx.Done())
		destroyed := w.async(func() { _ = w.Service.Destroy(id) })
		w.returns("the context", ctx.Done())
		w.bare("the cause", pool.ErrCallerEnding, context.Cause(ctx))
		goOn(pooltest.Return)
		w.returns("Destroy", destroyed)
	}},
	{Name: "context/its cancel ends it", run: func(w *world) {
		ctx, cancel, err := w.Service.CallerContext(w.owner.Caller)
		w.must("CallerContext", err)
		cancel()
		cancel()
		w.bare("the context's error", context.Canceled, ctx.Err())
	}},
}

var closeChecks = []Check{
	{Name: "close/ends every wait", run: func(w *world) {
		id, _ := w.full(pool.PoolOptions{})
		var errs [3]error
		waits := []<-chan struct{}{
			w.async(func() { _, errs[0] = w.Service.SubmitWait(context.Background(), id, pool.Task{Tag: 3}) }),
			w.async(func() { _, errs[1] = w.Service.Call(context.Background(), id, pool.Task{Tag: 4}) }),
			w.async(func() { errs[2] = w.Service.Supervise(context.Background(), w.owner.Caller, id) }),
		}
		for _, wait := range waits {
			w.waits("a call", wait)
		}
		w.finishes("Close", w.Close)
		for _, wait := range waits {
			w.returns("a call", wait)
		}
		for _, err := range errs {
			w.wraps("a call that waited", err, pool.ErrPoolDestroyed)
		}
	}},
	{Name: "close/nothing works after it", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{})
		sub, err := w.Service.ObserveEvents(func(*pool.PoolEvent) {})
		w.must("ObserveEvents", err)
		w.finishes("Close", w.Close)
		for verb, err := range w.everything(id, sub) {
			w.bare(verb, pool.ErrPoolsClosed, err)
		}
		w.same("List", 0, len(w.Service.List()))
	}},
}

// everything calls every method that returns an error, and returns what each says.
func (w *world) everything(id pool.PoolID, sub pool.EventSubscription) map[string]error {
	answers := w.byID(id)
	maps.Copy(answers, w.byWorkers(w.owner.Caller))
	_, answers["Create"] = w.Service.Create(w.owner.Caller, pooltest.EntryWork, pool.PoolOptions{})
	_, answers["ObserveEvents"] = w.Service.ObserveEvents(func(*pool.PoolEvent) {})
	answers["UnsubscribeEvents"] = w.Service.UnsubscribeEvents(sub)
	_, _, answers["CallerContext"] = w.Service.CallerContext(w.owner.Caller)
	return answers
}

var ledgerChecks = []Check{
	{Name: "ledger/callers, guests and stats agree under a mixed load", run: func(w *world) {
		w.does(pooltest.TrapOn(13, 130, 260))
		id := w.owner.Create(pool.PoolOptions{
			MinWorkers: 3, MaxWorkers: 4, MaxRestarts: pool.UnlimitedRestarts, Worker: pool.WorkerOptions{QueueCapacity: 8},
		})
		w.owner.Supervise(id)
		var accepted, refused atomic.Uint64
		note := func(err error) {
			if err == nil {
				accepted.Add(1)
			} else {
				refused.Add(1)
			}
		}
		var givers sync.WaitGroup
		for giver := range uint64(4) {
			givers.Go(func() {
				for n := range uint64(75) {
					note(w.give(id, giver, giver*75+n))
				}
			})
		}
		givers.Wait()
		s := w.Quiet(id)
		w.same("routed", accepted.Load(), s.Routed)
		w.same("rejected", refused.Load(), s.Rejected)
		w.same("taken", int(s.Done+s.FailedTasks), len(w.taken(0)))
		seen := map[uint64]bool{}
		for _, tag := range w.tags(0) {
			w.same(fmt.Sprint("tag ", tag, " taken before"), false, seen[tag])
			seen[tag] = true
		}
		w.must("DrainWait", w.Service.DrainWait(w.t.Context(), id))
	}},
}

// give submits in one of the ways there are.
func (w *world) give(id pool.PoolID, way, tag uint64) (err error) {
	switch way {
	case 0:
		_, err = w.Service.Submit(id, tag, nil)
	case 1:
		_, err = w.Service.SubmitKeyed(id, tag, tag, nil)
	case 2:
		_, err = w.Service.SubmitFrom(w.owner.Caller, id, tag, nil)
	default:
		_, err = w.Service.SubmitWait(context.Background(), id, pool.Task{Tag: tag})
	}
	return err
}
