package soak

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/JairusSW/pool"
	"github.com/wago-org/workers"
)

// foreignTag is the tag of messages that are sent past Pool.
const foreignTag = 0

// killOne kills a worker; of pools that are given up too easily, only one that has taken a task.
func (w *world) killOne(_ context.Context, dice *rand.Rand, p *subject) error {
	var stats pool.PoolStats
	err := w.with(func(s pool.Service) (err error) {
		stats, err = s.Stats(p.id)
		return err
	})
	if err != nil || len(stats.Workers) == 0 {
		w.expect("Stats", err, pool.ErrPoolNotFound)
		return err
	}
	victim := stats.Workers[dice.IntN(len(stats.Workers))]
	if victim.Dispatched == 0 && !p.dud() {
		return nil
	}
	err = w.workers.With(func(s workers.Service) error { return s.Kill(victim.ID) })
	w.expect("Kill", err, workers.ErrWorkerNotFound)
	w.count("kills", "at random")
	return nil
}

func (w *world) scale(_ context.Context, dice *rand.Rand, p *subject) error {
	err := w.with(func(s pool.Service) error { return s.Scale(p.owner.caller(), p.id, dice.Uint32N(p.opts.MaxWorkers+3)) })
	w.expectOf(p.owner, "Scale", err, pool.ErrPoolNotFound, pool.ErrPoolDraining, pool.ErrPoolDestroyed, pool.ErrPoolWorkerLimit)
	return err
}

func (w *world) reconcile(_ context.Context, _ *rand.Rand, p *subject) error {
	err := w.with(func(s pool.Service) error { return s.Reconcile(p.owner.caller(), p.id) })
	w.expectOf(p.owner, "Reconcile", err, pool.ErrPoolNotFound, pool.ErrPoolDestroyed)
	return err
}

func (w *world) rearm(_ context.Context, _ *rand.Rand, p *subject) error {
	err := w.with(func(s pool.Service) error { return s.Rearm(p.id) })
	w.expect("Rearm", err, pool.ErrPoolNotFound, pool.ErrPoolDraining)
	return err
}

// sendForeign sends a message past Pool.
func (w *world) sendForeign(_ context.Context, dice *rand.Rand, p *subject) error {
	var id pool.WorkerID
	err := w.with(func(s pool.Service) error {
		stats, err := s.Stats(p.id)
		if err == nil && len(stats.Workers) > 0 {
			id = stats.Workers[dice.IntN(len(stats.Workers))].ID
		}
		return err
	})
	if err != nil || id == 0 {
		return err
	}
	err = w.workers.With(func(s workers.Service) error { return s.Send(id, foreignTag, nil) })
	w.expect("Send", err, workers.ErrWorkerNotFound, workers.ErrWorkerStopping, workers.ErrWorkerQueueFull)
	return nil
}

// list checks the order of the pools' ids.
func (w *world) list(context.Context, *rand.Rand, *subject) error {
	return w.with(func(s pool.Service) error {
		ids := s.List()
		if !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != len(ids) {
			w.violated("List returns %v", ids)
		}
		return nil
	})
}
