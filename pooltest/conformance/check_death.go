package conformance

import (
	"errors"
	"slices"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

var deathChecks = []Check{
	{Name: "death/what lay in the mailbox goes to the others, once and in order", run: func(w *world) {
		gate := pooltest.NewGate()
		w.does(func(worker *pooltest.Worker, task pool.Task) pooltest.Act {
			switch {
			case !gate.Pass(worker, task):
				return pooltest.Return
			case task.Tag == 7:
				return pooltest.Trap
			}
			return pooltest.GoOn
		})
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 2})
		w.submit(id, 7, 1, 2, 3, 4, 5, 6) // 2, 4 and 6 behind the 7
		w.running(id, 2)
		dead := w.taken(0)[slices.Index(w.tags(0), 7)].worker
		gate.OpenFor(7)
		s := w.exited(id, 1)
		w.same("failed, redelivered", [2]uint64{1, 3}, [2]uint64{s.FailedTasks, s.Redelivered})
		gate.Open()
		w.same("done", uint64(6), w.Quiet(id).Done)
		w.same("taken by the dead one", []uint64{7}, w.tags(dead))
		all := slices.DeleteFunc(w.tags(0), func(tag uint64) bool { return tag == 7 })
		even := slices.DeleteFunc(slices.Clone(all), func(tag uint64) bool { return tag%2 == 1 })
		w.same("tasks taken by the other", 6, len(all))
		w.same("order of those that were its mailbox", []uint64{2, 4, 6}, even)
		for _, e := range w.reported(pool.PoolTaskRedelivered, 3) {
			w.same("to another worker", false, e.Worker == dead || e.Worker == 0)
		}
		failed := w.reported(pool.PoolTaskFailed, 1)[0]
		w.same("worker of the failed", dead, failed.Worker)
		w.same("its tag, key, attempt", [3]uint64{7, 7, 1}, [3]uint64{failed.Tag, failed.Key, uint64(failed.Attempt)})
		w.same("reason", pool.ReasonWorkerExited, failed.Reason)
	}},
	{Name: "death/the last exit says who, how and why", run: func(w *world) {
		w.does(pooltest.On(pooltest.Return, 1))
		id := w.owner.Create(pool.PoolOptions{})
		w.same("before", pool.WorkerExit{}, w.Stats(id).LastExit)
		worker := w.Stats(id).Workers[0].ID
		w.submit(id, 1)
		s := w.exited(id, 1)
		w.same("worker", worker, s.LastExit.Worker)
		w.same("kind", workers.WorkerReturned, s.LastExit.Kind)
		w.must("the exit's error", s.LastExit.Err)
		w.same("failed", uint64(0), s.Failed)
		w.must("Destroy", w.Service.Destroy(id))
		w.does(pooltest.TrapOn(1))
		id = w.owner.Create(pool.PoolOptions{})
		w.submit(id, 1)
		s = w.exited(id, 1)
		w.same("kind", workers.WorkerFailed, s.LastExit.Kind)
		var trap *wago.TrapError
		w.same("a trap", true, errors.As(s.LastExit.Err, &trap))
		w.same("failed", uint64(1), s.Failed)
		removed := w.reported(pool.PoolWorkerRemoved, 2)[1]
		w.same("the event's worker", s.LastExit.Worker, removed.Worker)
		w.same("the event's kind", workers.WorkerFailed, removed.ExitKind)
		w.same("the event's error", true, errors.As(removed.Err, &trap))
	}},
	{Name: "death/a task is delivered again as often as it may be", run: func(w *world) {
		w.does(pooltest.TrapOn(7))
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 2, Retries: 2})
		w.owner.Supervise(id)
		_, err := w.Service.Call(w.t.Context(), id, pool.Task{Tag: 7})
		w.wraps("Call", err, pool.ErrTaskFailed)
		w.same("attempts", uint32(3), w.taskError(err).Attempt)
		var attempts []uint32
		for _, t := range w.taken(0) {
			attempts = append(attempts, t.task.Attempt)
		}
		w.same("attempts seen", []uint32{1, 2, 3}, attempts)
		s := w.Quiet(id)
		w.same("routed, failed, retried", [3]uint64{1, 1, 2}, [3]uint64{s.Routed, s.FailedTasks, s.Retried})
		w.reported(pool.PoolTaskRetried, 2)
		w.reported(pool.PoolTaskFailed, 1)
	}},
	{Name: "death/tasks of the last worker wait for its replacement", run: func(w *world) {
		gate := pooltest.NewGate()
		w.does(func(worker *pooltest.Worker, task pool.Task) pooltest.Act {
			if task.Tag == 7 && gate.Pass(worker, task) {
				return pooltest.Trap
			}
			return pooltest.GoOn
		})
		id := w.owner.Create(pool.PoolOptions{})
		w.submit(id, 7, 1, 2)
		w.running(id, 1)
		gate.Open()
		s := w.exited(id, 1)
		w.same("parked, queued", [2]uint64{2, 2}, [2]uint64{s.Parked, s.Queued})
		w.must("Reconcile", w.Service.Reconcile(w.owner.Caller, id))
		w.same("done", uint64(2), w.Quiet(id).Done)
		w.same("taken", []uint64{7, 1, 2}, w.tags(0))
	}},
}
