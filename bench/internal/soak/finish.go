package soak

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/JairusSW/pool"
	"github.com/wago-org/workers"
)

func (w *world) drain(_ context.Context, _ *rand.Rand, p *subject) error {
	err := w.with(func(s pool.Service) error { return s.Drain(p.id) })
	w.expect("Drain", err, pool.ErrPoolNotFound)
	return err
}

func (w *world) drainWait(ctx context.Context, dice *rand.Rand, p *subject) error {
	ctx, cancel := context.WithTimeout(ctx, microseconds(dice, 200_000))
	defer cancel()
	err := w.with(func(s pool.Service) error { return s.DrainWait(ctx, p.id) })
	w.expect("DrainWait", err, pool.ErrPoolNotFound, pool.ErrPoolNotDrained, pool.ErrTasksDropped, pool.ErrPoolDestroyed)
	if errors.Is(err, pool.ErrPoolNotDrained) && ctx.Err() == nil {
		w.violated("pool %d: DrainWait returns %w before its context ends", p.id, err)
	}
	if err == nil {
		w.drained(p)
	}
	return err
}

// destroy destroys the pool, and checks that nobody is left when it says so.
func (w *world) destroy(_ context.Context, _ *rand.Rand, p *subject) error {
	var last pool.PoolStats
	var destroyed error
	_ = w.with(func(s pool.Service) error {
		last, _ = s.Stats(p.id) // it may be gone already
		destroyed = s.Destroy(p.id)
		return nil
	})
	w.stage.exit(p)
	w.expect("Destroy", destroyed, pool.ErrPoolNotFound, pool.ErrPoolWorkersRemain)
	if destroyed != nil {
		if errors.Is(destroyed, pool.ErrPoolWorkersRemain) {
			w.count("pools", "destroyed with workers that remain")
		}
		return destroyed
	}
	for _, worker := range last.Workers {
		err := w.workers.With(func(s workers.Service) error { return s.Kill(worker.ID) })
		if err == nil && last.Pool == p.id {
			w.violated("pool %d is said to be destroyed, and worker %d is still there", p.id, worker.ID)
		}
	}
	if err := w.with(func(s pool.Service) error { return s.Destroy(p.id) }); !is(err, pool.ErrPoolNotFound) && !w.excused(err) {
		w.violated("pool %d, destroyed again: %v", p.id, err)
	}
	return nil
}
