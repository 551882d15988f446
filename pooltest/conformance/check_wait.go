package conformance

import (
	"context"
	"testing/synctest"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
)

var waitChecks = []Check{
	{Name: "wait/lets in by order of arrival", run: func(w *world) {
		id, gate := w.full(pool.PoolOptions{})
		var waiting []<-chan struct{}
		for tag := uint64(10); tag < 14; tag++ {
			done := w.submitWait(w.t.Context(), id, tag, nil)
			w.waits("SubmitWait", done)
			waiting = append(waiting, done)
		}
		_, err := w.Service.Submit(id, 99, nil)
		w.bare("Submit", pool.ErrPoolBackpressure, err)
		gate.Open()
		for _, done := range waiting {
			w.returns("SubmitWait", done)
		}
		w.Quiet(id)
		w.same("taken", []uint64{1, 2, 10, 11, 12, 13}, w.tags(0))
	}},
	{Name: "wait/never sheds, whatever the policy", run: func(w *world) {
		for _, policy := range []pool.OverflowPolicy{pool.OverflowReject, pool.OverflowShed} {
			id, gate := w.full(pool.PoolOptions{Overflow: policy})
			done := w.submitWait(w.t.Context(), id, 3, nil)
			w.waits("SubmitWait", done)
			gate.Open()
			w.returns("SubmitWait", done)
			s := w.Quiet(id)
			w.same("done, shed, rejected", [3]uint64{3, 0, 0}, [3]uint64{s.Done, s.Shed, s.Rejected})
		}
	}},
	{Name: "wait/an ended context leaves no task behind", run: func(w *world) {
		id, gate := w.full(pool.PoolOptions{})
		ctx, cancel := context.WithCancel(w.t.Context())
		done := w.submitWait(ctx, id, 3, context.Canceled)
		w.waits("SubmitWait", done)
		cancel()
		w.returns("SubmitWait", done)
		gate.Open()
		s := w.Quiet(id)
		w.same("submitted, routed, rejected", [3]uint64{3, 2, 1}, [3]uint64{s.Submitted, s.Routed, s.Rejected})
		w.same("taken", []uint64{1, 2}, w.tags(0))
		w.same("reason", pool.ReasonWaitEnded, w.reported(pool.PoolTaskRejected, 1)[0].Reason)
	}},
	{Name: "wait/a context that has ended submits nothing", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{})
		_, err := w.Service.SubmitWait(w.ended(), id, pool.Task{})
		w.bare("SubmitWait", context.Canceled, err)
		_, err = w.Service.Call(w.ended(), id, pool.Task{})
		w.bare("Call", context.Canceled, err)
		s := w.Quiet(id)
		w.same("routed, rejected", [2]uint64{0, 2}, [2]uint64{s.Routed, s.Rejected})
	}},
	{Name: "wait/a drain ends it", run: func(w *world) {
		id, gate := w.full(pool.PoolOptions{})
		done := w.submitWait(w.t.Context(), id, 3, pool.ErrPoolDraining)
		w.waits("SubmitWait", done)
		w.must("Drain", w.Service.Drain(id))
		w.returns("SubmitWait", done)
		gate.Open()
		w.must("DrainWait", w.Service.DrainWait(w.t.Context(), id))
		w.same("taken", []uint64{1, 2}, w.tags(0))
	}},
	{Name: "wait/the end of the pool ends it", run: func(w *world) {
		id, _ := w.full(pool.PoolOptions{})
		var err error
		done := w.async(func() { _, err = w.Service.SubmitWait(w.t.Context(), id, pool.Task{Tag: 3}) })
		w.waits("SubmitWait", done)
		w.must("Destroy", w.Service.Destroy(id))
		w.returns("SubmitWait", done)
		w.wraps("SubmitWait", err, pool.ErrPoolDestroyed)
	}},
	{Name: "wait/waits for a worker, too", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{})
		w.does(pooltest.TrapOn(7))
		w.submit(id, 7)
		w.exited(id, 1)
		done := w.submitWait(w.t.Context(), id, 1, nil)
		w.waits("SubmitWait", done)
		w.must("Reconcile", w.Service.Reconcile(w.owner.Caller, id))
		w.returns("SubmitWait", done)
		w.same("done", uint64(1), w.Quiet(id).Done)
	}},
	{Name: "wait/a nil context never ends", run: func(w *world) {
		var none context.Context
		id := w.owner.Create(pool.PoolOptions{})
		_, err := w.Service.SubmitWait(none, id, pool.Task{})
		w.must("SubmitWait", err)
		_, err = w.Service.Call(none, id, pool.Task{})
		w.must("Call", err)
		w.must("DrainWait", w.Service.DrainWait(none, id))
	}},
}

// submitWait begins a SubmitWait that has to end with an error, itself, or nil.
func (w *world) submitWait(ctx context.Context, id pool.PoolID, tag uint64, want error) <-chan struct{} {
	return w.async(func() {
		if _, err := w.Service.SubmitWait(ctx, id, pool.Task{Tag: tag}); err != want {
			w.t.Errorf("SubmitWait: want %v itself, got %v", want, err)
		}
	})
}

// call begins a Call; the function it returns waits for the answer.
func (w *world) call(ctx context.Context, id pool.PoolID, task pool.Task) func() ([]byte, error) {
	var result []byte
	var err error
	done := w.async(func() { result, err = w.Service.Call(ctx, id, task) })
	synctest.Wait()
	return func() ([]byte, error) {
		w.t.Helper()
		w.returns("Call", done)
		return result, err
	}
}
