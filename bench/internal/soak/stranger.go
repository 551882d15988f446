package soak

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/JairusSW/pool"
	"github.com/wago-org/workers"
)

// sizeForeign has an owner size another's pool, which is refused.
func (w *world) sizeForeign(ctx context.Context, dice *rand.Rand, p *subject) error {
	o := w.cast.any(dice)
	if o == nil || o == p.owner {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	err := w.with(func(s pool.Service) error {
		switch dice.IntN(3) {
		case 0:
			return s.Scale(o.caller(), p.id, 1)
		case 1:
			return s.Reconcile(o.caller(), p.id)
		default:
			return s.Supervise(ctx, o.caller(), p.id)
		}
	})
	if err == nil {
		w.violated("pool %d is sized by an instance that has not created it", p.id)
	}
	w.expectOf(o, "sizing by another owner", err, pool.ErrPoolOwner, pool.ErrPoolNotFound)
	return err
}

// actAsWorker has an owner call what only workers may.
func (w *world) actAsWorker(ctx context.Context, dice *rand.Rand, p *subject) error {
	caller := p.owner.caller()
	if caller == nil {
		return nil
	}
	err := w.with(func(s pool.Service) error {
		switch dice.IntN(4) {
		case 0:
			return s.DispatchNext(ctx, caller)
		case 1:
			_, err := s.Current(caller)
			return err
		case 2:
			return s.Complete(caller, nil)
		default:
			return s.Fail(caller, errGuest)
		}
	})
	if err == nil {
		w.violated("an owner can do what only workers may")
	}
	w.expectOf(p.owner, "a verb of workers by an owner", err, workers.ErrWorkerNotFound)
	return nil
}

// callFromElsewhere uses a caller of the runtime beside this one.
func (w *world) callFromElsewhere(ctx context.Context, dice *rand.Rand, p *subject) error {
	other := w.run.beside(w)
	if other == nil {
		return nil
	}
	o := other.cast.any(dice)
	if o == nil {
		return nil
	}
	err := w.with(func(s pool.Service) error {
		switch caller := o.caller(); dice.IntN(4) {
		case 0:
			return s.Scale(caller, p.id, 1)
		case 1:
			return s.Supervise(ctx, caller, p.id)
		case 2:
			_, err := s.Create(caller, p.entry, p.opts)
			return err
		default:
			_, cancel, err := s.CallerContext(caller)
			if err == nil {
				cancel()
			}
			return err
		}
	})
	if err == nil {
		w.violated("a caller of another runtime is accepted")
	}
	w.expect("a caller of another runtime", err, workers.ErrInvalidWorkerCaller)
	return nil
}
