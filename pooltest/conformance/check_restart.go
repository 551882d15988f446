package conformance

import (
	"context"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
	"github.com/wago-org/workers"
)

var restartChecks = []Check{
	{Name: "restart/the policy and the end decide about a replacement", run: func(w *world) {
		for policy, replaces := range map[pool.RestartPolicy][2]bool{
			pool.RestartOnFailure: {false, true}, pool.RestartAlways: {true, true}, pool.RestartNever: {false, false},
		} {
			for i, act := range []pooltest.Act{pooltest.Return, pooltest.Trap} {
				w.does(pooltest.On(act, 7))
				id := w.owner.Create(pool.PoolOptions{MinWorkers: 2, Restart: policy})
				w.submit(id, 7)
				w.exited(id, 1)
				w.must("Reconcile", w.Service.Reconcile(w.owner.Caller, id))
				s, want := w.Stats(id), [2]uint64{1, 0}
				if replaces[i] {
					want = [2]uint64{2, 1}
				}
				w.same(policy.String()+": live, restarted", want, [2]uint64{uint64(s.Live), s.Restarted})
				w.must("Destroy", w.Service.Destroy(id))
			}
		}
	}},
	{Name: "restart/one failure too many halts the pool until Rearm", run: func(w *world) {
		w.does(pooltest.TrapOn(7))
		id := w.owner.Create(pool.PoolOptions{MaxRestarts: 2})
		fail := func(n uint64) pool.PoolStats {
			w.submit(id, 7)
			s := w.exited(id, n)
			w.must("Reconcile", w.Service.Reconcile(w.owner.Caller, id))
			return s
		}
		for n := range uint64(2) {
			w.same("halted", false, fail(n+1).Halted)
		}
		s := fail(3)
		w.same("halted", true, s.Halted)
		w.same("live, restarted", [2]uint64{0, 2}, [2]uint64{uint64(w.Stats(id).Live), s.Restarted})
		_, err := w.Service.Submit(id, 1, nil)
		w.bare("Submit", pool.ErrPoolEmpty, err)
		_, err = w.Service.SubmitWait(w.t.Context(), id, pool.Task{})
		w.wraps("SubmitWait", err, pool.ErrPoolHalted)
		w.reported(pool.PoolHalted, 1)

		w.must("Rearm", w.Service.Rearm(id))
		w.reported(pool.PoolRearmed, 1)
		w.same("halted", false, w.Stats(id).Halted)
		w.must("Reconcile", w.Service.Reconcile(w.owner.Caller, id))
		w.submit(id, 1)
		w.same("done", uint64(1), w.Quiet(id).Done)
	}},
	{Name: "restart/a failure is forgotten after its window", run: func(w *world) {
		w.does(pooltest.TrapOn(7))
		id := w.owner.Create(pool.PoolOptions{MaxRestarts: 1, RestartWindow: time.Minute})
		for n := range uint64(3) {
			w.submit(id, 7)
			w.same("halted", false, w.exited(id, n+1).Halted)
			w.must("Reconcile", w.Service.Reconcile(w.owner.Caller, id))
			w.pass(time.Minute + time.Second)
		}
		w.submit(id, 7)
		w.exited(id, 4)
		w.must("Reconcile", w.Service.Reconcile(w.owner.Caller, id))
		w.submit(id, 7)
		w.same("halted by two in one window", true, w.exited(id, 5).Halted)
	}},
	{Name: "restart/rearming what isn't halted is fine", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{})
		w.must("Rearm", w.Service.Rearm(id))
		w.same("events", 0, len(w.of(pool.PoolRearmed)))
	}},
	{Name: "restart/sizing spends nothing", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{MaxWorkers: 4, MaxRestarts: 1})
		for range 3 {
			w.must("Scale", w.Service.Scale(w.owner.Caller, id, 4))
			w.must("Scale", w.Service.Scale(w.owner.Caller, id, 1))
			w.Until(id, "one worker", func(s pool.PoolStats) bool { return s.Live == 1 && len(s.Workers) == 1 })
		}
		s := w.exited(id, 9)
		w.same("restarted, failed, halted", [3]any{uint64(0), uint64(0), false}, [3]any{s.Restarted, s.Failed, s.Halted})
	}},
	{Name: "restart/workers that return at once can't be forked in a hot loop", run: func(w *world) {
		id, err := w.Service.Create(w.owner.Caller, pooltest.EntryReturns, pool.PoolOptions{
			Restart: pool.RestartAlways, MaxRestarts: pool.UnlimitedRestarts,
		})
		w.must("Create", err)
		w.owner.Supervise(id)
		s := w.Until(id, "a halt", func(s pool.PoolStats) bool { return s.Halted })
		w.same("a few workers", true, s.Exited <= 10*uint64(pool.DefaultMaxRestarts))
	}},
	{Name: "restart/a task that takes too long fails, and its worker is replaced", run: func(w *world) {
		stuck := make(chan error, 1)
		w.does(func(worker *pooltest.Worker, task pool.Task) pooltest.Act {
			if task.Tag == 7 {
				<-worker.Context.Done()
				stuck <- worker.Service.Complete(worker.Caller, nil)
			}
			return pooltest.GoOn
		})
		id := w.owner.Create(pool.PoolOptions{TaskTimeout: time.Second})
		w.owner.Supervise(id)
		began := time.Now()
		_, err := w.Service.Call(w.t.Context(), id, pool.Task{Tag: 7})
		w.wraps("Call", err, pool.ErrTaskTimeout)
		had := time.Since(began)
		w.same("its time, not less and not much more", true, time.Second <= had && had < 2*time.Second)
		w.same("kind", error(pool.ErrTaskTimeout), w.taskError(err).Kind)
		w.bare("Complete after the verdict", pool.ErrNoTask, receive(w, stuck))
		_, err = w.Service.Call(w.t.Context(), id, pool.Task{Tag: 1})
		w.must("the next Call", err)
		s := w.Quiet(id)
		w.same("done, failed, restarted", [3]uint64{1, 1, 1}, [3]uint64{s.Done, s.FailedTasks, s.Restarted})
		w.same("reason", pool.ReasonTimeout, w.reported(pool.PoolTaskFailed, 1)[0].Reason)
	}},
	{Name: "restart/a guest that spins is stopped when its time is over", Real: true, run: func(w *world) {
		w.does(pooltest.On(pooltest.Spin, 7))
		id := w.owner.Create(pool.PoolOptions{TaskTimeout: 20 * time.Millisecond})
		w.owner.Supervise(id)
		_, err := w.Service.Call(context.Background(), id, pool.Task{Tag: 7})
		w.wraps("Call", err, pool.ErrTaskTimeout)
		s := w.exited(id, 1)
		w.same("kind", workers.WorkerKilled, s.LastExit.Kind)
		_, err = w.Service.Call(context.Background(), id, pool.Task{Tag: 1})
		w.must("the next Call", err)
	}},
}

// pass lets a bubble's clock move on.
func (w *world) pass(d time.Duration) {
	timer := time.NewTimer(d)
	<-timer.C
}
