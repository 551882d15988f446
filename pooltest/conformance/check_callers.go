package conformance

import (
	"context"
	"errors"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

var callerChecks = []Check{
	{Name: "callers/one that nobody may use is refused before anything else", run: func(w *world) {
		id := w.owner.Create(pool.PoolOptions{MaxWorkers: 2})
		before := w.Stats(id)
		for name, caller := range w.badCallers() {
			for verb, err := range w.byOwners(caller, id) {
				w.wraps(verb+" by a caller that is "+name, err, workers.ErrInvalidWorkerCaller)
			}
			for verb, err := range w.byOwners(caller, 99) {
				w.wraps(verb+" on no pool, by a caller that is "+name, err, workers.ErrInvalidWorkerCaller)
			}
			for verb, err := range w.byWorkers(caller) {
				w.wraps(verb+" by a caller that is "+name, err, workers.ErrWorkerNotFound)
			}
		}
		w.same("stats", before, w.Stats(id))
		w.same("List", []pool.PoolID{id}, w.Service.List())
	}},
	{Name: "callers/only a worker takes and settles tasks", run: func(w *world) {
		w.owner.Create(pool.PoolOptions{})
		for verb, err := range w.byWorkers(w.owner.Caller) {
			w.wraps(verb+" by an owner", err, workers.ErrWorkerNotFound)
		}
	}},
	{Name: "callers/only its owner sizes a pool", run: func(w *world) {
		id, stranger := w.owner.Create(pool.PoolOptions{MaxWorkers: 3}), w.Owner(pooltest.Loop)
		before := w.Stats(id)
		w.bare("Reconcile", pool.ErrPoolOwner, w.Service.Reconcile(stranger.Caller, id))
		w.bare("Scale", pool.ErrPoolOwner, w.Service.Scale(stranger.Caller, id, 3))
		w.bare("Supervise", pool.ErrPoolOwner, w.Service.Supervise(w.t.Context(), stranger.Caller, id))
		w.same("stats", before, w.Stats(id))
		w.must("Scale by the owner", w.Service.Scale(w.owner.Caller, id, 3))
	}},
	{Name: "callers/a stranger's SubmitFrom submits and sizes nothing", run: func(w *world) {
		id, stranger := w.owner.Create(pool.PoolOptions{MinWorkers: 2}), w.Owner(pooltest.Loop)
		w.does(pooltest.TrapOn(7))
		w.submit(id, 7)
		w.exited(id, 1)
		_, err := w.Service.SubmitFrom(stranger.Caller, id, 1, nil)
		w.must("SubmitFrom by a stranger", err)
		w.same("live", uint32(1), w.Quiet(id).Live)
		_, err = w.Service.SubmitFrom(w.owner.Caller, id, 2, nil)
		w.must("SubmitFrom by the owner", err)
		w.same("live", uint32(2), w.Quiet(id).Live)
	}},
	{Name: "callers/no method finds a pool that is none", run: func(w *world) {
		gone := w.owner.Create(pool.PoolOptions{})
		w.must("Destroy", w.Service.Destroy(gone))
		for _, id := range []pool.PoolID{0, gone, 99} {
			for verb, err := range w.byID(id) {
				w.bare(verb, pool.ErrPoolNotFound, err)
			}
		}
	}},
}

// byOwners calls every method that takes a caller to create, submit or size, and returns what each says.
func (w *world) byOwners(caller wago.HostModule, id pool.PoolID) map[string]error {
	_, create := w.Service.Create(caller, pooltest.EntryWork, pool.PoolOptions{})
	_, submit := w.Service.SubmitFrom(caller, id, 1, nil)
	_, cancel, watch := w.Service.CallerContext(caller)
	if watch == nil {
		cancel()
	}
	return map[string]error{
		"Create": create, "SubmitFrom": submit, "CallerContext": watch,
		"Reconcile": w.Service.Reconcile(caller, id), "Scale": w.Service.Scale(caller, id, 2),
		"Supervise": w.Service.Supervise(w.ended(), caller, id),
	}
}

// byWorkers calls every method of a worker, and returns what each says.
func (w *world) byWorkers(caller wago.HostModule) map[string]error {
	_, current := w.Service.Current(caller)
	return map[string]error{
		"Current": current, "Complete": w.Service.Complete(caller, nil), "Fail": w.Service.Fail(caller, errors.New("failed")),
		"DispatchNext": w.Service.DispatchNext(w.ended(), caller),
	}
}

// byID calls every method that takes a pool's id, and returns what each says.
func (w *world) byID(id pool.PoolID) map[string]error {
	answers := w.submits(id, nil)
	_, answers["Stats"] = w.Service.Stats(id)
	answers["Reconcile"] = w.Service.Reconcile(w.owner.Caller, id)
	answers["Scale"] = w.Service.Scale(w.owner.Caller, id, 1)
	answers["Supervise"] = w.Service.Supervise(w.ended(), w.owner.Caller, id)
	answers["Rearm"] = w.Service.Rearm(id)
	answers["Drain"] = w.Service.Drain(id)
	answers["DrainWait"] = w.Service.DrainWait(w.ended(), id)
	answers["Destroy"] = w.Service.Destroy(id)
	return answers
}

// submits gives a payload to a pool in each way there is, and returns what each says.
func (w *world) submits(id pool.PoolID, payload []byte) map[string]error {
	answers := make(map[string]error)
	task := pool.Task{Tag: 1, Payload: payload}
	_, answers["Submit"] = w.Service.Submit(id, 1, payload)
	_, answers["SubmitKeyed"] = w.Service.SubmitKeyed(id, 1, 1, payload)
	_, answers["SubmitFrom"] = w.Service.SubmitFrom(w.owner.Caller, id, 1, payload)
	_, answers["SubmitTask"] = w.Service.SubmitTask(id, task)
	_, answers["SubmitWait"] = w.Service.SubmitWait(w.t.Context(), id, task)
	_, answers["Call"] = w.Service.Call(w.t.Context(), id, task)
	_, answers["Broadcast"] = w.Service.Broadcast(id, 1, payload)
	return answers
}

// ended returns a context that has ended, for calls that must not get as far as waiting.
func (w *world) ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
