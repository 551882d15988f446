package soak

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/JairusSW/pool"
)

// heal has every pool that is left supervised until it has nothing to do any more. All that it accepted gets done, and it comes to
// its size, as long as supervision has not given up and no ceiling is in the way; the books are exact then.
func (w *world) heal() {
	ctx, over := context.WithCancel(context.Background())
	var supervisors, patients sync.WaitGroup
	for _, p := range w.stage.living() {
		if p.dud() || p.owner == nobody {
			continue
		}
		supervisors.Go(func() {
			err := w.with(func(s pool.Service) error { return s.Supervise(ctx, p.owner.caller(), p.id) })
			w.expectOf(p.owner, "Supervise", err, pool.ErrPoolNotFound, pool.ErrPoolDestroyed, context.Canceled)
		})
		patients.Go(func() { w.awaitRest(p) })
	}
	patients.Wait()
	over()
	supervisors.Wait()
}

// awaitRest waits until a pool that is supervised has nothing to do, or has nobody to do it with.
func (w *world) awaitRest(p *subject) {
	w.awaitBooks(p, "healed and at rest", func(stats pool.PoolStats) (bool, error) {
		switch {
		case stats.Halted, stats.Limited:
			return false, nil
		case p.entry == entryRaw: // whose last task is done when its worker takes another
			return false, queued(stats)
		}
		return true, errors.Join(p.book.CheckRest(stats, w.strays.Load()), p.sized(stats))
	})
}

// sized says what is wrong with the size of a pool that is supervised and has nothing to do.
func (p *subject) sized(stats pool.PoolStats) error {
	switch {
	case stats.Live != stats.Desired:
		return fmt.Errorf("%d workers are live, %d are desired", stats.Live, stats.Desired)
	case p.opts.TargetPerWorker > 0 && stats.Desired > stats.Min:
		return fmt.Errorf("%d workers are desired without any load, the least is %d", stats.Desired, stats.Min)
	}
	return nil
}

func queued(stats pool.PoolStats) error {
	if stats.Queued > 0 {
		return fmt.Errorf("%d tasks are queued", stats.Queued)
	}
	return nil
}

// awaitBooks waits until a pool's Stats are right, for some guest may be about to write down what it has settled, some observer
// about to be told that its submit is refused. It counts the pool when they are, and right means that the books were looked at.
func (w *world) awaitBooks(p *subject, what string, right func(pool.PoolStats) (looked bool, err error)) {
	for deadline := time.Now().Add(w.run.config.limit / 2); ; pause(context.Background(), 2*time.Millisecond) {
		var stats pool.PoolStats
		err := w.with(func(s pool.Service) (err error) {
			stats, err = s.Stats(p.id)
			return err
		})
		w.expect("Stats", err, pool.ErrPoolNotFound)
		if err != nil {
			return
		}
		looked, err := right(stats)
		switch {
		case err == nil && looked:
			w.count("pools", what)
			return
		case err == nil:
			return
		case time.Now().After(deadline):
			w.violated("pool %d (%+v) is not %s: Stats %+v\nbooks %+v\n%w", p.id, p.plan, what, stats, p.book.Counts(), err)
			return
		}
	}
}
