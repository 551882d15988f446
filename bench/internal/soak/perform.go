package soak

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/ledger"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// perform does what the host is to do with a task, and returns what is left for the guest.
func (w *world) perform(caller wago.HostModule, g *guest, p *subject, tag ledger.Tag, how act) act {
	dice := rand.New(rand.NewPCG(w.seed^uint64(tag), 3))
	switch how {
	case actFail:
		w.fail(caller, g, p, tag)
		return actQuiet
	case actExit:
		panic(wago.HostExit{Code: 3})
	case actExitOK:
		panic(wago.HostExit{Code: 0})
	case actPanic:
		panic(fmt.Sprintf("soak: task %#x", uint64(tag)))
	case actGoexit:
		runtime.Goexit()
	case actHold:
		pause(context.Background(), microseconds(dice, 30_000))
	case actDrain, actDestroy:
		w.endOwn(p, how)
	case actKill:
		err := w.workers.With(func(s workers.Service) error { return s.Kill(g.id) })
		w.expect("Kill of oneself", err)
	case actCreate:
		w.createFrom(dice, caller)
	case actOversize:
		w.oversize(caller, p)
	case actAwait, actAsk:
		w.inContext(caller, func(ctx context.Context) {
			if how == actAwait {
				pause(ctx, microseconds(dice, 20_000))
				return
			}
			if other := w.stage.any(dice); other != nil {
				w.submitSomehow(dice, other, origin{ctx: ctx, caller: caller, tame: true})
			}
		})
	}
	return actReply
}

// oversize tries to complete a task with more than may be.
func (w *world) oversize(caller wago.HostModule, p *subject) {
	err := w.with(func(s pool.Service) error { return s.Complete(caller, make([]byte, p.opts.Worker.MaxPayloadBytes+1)) })
	if err == nil {
		w.violated("pool %d accepts a result that is too large", p.id)
	}
	w.expect("Complete with too much", err, pool.ErrPayloadTooLarge, pool.ErrNoTask)
}

// inContext calls use with the context of a worker's host call.
func (w *world) inContext(caller wago.HostModule, use func(context.Context)) {
	err := w.with(func(s pool.Service) error {
		ctx, cancel, err := s.CallerContext(caller)
		if err != nil {
			return err
		}
		defer cancel()
		use(ctx)
		if ctx.Err() != nil {
			w.check(sameCause(ctx), "a worker's context")
		}
		return nil
	})
	w.expect("CallerContext of a worker", err)
}

// endOwn has a worker end its own pool.
func (w *world) endOwn(p *subject, how act) {
	err := w.with(func(s pool.Service) error {
		if how == actDrain {
			return s.Drain(p.id)
		}
		w.stage.exit(p)
		return s.Destroy(p.id)
	})
	w.expect("ending a pool from one of its tasks", err, pool.ErrPoolNotFound, pool.ErrPoolWorkersRemain)
}

// errGuest is what guests fail tasks with.
var errGuest = errors.New("soak: the guest fails the task")

func (w *world) fail(caller wago.HostModule, g *guest, p *subject, tag ledger.Tag) {
	err := w.with(func(s pool.Service) error { return s.Fail(caller, errGuest) })
	if err == nil {
		w.check(p.book.Fail(tag, g.id), "pool %d", p.id)
		return
	}
	w.unsettled(p, tag, "Fail", err)
}
