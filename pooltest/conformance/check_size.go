package conformance

import (
	"context"
	"errors"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
	"github.com/wago-org/workers"
)

var sizeChecks = []Check{
	{Name: "size/Scale stays within the band, and reports", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 2, MaxWorkers: 4})
		for i, step := range []struct{ ask, get uint32 }{{3, 3}, {99, 4}, {0, 2}} {
			from := w.Stats(id).Desired
			w.must("Scale", w.Service.Scale(w.owner.Caller, id, step.ask))
			w.Until(id, "the size", func(s pool.PoolStats) bool {
				return s.Live == step.get && s.Desired == step.get && len(s.Workers) == int(step.get)
			})
			scaled := w.reported(pool.PoolScaled, i+1)[i]
			w.same("from, to", [2]uint32{from, step.get}, [2]uint32{scaled.From, scaled.To})
			w.same("reason", pool.ReasonScale, scaled.Reason)
		}
		w.same("how they went", workers.WorkerReturned, w.exited(id, 2).LastExit.Kind)
	}},
	{Name: "size/shrinking stops no busy worker and loses no task", run: func(w *world) {
		gate := w.shut()
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 1, MaxWorkers: 3})
		w.must("Scale", w.Service.Scale(w.owner.Caller, id, 3))
		w.submit(id, 1, 2, 3, 4, 5, 6)
		w.running(id, 3)
		w.must("Scale", w.Service.Scale(w.owner.Caller, id, 1))
		s := w.Stats(id)
		w.same("live, running, exited", [3]uint64{1, 3, 0}, [3]uint64{uint64(s.Live), s.Running, s.Exited})
		last, err := w.Service.Submit(id, 7, nil)
		w.must("Submit", err)
		gate.Open()
		w.exited(id, 2)
		s = w.Quiet(id)
		w.same("done, failed", [2]uint64{7, 0}, [2]uint64{s.Done, s.FailedTasks})
		w.same("the one that is left", last, s.Workers[0].ID)
	}},
	{Name: "size/a ceiling stops growth and is no defect", run: func(w *world) {
		w.owner.Create(pool.PoolOptions{MinWorkers: 4})
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 1, MaxWorkers: 4})
		w.bare("Scale", pool.ErrPoolWorkerLimit, w.Service.Scale(w.owner.Caller, id, 4))
		s := w.Stats(id)
		w.same("live, limited", [2]any{uint32(2), true}, [2]any{s.Live, s.Limited})
		w.must("Reconcile", w.Service.Reconcile(w.owner.Caller, id))
		_, err := w.Service.SubmitFrom(w.owner.Caller, id, 1, nil)
		w.must("SubmitFrom", err)
		limited := w.reported(pool.PoolLimited, 1)[0]
		var limit *pool.LimitError
		w.same("a *pool.LimitError", true, errors.As(limited.Err, &limit))
		w.same("setting, limit", [2]any{"maxTotalWorkers", uint64(6)}, [2]any{limit.Setting, limit.Limit})
		w.Quiet(id)
	}},
	{Name: "size/an elastic pool grows at its owner's submits, and shrinks when load has been low", run: func(w *world) {
		gate := w.shut()
		id := w.owner.Create(pool.PoolOptions{MaxWorkers: 3, TargetPerWorker: 1, ScaleDownDelay: time.Minute})
		for tag := range uint64(3) {
			_, err := w.Service.SubmitFrom(w.owner.Caller, id, tag, nil)
			w.must("SubmitFrom", err)
		}
		w.must("Reconcile", w.Service.Reconcile(w.owner.Caller, id))
		w.same("live", uint32(3), w.Stats(id).Live)
		gate.Open()
		w.Quiet(id)
		w.pass(50 * time.Second)
		w.same("live, too soon", uint32(3), w.Stats(id).Live)
		w.pass(30 * time.Second)
		s := w.exited(id, 2)
		w.same("live, done", [2]uint64{1, 3}, [2]uint64{uint64(s.Live), s.Done})
	}},
	{Name: "size/a pool without a floor parks its first tasks", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{MinWorkers: pool.NoWorkers, MaxWorkers: 2, TargetPerWorker: 4})
		w.same("live, floor", [2]uint32{0, 0}, [2]uint32{w.Stats(id).Live, w.Stats(id).Min})
		worker, err := w.Service.Submit(id, 1, nil)
		w.must("Submit", err)
		w.same("worker", pool.WorkerID(0), worker)
		w.same("parked", uint64(1), w.Stats(id).Parked)
		w.same("the event's worker", pool.WorkerID(0), w.reported(pool.PoolTaskRouted, 1)[0].Worker)
		w.must("Reconcile", w.Service.Reconcile(w.owner.Caller, id))
		w.same("done", uint64(1), w.Quiet(id).Done)
	}},
}

var superviseChecks = []Check{
	{Name: "supervise/replaces without being asked, until the drain is over", run: func(w *world) {
		w.does(pooltest.TrapOn(7))
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 2})
		err, done := w.supervise(w.t.Context(), w.owner, id)
		for n := range uint64(3) {
			w.submit(id, 7)
			w.Until(id, "a replacement", func(s pool.PoolStats) bool { return s.Restarted == n+1 && s.Live == 2 })
		}
		w.bare("a second Supervise", pool.ErrPoolSupervised, w.Service.Supervise(w.t.Context(), w.owner.Caller, id))
		w.waits("Supervise", done)
		w.must("DrainWait", w.Service.DrainWait(w.t.Context(), id))
		w.returns("Supervise", done)
		w.must("Supervise after a drain", *err)
	}},
	{Name: "supervise/ends with its context", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{})
		ctx, cancel := context.WithCancel(w.t.Context())
		err, done := w.supervise(ctx, w.owner, id)
		w.waits("Supervise", done)
		cancel()
		w.returns("Supervise", done)
		w.bare("Supervise", context.Canceled, *err)
		err, done = w.supervise(w.t.Context(), w.owner, id) // it can be taken up again
		w.waits("Supervise", done)
		w.must("Destroy", w.Service.Destroy(id))
		w.returns("Supervise", done)
		w.wraps("Supervise", *err, pool.ErrPoolDestroyed)
	}},
	{Name: "supervise/ends with its owner", run: func(w *world) {
		creator := w.Owner(pooltest.Loop)
		id := creator.Create(pool.PoolOptions{})
		err, done := w.supervise(w.t.Context(), creator, id)
		w.waits("Supervise", done)
		w.must("Close", creator.Close())
		w.returns("Supervise", done)
		w.wraps("Supervise", *err, pool.ErrPoolDestroyed)
	}},
	{Name: "supervise/grows an elastic pool for tasks that wait", run: func(w *world) {
		gate := w.shut()
		id := w.owner.Create(pool.PoolOptions{MinWorkers: pool.NoWorkers, MaxWorkers: 3, TargetPerWorker: 1})
		w.supervise(w.t.Context(), w.owner, id)
		w.submit(id, 1, 2, 3)
		w.Until(id, "a worker for each task", func(s pool.PoolStats) bool { return s.Live == 3 })
		gate.Open()
		w.same("done", uint64(3), w.Quiet(id).Done)
	}},
}

// supervise begins to supervise. The error is there once the channel is closed.
func (w *world) supervise(ctx context.Context, owner *pooltest.Owner, id pool.PoolID) (*error, <-chan struct{}) {
	err := new(error)
	return err, w.async(func() { *err = w.Service.Supervise(ctx, owner.Caller, id) })
}
