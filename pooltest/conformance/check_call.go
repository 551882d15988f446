package conformance

import (
	"context"
	"errors"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
	"github.com/wago-org/wago"
)

const errGuest pool.Error = "conformance: the guest is not amused"

var callChecks = []Check{
	{Name: "call/returns a copy of what the guest completes with", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{})
		w.does(func(worker *pooltest.Worker, task pool.Task) pooltest.Act {
			reply := append([]byte("re: "), task.Payload...)
			if err := worker.Service.Complete(worker.Caller, reply); err != nil {
				w.t.Errorf("Complete: %v", err)
			}
			clear(reply)
			return pooltest.GoOn
		})
		result, err := w.Service.Call(w.t.Context(), id, pool.Task{Payload: []byte("hello")})
		w.must("Call", err)
		w.same("result", "re: hello", string(result))
	}},
	{Name: "call/without a result there is none", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{})
		result, err := w.Service.Call(w.t.Context(), id, pool.Task{})
		w.must("Call", err)
		w.same("result", []byte(nil), result)
	}},
	{Name: "call/a failure names the task and its cause", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{Retries: 3})
		w.does(func(worker *pooltest.Worker, _ pool.Task) pooltest.Act {
			if err := worker.Service.Fail(worker.Caller, errGuest); err != nil {
				w.t.Errorf("Fail: %v", err)
			}
			return pooltest.GoOn
		})
		_, err := w.Service.Call(w.t.Context(), id, pool.Task{Tag: 42})
		w.wraps("Call", err, pool.ErrTaskFailed, errGuest)
		ended := w.taskError(err)
		w.same("tag, attempt", [2]uint64{42, 1}, [2]uint64{ended.Tag, uint64(ended.Attempt)})
		w.same("worker", w.Stats(id).Workers[0].ID, ended.Worker)
		w.same("pending", false, ended.Pending)
		w.same("kind", error(pool.ErrTaskFailed), ended.Kind)
		s := w.Quiet(id)
		w.same("failed, retried, exited", [3]uint64{1, 0, 0}, [3]uint64{s.FailedTasks, s.Retried, s.Exited})
	}},
	{Name: "call/the end of its worker is the cause", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{})
		w.does(pooltest.TrapOn(7))
		_, err := w.Service.Call(w.t.Context(), id, pool.Task{Tag: 7})
		w.wraps("Call", err, pool.ErrTaskFailed)
		var trap *wago.TrapError
		w.same("there is a trap in it", true, errors.As(err, &trap))
		w.same("attempt", uint32(1), w.taskError(err).Attempt)
	}},
	{Name: "call/an ended context ends the wait, not the task", run: func(w *world) {
		gate := w.shut()
		id := w.owner.Create(pool.PoolOptions{})
		ctx, cancel := context.WithCancel(w.t.Context())
		answer := w.call(ctx, id, pool.Task{Tag: 1})
		w.running(id, 1)
		cancel()
		_, err := answer()
		w.wraps("Call", err, context.Canceled)
		w.same("pending", true, w.taskError(err).Pending)
		w.same("running", uint64(1), w.Stats(id).Running)
		gate.Open()
		w.same("done", uint64(1), w.Quiet(id).Done)
	}},
	{Name: "call/the end of the pool says what became of the task", run: func(w *world) {
		id, _ := w.full(pool.PoolOptions{Worker: pool.WorkerOptions{QueueCapacity: 2}})
		w.must("Destroy", w.Service.Destroy(id))
		w.shut()
		id = w.owner.Create(pool.PoolOptions{})
		inHand := w.call(w.t.Context(), id, pool.Task{Tag: 1})
		queued := w.call(w.t.Context(), id, pool.Task{Tag: 2})
		w.running(id, 1)
		w.must("Destroy", w.Service.Destroy(id))
		for attempts, answer := range []func() ([]byte, error){1: inHand, 0: queued} {
			_, err := answer()
			w.wraps("Call", err, pool.ErrPoolDestroyed)
			ended := w.taskError(err)
			w.same("attempts", attempts, int(ended.Attempt))
			w.same("pending", false, ended.Pending)
		}
	}},
	{Name: "call/a bare error means that nothing was submitted", run: func(w *world) {
		id, gate := w.full(pool.PoolOptions{})
		answer := w.call(w.t.Context(), id, pool.Task{Tag: 3})
		w.must("Drain", w.Service.Drain(id))
		_, err := answer()
		w.bare("Call that waited", pool.ErrPoolDraining, err)
		_, err = w.Service.Call(w.t.Context(), id, pool.Task{Tag: 4})
		w.bare("Call", pool.ErrPoolDraining, err)
		gate.Open()
		w.must("DrainWait", w.Service.DrainWait(w.t.Context(), id))
		w.same("routed", uint64(2), w.Stats(id).Routed)
	}},
}
