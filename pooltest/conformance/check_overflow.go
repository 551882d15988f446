package conformance

import (
	"github.com/JairusSW/pool"
)

var overflowChecks = []Check{
	{Name: "overflow/spill tries every other worker", run: func(w *world) {
		gate := w.shut()
		id := w.owner.Create(pool.PoolOptions{
			MinWorkers: 3, Strategy: pool.ConsistentHash, Worker: pool.WorkerOptions{QueueCapacity: 1},
		})
		for n := range uint64(3) {
			w.submit(id, 1)
			w.running(id, n+1) // the home of the key, then those that it spills to
			w.submit(id, 1)
		}
		_, err := w.Service.Submit(id, 1, nil)
		w.bare("Submit when all are full", pool.ErrPoolBackpressure, err)
		s := w.Stats(id)
		w.same("submitted, routed, rejected", [3]uint64{7, 6, 1}, [3]uint64{s.Submitted, s.Routed, s.Rejected})
		w.same("reason", pool.ReasonFull, w.reported(pool.PoolTaskRejected, 1)[0].Reason)
		gate.Open()
		w.same("done", uint64(6), w.Quiet(id).Done)
	}},
	{Name: "overflow/reject asks only the worker that was chosen", run: func(w *world) {
		gate := w.shut()
		id := w.owner.Create(pool.PoolOptions{
			MinWorkers: 3, Strategy: pool.ConsistentHash, Overflow: pool.OverflowReject, Worker: pool.WorkerOptions{QueueCapacity: 1},
		})
		w.submit(id, 1)
		w.running(id, 1)
		w.submit(id, 1)
		_, err := w.Service.Submit(id, 1, nil)
		w.bare("Submit", pool.ErrPoolBackpressure, err)
		gate.Open()
		s := w.Quiet(id)
		w.same("done, rejected", [2]uint64{2, 1}, [2]uint64{s.Done, s.Rejected})
	}},
	{Name: "overflow/shed drops the new task, and its caller hears nothing", run: func(w *world) {
		id, gate := w.full(pool.PoolOptions{Overflow: pool.OverflowShed})
		worker, err := w.Service.SubmitKeyed(id, 5, 3, nil)
		w.must("SubmitKeyed", err)
		w.same("worker", pool.WorkerID(0), worker)
		shed := w.reported(pool.PoolTaskShed, 1)[0]
		w.same("tag and key", [2]uint64{3, 5}, [2]uint64{shed.Tag, shed.Key})
		gate.Open()
		s := w.Quiet(id)
		w.same("submitted, routed, shed, rejected", [4]uint64{3, 2, 1, 0}, [4]uint64{s.Submitted, s.Routed, s.Shed, s.Rejected})
		w.same("taken", []uint64{1, 2}, w.tags(0))
	}},
}

var broadcastChecks = []Check{
	{Name: "broadcast/reaches every worker, and is one call", broadcasts: true, run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 3})
		n, err := w.Service.Broadcast(id, 7, []byte("all"))
		w.must("Broadcast", err)
		w.same("workers that took it", 3, n)
		s := w.Quiet(id)
		w.same("submitted, routed, done", [3]uint64{1, 3, 3}, [3]uint64{s.Submitted, s.Routed, s.Done})
		for _, worker := range s.Workers {
			w.same("taken by each", []uint64{7}, w.tags(worker.ID))
		}
	}},
	{Name: "broadcast/names whom it missed", broadcasts: true, run: func(w *world) {
		gate := w.shut()
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 2, Worker: pool.WorkerOptions{QueueCapacity: 1}})
		full, err := w.Service.Submit(id, 1, nil)
		w.must("Submit", err)
		w.running(id, 1)
		w.submit(id, 2, 3) // one of them to the one that has a task in hand
		w.running(id, 2)
		n, err := w.Service.Broadcast(id, 9, nil)
		w.must("Broadcast", err)
		w.same("workers that took it", 1, n)
		w.same("worker that was missed", full, w.reported(pool.PoolTaskRejected, 1)[0].Worker)
		w.same("rejected", uint64(1), w.Stats(id).Rejected)
		gate.Open()
		w.Quiet(id)
	}},
	{Name: "broadcast/as a strategy, it is refused when nobody takes it", broadcasts: true, run: func(w *world) {
		gate := w.shut()
		id := w.owner.Create(pool.PoolOptions{
			MinWorkers: 2, Strategy: pool.Broadcast, Worker: pool.WorkerOptions{QueueCapacity: 1},
		})
		w.submit(id, 1)
		w.running(id, 2)
		w.submit(id, 2)
		_, err := w.Service.Submit(id, 3, nil)
		w.bare("Submit", pool.ErrPoolBackpressure, err)
		gate.Open()
		w.same("done", uint64(4), w.Quiet(id).Done)
	}},
	{Name: "broadcast/has no single result for Call", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{Strategy: pool.Broadcast})
		_, err := w.Service.Call(w.t.Context(), id, pool.Task{})
		w.wraps("Call", err, pool.ErrInvalidPoolOptions)
		w.same("submitted", uint64(0), w.Stats(id).Submitted)
	}},
	{Name: "broadcast/a leg belongs to its worker", broadcasts: true, run: func(w *world) {
		gate := w.shut()
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 2, Retries: 3})
		for range 2 {
			_, err := w.Service.Broadcast(id, 1, nil)
			w.must("Broadcast", err)
		}
		s := w.running(id, 2)
		w.must("Kill", w.Workers.Kill(s.Workers[0].ID))
		s = w.exited(id, 1)
		w.same("dropped, redelivered", [2]uint64{1, 0}, [2]uint64{s.Dropped, s.Redelivered})
		gate.Open()
		w.same("legs of the other", uint64(2), w.Quiet(id).Done)
	}},
}
