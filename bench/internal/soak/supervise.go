package soak

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// supervise has the pool's owner supervise it, for short times, in its own host call or beside it, until the pool has gone.
func (w *world) supervise(ctx context.Context, dice *rand.Rand, post *post, p *subject) {
	for ctx.Err() == nil {
		err := w.superviseOnce(ctx, dice, post, p)
		w.expectOf(p.owner, "Supervise", err, pool.ErrPoolNotFound, pool.ErrPoolDestroyed, pool.ErrPoolSupervised,
			context.DeadlineExceeded, context.Canceled)
		if is(err, pool.ErrPoolNotFound, pool.ErrPoolDestroyed) {
			w.stage.exit(p)
			return
		}
		if err == nil || dice.IntN(4) == 0 { // drained, or to be left alone for a while
			pause(ctx, microseconds(dice, 100_000))
		}
		if is(err, pool.ErrPoolSupervised, workers.ErrInvalidWorkerCaller) || w.closing.Load() {
			pause(ctx, 5*time.Millisecond)
		}
	}
}

func (w *world) superviseOnce(ctx context.Context, dice *rand.Rand, post *post, p *subject) (err error) {
	ctx, cancel := context.WithTimeout(ctx, microseconds(dice, 500_000))
	defer cancel()
	post.begin("Supervise")
	defer post.end()
	supervise := func(caller func() wago.HostModule) error {
		return w.with(func(s pool.Service) error { return s.Supervise(ctx, caller(), p.id) })
	}
	if dice.IntN(2) == 0 {
		inside := p.owner.do(ctx, func(caller wago.HostModule) {
			w.count("supervised", "in the owner's host call")
			err = supervise(func() wago.HostModule { return caller })
		})
		if inside {
			return err
		}
	}
	w.count("supervised", "beside the owner's host call")
	err = supervise(p.owner.caller)
	if err == nil {
		w.drained(p)
	}
	return err
}

// drained holds a pool that is said to be drained against its Stats.
func (w *world) drained(p *subject) {
	_ = w.with(func(s pool.Service) error {
		stats, err := s.Stats(p.id)
		if err == nil && (!stats.Draining || stats.Queued+stats.Running != 0 || len(stats.Workers) != 0) {
			w.violated("pool %d is said to be drained: %+v", p.id, stats)
		}
		return err // it may have gone meanwhile
	})
}
