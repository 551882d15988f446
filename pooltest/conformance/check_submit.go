package conformance

import (
	"fmt"
	"slices"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
)

var submitChecks = []Check{
	{Name: "submit/a task arrives once, whole, at the worker that was named", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 3})
		where := map[uint64]pool.WorkerID{}
		for tag := range uint64(60) {
			worker, err := w.Service.Submit(id, tag, fmt.Append(nil, "payload ", tag))
			w.must("Submit", err)
			where[tag] = worker
		}
		w.same("done", uint64(60), w.Quiet(id).Done)
		w.same("tasks taken", 60, len(w.taken(0)))
		for _, t := range w.taken(0) {
			w.same("payload", fmt.Sprint("payload ", t.task.Tag), t.payload)
			w.same("worker", where[t.task.Tag], t.worker)
			w.same("attempt", uint32(1), t.task.Attempt)
			delete(where, t.task.Tag)
		}
		w.same("tasks that nobody took", 0, len(where))
	}},
	{Name: "submit/keys and tags are handed on as they are", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{})
		_, err := w.Service.Submit(id, 10, nil)
		w.must("Submit", err)
		_, err = w.Service.SubmitKeyed(id, 5, 20, nil)
		w.must("SubmitKeyed", err)
		_, err = w.Service.SubmitFrom(w.owner.Caller, id, 30, nil)
		w.must("SubmitFrom", err)
		_, err = w.Service.SubmitTask(id, pool.Task{Tag: 40, Key: 6, Attempt: 9})
		w.must("SubmitTask", err)
		_, err = w.Service.SubmitWait(w.t.Context(), id, pool.Task{Tag: 50})
		w.must("SubmitWait", err)
		w.Quiet(id)
		var got [][3]uint64
		for _, t := range w.taken(0) {
			got = append(got, [3]uint64{t.task.Tag, t.task.Key, uint64(t.task.Attempt)})
		}
		w.same("tag, key, attempt", [][3]uint64{{10, 10, 1}, {20, 5, 1}, {30, 30, 1}, {40, 6, 1}, {50, 0, 1}}, got)
	}},
	{Name: "submit/a worker takes its tasks in the order in which they came", run: func(w *world) {
		gate := w.shut()
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 2})
		sent := map[pool.WorkerID][]uint64{}
		for tag := range uint64(40) {
			worker, err := w.Service.Submit(id, tag, nil)
			w.must("Submit", err)
			sent[worker] = append(sent[worker], tag)
		}
		gate.Open()
		w.Quiet(id)
		for worker, tags := range sent {
			w.same("order", tags, w.tags(worker))
		}
	}},
	{Name: "submit/the submitter's bytes are its own again", run: func(w *world) {
		gate := w.shut()
		id := w.owner.Create(pool.PoolOptions{})
		payload := []byte("original")
		for tag := range uint64(3) {
			_, err := w.Service.Submit(id, tag, payload)
			w.must("Submit", err)
		}
		copy(payload, "scribble")
		gate.Open()
		w.Quiet(id)
		for _, t := range w.taken(0) {
			w.same("payload", "original", t.payload)
		}
	}},
	{Name: "submit/a payload over the limit is refused in every way", broadcasts: true, run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{Worker: pool.WorkerOptions{MaxPayloadBytes: 8}})
		answers := w.submits(id, make([]byte, 9))
		for verb, err := range answers {
			w.bare(verb, pool.ErrPayloadTooLarge, err)
		}
		s := w.Stats(id)
		w.same("submitted, rejected, routed", [3]uint64{7, 7, 0}, [3]uint64{s.Submitted, s.Rejected, s.Routed})
		for _, e := range w.reported(pool.PoolTaskRejected, 7) {
			w.same("reason", pool.ReasonTooLarge, e.Reason)
			w.wraps("the event's error", e.Err, pool.ErrPayloadTooLarge)
		}
		for verb, err := range w.submits(id, make([]byte, 8)) {
			w.must(verb, err)
		}
	}},
	{Name: "submit/without a live worker nobody takes it", broadcasts: true, run: func(w *world) {
		id, err := w.Service.Create(w.owner.Caller, pooltest.EntryReturns, pool.PoolOptions{Restart: pool.RestartNever})
		w.must("Create", err)
		w.exited(id, 1)
		_, err = w.Service.Submit(id, 1, nil)
		w.bare("Submit", pool.ErrPoolEmpty, err)
		_, err = w.Service.Broadcast(id, 1, nil)
		w.bare("Broadcast", pool.ErrPoolEmpty, err)
		s := w.Stats(id)
		w.same("live, submitted, rejected", [3]uint64{0, 2, 2}, [3]uint64{uint64(s.Live), s.Submitted, s.Rejected})
		for _, e := range w.reported(pool.PoolTaskRejected, 2) {
			w.same("reason", pool.ReasonEmpty, e.Reason)
		}
	}},
	{Name: "submit/the owner's SubmitFrom reconciles first", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{})
		w.does(pooltest.TrapOn(7))
		w.submit(id, 7)
		w.exited(id, 1)
		_, err := w.Service.Submit(id, 1, nil)
		w.bare("Submit", pool.ErrPoolEmpty, err)
		_, err = w.Service.SubmitFrom(w.owner.Caller, id, 2, nil)
		w.must("SubmitFrom", err)
		w.same("done", uint64(1), w.Quiet(id).Done)
	}},
}

