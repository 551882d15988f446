package service

import (
	"cmp"
	"time"

	"github.com/wago-org/wago"
)

// Scale implements Service.
func (s *Pools) Scale(caller wago.HostModule, id ID, size uint32) error {
	return s.sizing(caller, id, func(w port, p *pool) error {
		if err := p.resize(size); err != nil {
			return err
		}
		return cmp.Or(bare(p.reconcile(w, caller)), p.met(), p.drains(), p.cutShort(size))
	})
}

// drains returns ErrPoolDraining when the pool has begun to drain: it grows no more.
func (p *pool) drains() error {
	if p.snap.Load().closed == ErrPoolDraining {
		return ErrPoolDraining
	}
	return nil
}

// clamp brings a size into the pool's band.
func (p *pool) clamp(size uint32) uint32 { return min(max(size, p.opts.MinWorkers), p.opts.MaxWorkers) }

// resize sets what the pool aims at, and forgets the places that were given up.
func (p *pool) resize(size uint32) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.closedLocked(); err != nil {
		return err
	}
	from := p.desiredLocked()
	p.base = p.clamp(size)
	p.givenUp = 0
	if p.elastic != nil {
		p.elastic.damper.Set(time.Now(), p.base)
		p.watchLoadLocked(false)
	}
	p.emit(Event{Kind: PoolScaled, From: from, To: p.base, Reason: ReasonScale})
	p.nudge()
	return nil
}
