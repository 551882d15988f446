package soak

import (
	"github.com/JairusSW/pool"
	"github.com/wago-org/workers"
)

func (w *world) submitPlain(d *draft) {
	var worker pool.WorkerID
	err := w.with(func(s pool.Service) (err error) {
		worker, err = s.Submit(d.p.id, uint64(d.Tag), d.bytes)
		return err
	})
	w.submitted(d, worker, err)
}

func (w *world) submitKeyed(d *draft) {
	var worker pool.WorkerID
	err := w.with(func(s pool.Service) (err error) {
		worker, err = s.SubmitKeyed(d.p.id, d.dice.Uint64N(64), uint64(d.Tag), d.bytes)
		return err
	})
	w.submitted(d, worker, err)
}

func (w *world) submitTask(d *draft) {
	var worker pool.WorkerID
	err := w.with(func(s pool.Service) (err error) {
		worker, err = s.SubmitTask(d.p.id, d.task())
		return err
	})
	w.submitted(d, worker, err)
}

// submitted closes the draft of a submit that never waits.
func (w *world) submitted(d *draft, worker pool.WorkerID, err error) {
	p := d.p
	switch {
	case err == nil && worker == 0 && p.book.Shape.Sheds:
		w.count("answers", "parked or shed")
		d.AcceptedOrShed()
	case err == nil:
		w.accepted(d, worker)
	case err == pool.ErrPoolEmpty && !p.floorless(), err == pool.ErrPoolBackpressure && !p.book.Shape.Sheds,
		err == pool.ErrPayloadTooLarge && d.long():
		w.count("answers", err.Error())
		w.check(d.Refused(), "pool %d", p.id)
	default:
		w.turnedAway(d, err)
	}
}

func (w *world) accepted(d *draft, worker pool.WorkerID) {
	w.count("answers", "accepted")
	d.Accepted()
	if worker != 0 {
		w.belong(worker, d.p.id)
	}
	if d.long() {
		w.violated("pool %d accepts a payload of %d bytes", d.p.id, len(d.bytes))
	}
}

// turnedAway closes the draft of a call that counts nowhere.
func (w *world) turnedAway(d *draft, err error) {
	w.expect("a submit", err, pool.ErrPoolNotFound, pool.ErrPoolDraining)
	w.check(d.Away(), "pool %d", d.p.id)
	switch err {
	case pool.ErrPoolNotFound:
		w.stage.exit(d.p)
		fallthrough
	case pool.ErrPoolDraining:
		d.p.shut.Store(true)
		w.count("answers", err.Error())
	default:
		w.count("answers", "the runtime closes")
	}
}

// submitFrom submits with an owner's caller, which may not be the pool's, or with that of the guest that submits.
func (w *world) submitFrom(d *draft) {
	o, caller := d.p.owner, d.from.caller
	if caller == nil {
		if d.dice.IntN(5) == 0 {
			if other := w.cast.any(d.dice); other != nil {
				o = other
			}
		}
		caller = o.caller()
	}
	var worker pool.WorkerID
	err := w.with(func(s pool.Service) (err error) {
		worker, err = s.SubmitFrom(caller, d.p.id, uint64(d.Tag), d.bytes)
		return err
	})
	switch {
	case startFailed(err): // it stands for ErrPoolEmpty, as what stops a start section may
		w.count("answers", pool.ErrPoolEmpty.Error())
		w.check(d.Refused(), "pool %d", d.p.id)
	case is(err, workers.ErrInvalidWorkerCaller): // the owner has left its host call
		w.count("answers", "the caller is stale")
		w.check(d.Away(), "pool %d", d.p.id)
	case d.from.caller != nil && is(err, stopped...):
		w.count("answers", "the submitter is to stop")
		w.check(d.Unclear(), "pool %d", d.p.id)
	case err != nil && (w.excusedFor(o, err) || is(err, pool.ErrPoolDestroyed)): // the same
		w.count("answers", "the owner or the runtime closes")
		w.check(d.Unclear(), "pool %d", d.p.id)
	default:
		w.submitted(d, worker, err)
	}
}