var routingChecks = []Check{
	{Name: "routing/round robin goes in turn", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 3})
		var order []pool.WorkerID
		for tag := range uint64(9) {
			worker, err := w.Service.Submit(id, tag, nil)
			w.must("Submit", err)
			order = append(order, worker)
		}
		w.same("second round", order[:3], order[3:6])
		w.same("third round", order[:3], order[6:])
		w.same("different workers", 3, len(slices.Compact(slices.Sorted(slices.Values(order)))))
	}},
	{Name: "routing/the least loaded gets the next task", run: func(w *world) {
		gate := w.shut()
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 3, Strategy: pool.LeastLoaded})
		seen := map[pool.WorkerID]int{}
		var last pool.WorkerID
		for tag := range uint64(6) {
			worker, err := w.Service.Submit(id, tag, nil)
			w.must("Submit", err)
			seen[worker]++
			last = worker
		}
		for worker, n := range seen {
			w.same(fmt.Sprint("tasks of worker ", worker), 2, n)
		}
		w.running(id, 3)
		gate.OpenFor(w.tags(last)...) // it takes its second task: one is in hand, none in its mailbox
		w.Until(id, "a task done", func(s pool.PoolStats) bool { return s.Done == 1 && s.Running == 3 })
		worker, err := w.Service.Submit(id, 9, nil)
		w.must("Submit", err)
		w.same("the one that has less to do", last, worker)
	}},
	{Name: "routing/a crash moves no key", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 4, Strategy: pool.ConsistentHash})
		home := func(key uint64) pool.WorkerID {
			worker, err := w.Service.SubmitKeyed(id, key, 1, nil)
			w.must("SubmitKeyed", err)
			return worker
		}
		before := map[uint64]pool.WorkerID{}
		for key := range uint64(64) {
			before[key] = home(key)
			w.same("the same key again", before[key], home(key))
		}
		w.Quiet(id)
		w.does(pooltest.TrapOn(7))
		_, err := w.Service.SubmitKeyed(id, 0, 7, nil)
		w.must("SubmitKeyed", err)
		w.exited(id, 1)
		w.must("Reconcile", w.Service.Reconcile(w.owner.Caller, id))
		next := home(0)
		w.same("another worker", false, next == before[0])
		for key, worker := range before {
			if worker == before[0] {
				worker = next
			}
			w.same(fmt.Sprint("home of key ", key), worker, home(key))
		}
	}},
	{Name: "routing/a worker that has ended is sent nothing", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{MinWorkers: 3})
		w.does(pooltest.TrapOn(7))
		dead, err := w.Service.Submit(id, 7, nil)
		w.must("Submit", err)
		w.exited(id, 1)
		for tag := range uint64(6) {
			worker, err := w.Service.Submit(id, 100+tag, nil)
			w.must("Submit", err)
			w.same("the dead worker", false, worker == dead)
		}
	}},
}
