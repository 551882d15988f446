package soak

import (
	"context"
	"errors"
	"time"

	"github.com/JairusSW/pool"
)

// waiting is a context for a call that waits.
func (d *draft) waiting() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(d.from.ctx)
	switch d.dice.IntN(8) {
	case 0:
		cancel(errEnough) // over before it begins
	case 1:
		timer := time.AfterFunc(microseconds(d.dice, 5_000), func() { cancel(errEnough) })
		return ctx, func() { timer.Stop(); cancel(nil) }
	default:
		most := 30_000
		if d.dice.IntN(20) == 0 {
			most = 600_000 // enough for a task that is timed out
		}
		bounded, stop := context.WithTimeout(ctx, microseconds(d.dice, most))
		return bounded, func() { stop(); cancel(nil) }
	}
	return ctx, func() { cancel(nil) }
}

// errEnough is why callers cancel.
var errEnough = errors.New("soak: the caller has waited enough")

func (w *world) submitWait(d *draft) {
	ctx, cancel := d.waiting()
	defer cancel()
	var worker pool.WorkerID
	err := w.with(func(s pool.Service) (err error) {
		worker, err = s.SubmitWait(ctx, d.p.id, d.task())
		return err
	})
	if err == nil {
		w.accepted(d, worker)
		return
	}
	w.waitEnded(ctx, d, err)
}

// waitEnded closes the draft of a wait that ended before acceptance.
func (w *world) waitEnded(ctx context.Context, d *draft, err error) {
	switch {
	case err == pool.ErrPayloadTooLarge && d.long(), is(err, pool.ErrPoolDestroyed, pool.ErrPoolHalted),
		ctx.Err() != nil && err == ctx.Err():
		w.count("answers", waitAnswer(err))
		w.check(d.Refused(), "pool %d", d.p.id)
	case err == pool.ErrPoolDraining:
		w.count("answers", err.Error())
		w.check(d.Unclear(), "pool %d", d.p.id)
	default:
		w.turnedAway(d, err)
	}
}

func waitAnswer(err error) string {
	for _, known := range []error{pool.ErrPoolDestroyed, pool.ErrPoolHalted, pool.ErrPayloadTooLarge} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return "the caller's context ended"
}
