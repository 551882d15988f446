package conformance

import (
	"context"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
	"github.com/wago-org/workers"
)

var drainChecks = []Check{
	{Name: "drain/finishes what there is and takes no more", broadcasts: true, run: func(w *world) {
		gate := w.shut()
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 2})
		w.submit(id, 1, 2, 3, 4, 5)
		w.running(id, 2)
		w.must("Drain", w.Service.Drain(id))
		w.must("Drain again", w.Service.Drain(id))
		w.reported(pool.PoolDraining, 1)
		for verb, err := range w.submits(id, nil) {
			w.bare(verb, pool.ErrPoolDraining, err)
		}
		w.bare("Scale", pool.ErrPoolDraining, w.Service.Scale(w.owner.Caller, id, 4))
		w.bare("Rearm", pool.ErrPoolDraining, w.Service.Rearm(id))
		w.must("Reconcile", w.Service.Reconcile(w.owner.Caller, id))
		s := w.Stats(id)
		w.same("draining, submitted, running", [3]any{true, uint64(5), uint64(2)}, [3]any{s.Draining, s.Submitted, s.Running})
		over := w.async(func() {
			if err := w.Service.DrainWait(w.t.Context(), id); err != nil {
				w.t.Errorf("DrainWait: %v", err)
			}
		})
		w.waits("DrainWait", over)
		w.same("events", 0, len(w.of(pool.PoolDrained)))
		gate.Open()
		w.returns("DrainWait", over)
		s = w.Stats(id)
		w.same("live, done, dropped", [3]uint64{0, 5, 0}, [3]uint64{uint64(s.Live), s.Done, s.Dropped})
		w.same("tasks dropped", uint64(0), w.reported(pool.PoolDrained, 1)[0].Count)
		w.same("List", []pool.PoolID{id}, w.Service.List())
		for _, e := range w.reported(pool.PoolWorkerRemoved, 2) {
			w.same("how it went", workers.WorkerReturned, e.ExitKind)
		}
	}},
	{Name: "drain/an ended context leaves it draining", run: func(w *world) {
		id, gate := w.full(pool.PoolOptions{})
		ctx, cancel := context.WithTimeout(w.t.Context(), time.Second)
		defer cancel()
		err := w.Service.DrainWait(ctx, id)
		w.wraps("DrainWait", err, pool.ErrPoolNotDrained, context.DeadlineExceeded)
		w.same("draining", true, w.Stats(id).Draining)
		gate.Open()
		w.must("DrainWait", w.Service.DrainWait(w.t.Context(), id))
		w.same("done", uint64(2), w.Stats(id).Done)
	}},
	{Name: "drain/what the last worker leaves is dropped, and said so", run: func(w *world) {
		gate := pooltest.NewGate()
		w.does(func(worker *pooltest.Worker, task pool.Task) pooltest.Act {
			gate.Pass(worker, task)
			return pooltest.Trap
		})
		id := w.owner.Create(pool.PoolOptions{})
		w.submit(id, 1, 2, 3)
		w.running(id, 1)
		w.must("Drain", w.Service.Drain(id))
		gate.Open()
		w.wraps("DrainWait", w.Service.DrainWait(w.t.Context(), id), pool.ErrTasksDropped)
		s := w.Stats(id)
		w.same("failed, dropped, queued", [3]uint64{1, 2, 0}, [3]uint64{s.FailedTasks, s.Dropped, s.Queued})
		w.same("tasks dropped", uint64(2), w.reported(pool.PoolDrained, 1)[0].Count)
		dropped := w.reported(pool.PoolTaskDropped, 1)[0]
		w.same("count", uint64(2), dropped.Count)
		w.same("reason", pool.ReasonDrained, dropped.Reason)
	}},
	{Name: "drain/the end of the pool ends it", run: func(w *world) {
		id, _ := w.full(pool.PoolOptions{})
		var err error
		over := w.async(func() { err = w.Service.DrainWait(w.t.Context(), id) })
		w.waits("DrainWait", over)
		w.must("Destroy", w.Service.Destroy(id))
		w.returns("DrainWait", over)
		w.wraps("DrainWait", err, pool.ErrPoolDestroyed)
	}},
}

var destroyChecks = []Check{
	{Name: "destroy/returns when the workers have gone", run: func(w *world) {
		w.does(func(worker *pooltest.Worker, _ pool.Task) pooltest.Act {
			<-worker.Context.Done()
			w.pass(500 * time.Millisecond) // within its grace
			return pooltest.Return
		})
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 2})
		w.submit(id, 1, 2)
		w.running(id, 2)
		w.must("Destroy", w.Service.Destroy(id))
		opened, closed := w.Runtime.Instances()
		w.same("instances beside the owner", uint64(1), opened-closed)
	}},
	{Name: "destroy/drops what is queued, fails what is in hand, and counts both", run: func(w *world) {
		w.shut()
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 2})
		w.submit(id, 1, 2, 3, 4, 5)
		w.running(id, 2)
		w.must("Destroy", w.Service.Destroy(id))
		w.bare("Destroy again", pool.ErrPoolNotFound, w.Service.Destroy(id))
		_, err := w.Service.Stats(id)
		w.bare("Stats", pool.ErrPoolNotFound, err)
		w.same("List", 0, len(w.Service.List()))
		final := w.reported(pool.PoolDestroyed, 1)[0].Final
		w.CheckLedger(*final)
		w.same("routed, failed, dropped, exited", [4]uint64{5, 2, 3, 2},
			[4]uint64{final.Routed, final.FailedTasks, final.Dropped, final.Exited})
		dropped := w.reported(pool.PoolTaskDropped, 1)[0]
		w.same("count", uint64(3), dropped.Count)
		w.same("reason", pool.ReasonDestroyed, dropped.Reason)
		for _, e := range w.reported(pool.PoolWorkerRemoved, 2) {
			w.same("how it went", workers.WorkerKilled, e.ExitKind)
			w.wraps("why it went", e.Err, pool.ErrPoolDestroyed)
		}
	}},
	{Name: "destroy/gives up on a worker inside a host function, which is gone for callers", run: func(w *world) {
		leave := make(chan struct{})
		w.does(func(*pooltest.Worker, pool.Task) pooltest.Act {
			select {
			case <-leave:
			case <-w.over:
			}
			return pooltest.Return
		})
		id := w.owner.Create(pool.PoolOptions{})
		w.submit(id, 1)
		w.running(id, 1)
		began := time.Now()
		w.wraps("Destroy", w.Service.Destroy(id), pool.ErrPoolWorkersRemain)
		w.same("at most two seconds", true, time.Since(began) <= 2*time.Second)
		w.same("List", 0, len(w.Service.List()))
		w.same("events", 0, len(w.of(pool.PoolDestroyed)))
		close(leave)
		w.same("exited", uint64(1), w.reported(pool.PoolDestroyed, 1)[0].Final.Exited)
	}},
	{Name: "destroy/stops a guest that spins", Real: true, run: func(w *world) {
		w.does(pooltest.On(pooltest.Spin, 7))
		id := w.owner.Create(pool.PoolOptions{})
		w.submit(id, 7)
		w.running(id, 1)
		w.must("Destroy", w.Service.Destroy(id))
		w.same("failed", uint64(1), w.reported(pool.PoolDestroyed, 1)[0].Final.FailedTasks)
	}},
}
