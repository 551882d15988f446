package soak

import (
	"context"
	"math/rand/v2"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/ledger"
)

// audit takes samples: of every pool's Stats, of the pools that List names, of the number of instances.
func (w *world) audit(ctx context.Context, dice *rand.Rand, post *post) {
	last := make(map[pool.PoolID]*pool.PoolStats)
	for ctx.Err() == nil {
		for _, p := range w.stage.living() {
			post.begin("Stats")
			w.sample(p, last)
			post.end()
		}
		post.begin("List and Stats")
		w.sampleAll()
		post.end()
		w.countInstances()
		pause(ctx, microseconds(dice, 4_000))
	}
}

// sample holds a pool's Stats against its book.
func (w *world) sample(p *subject, last map[pool.PoolID]*pool.PoolStats) {
	var stats pool.PoolStats
	before := p.book.Counts()
	err := w.with(func(s pool.Service) (err error) {
		stats, err = s.Stats(p.id)
		return err
	})
	after := p.book.Counts()
	w.expect("Stats", err, pool.ErrPoolNotFound)
	switch {
	case is(err, pool.ErrPoolNotFound):
		w.stage.exit(p)
		return
	case err != nil:
		return
	}
	w.count("audit", "samples")
	if err := p.book.Check(stats, last[p.id], before, after); err != nil {
		w.violated("pool %d (%+v): Stats %+v\nbooks before %+v\nbooks after %+v\n%w", p.id, p.plan, stats, before, after, err)
	}
	if stats.Pool != p.id || stats.Strategy != p.opts.Strategy {
		w.violated("Stats of pool %d are of pool %d, %v", p.id, stats.Pool, stats.Strategy)
	}
	if stats.Halted {
		w.count("audit", "samples of halted pools")
	}
	last[p.id] = &stats
}

// sampleAll holds the Stats of every pool that is listed against themselves: some belong to a Create that is not over.
func (w *world) sampleAll() {
	err := w.with(func(s pool.Service) error {
		for _, id := range s.List() {
			stats, err := s.Stats(id)
			if err != nil {
				continue // it has gone meanwhile
			}
			if err := ledger.CheckAlone(stats); err != nil {
				w.violated("pool %d: Stats %+v\n%w", id, stats, err)
			}
		}
		return nil
	})
	w.expect("List", err)
}

// countInstances holds the number of instances that there are against the ceilings.
func (w *world) countInstances() {
	before := w.cast.census.Load()
	opened, closed := w.runtime.Instances()
	if w.cast.census.Load() != before {
		return // an owner came or went
	}
	owners, there := int64(before>>censusShift), int64(opened-closed)
	if most := owners + int64(w.limits.total); there > most {
		w.violated("%d instances are open, at most %d can be: %d owners and %d workers", there, most, owners, w.limits.total)
	}
	w.run.crowd.note(there)
}
