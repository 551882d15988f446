package conformance

import (
	"context"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
	"github.com/wago-org/workers"
)

var settleChecks = []Check{
	{Name: "settle/the task in hand is what Current says", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{})
		worker, goOn := w.held(id, 7)
		task, err := w.Service.Current(worker.Caller)
		w.must("Current", err)
		w.same("tag, key, attempt", [3]uint64{7, 7, 1}, [3]uint64{task.Tag, task.Key, uint64(task.Attempt)})
		s := w.Stats(id)
		w.same("running, in that hand", [2]uint64{1, 1}, [2]uint64{s.Running, uint64(s.Workers[0].Running)})
		goOn(pooltest.GoOn)
		w.Quiet(id)
	}},
	{Name: "settle/a task is settled once", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{})
		for tag, settle := range []func(*pooltest.Worker) error{
			func(worker *pooltest.Worker) error { return w.Service.Complete(worker.Caller, nil) },
			func(worker *pooltest.Worker) error { return w.Service.Fail(worker.Caller, errGuest) },
		} {
			worker, goOn := w.held(id, uint64(tag))
			w.must("settling", settle(worker))
			w.bare("Complete", pool.ErrNoTask, w.Service.Complete(worker.Caller, nil))
			w.bare("Fail", pool.ErrNoTask, w.Service.Fail(worker.Caller, errGuest))
			_, err := w.Service.Current(worker.Caller)
			w.bare("Current", pool.ErrNoTask, err)
			w.same("running", uint64(0), w.Stats(id).Running)
			goOn(pooltest.GoOn)
			w.Quiet(id)
		}
		s := w.Stats(id)
		w.same("done, failed", [2]uint64{1, 1}, [2]uint64{s.Done, s.FailedTasks})
		failed := w.reported(pool.PoolTaskFailed, 1)[0]
		w.same("reason", pool.ReasonGuestFailed, failed.Reason)
		w.wraps("the event's error", failed.Err, errGuest)
	}},
	{Name: "settle/a result over the limit leaves the task in hand", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{Worker: pool.WorkerOptions{MaxPayloadBytes: 8}})
		worker, goOn := w.held(id, 7)
		w.bare("Complete", pool.ErrPayloadTooLarge, w.Service.Complete(worker.Caller, make([]byte, 9)))
		w.same("running", uint64(1), w.Stats(id).Running)
		w.must("Complete", w.Service.Complete(worker.Caller, make([]byte, 8)))
		goOn(pooltest.GoOn)
		w.same("done", uint64(1), w.Quiet(id).Done)
	}},
	{Name: "settle/the next dispatch settles as done", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{})
		worker, goOn := w.held(id, 7)
		ctx, cancel := context.WithCancel(w.t.Context())
		var err error
		dispatch := w.async(func() { err = w.Service.DispatchNext(ctx, worker.Caller) })
		w.waits("DispatchNext", dispatch)
		w.same("done", uint64(1), w.Stats(id).Done)
		w.bare("a second DispatchNext", workers.ErrWorkerDispatchActive, w.Service.DispatchNext(w.t.Context(), worker.Caller))
		cancel()
		w.returns("DispatchNext", dispatch)
		w.bare("DispatchNext", context.Canceled, err)
		goOn(pooltest.GoOn)
		w.submit(id, 8)
		w.same("done", uint64(2), w.Quiet(id).Done)
	}},
	{Name: "settle/a return with the task in hand is done, a trap or an exit with a code is failed", run: func(w *world) {
		for act, want := range map[pooltest.Act][2]uint64{
			pooltest.Return: {1, 0}, pooltest.Exit(0): {1, 0}, pooltest.Trap: {0, 1}, pooltest.Exit(3): {0, 1},
		} {
			w.does(pooltest.On(act, 7))
			id := w.owner.Create(pool.PoolOptions{})
			w.submit(id, 7)
			s := w.exited(id, 1)
			w.same("done, failed", want, [2]uint64{s.Done, s.FailedTasks})
			w.must("Destroy", w.Service.Destroy(id))
		}
	}},
	{Name: "settle/after a verdict nothing does", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{})
		worker, goOn := w.held(id, 7)
		destroyed := w.async(func() { _ = w.Service.Destroy(id) })
		w.waits("Destroy", destroyed)
		_, err := w.Service.Current(worker.Caller)
		w.bare("Current", pool.ErrNoTask, err)
		w.bare("Complete", pool.ErrNoTask, w.Service.Complete(worker.Caller, nil))
		w.bare("Fail", pool.ErrNoTask, w.Service.Fail(worker.Caller, errGuest))
		w.wraps("DispatchNext", w.Service.DispatchNext(w.t.Context(), worker.Caller), pool.ErrPoolDestroyed)
		goOn(pooltest.Return)
		w.returns("Destroy", destroyed)
	}},
}
