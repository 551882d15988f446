package service

import (
	"cmp"
	"slices"
	"time"

	"github.com/JairusSW/pool/supervise"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// Reconcile implements Service.
func (s *Pools) Reconcile(caller wago.HostModule, id ID) error {
	return s.sizing(caller, id, func(w port, p *pool) error {
		if err := p.reconcile(w, caller); err != nil && !isLimit(err) {
			return err
		}
		return nil
	})
}

// sizing is the preamble of the methods that size a pool: a live caller, the pool, and its owner.
func (s *Pools) sizing(caller wago.HostModule, id ID, use func(port, *pool) error) error {
	if err := s.open(); err != nil {
		return err
	}
	return s.lease(func(w port) error {
		who, err := w.identity(caller)
		if err != nil {
			return err
		}
		p, err := s.find(id)
		if err != nil {
			return err
		}
		if err := p.ownedBy(w, caller, who); err != nil {
			return err
		}
		return use(w, p)
	})
}

// ownedBy checks that caller's instance created the pool. Without identities it tries to link a member, which only the creator can.
func (p *pool) ownedBy(w port, caller wago.HostModule, who wago.InstanceIdentity) error {
	if !who.IsZero() {
		if who != p.owner {
			return ErrPoolOwner
		}
		return nil
	}
	for _, m := range p.snap.Load().members {
		if m == nil {
			continue
		}
		switch err := w.Link(caller, m.id); err {
		case workers.ErrInvalidWorkerLink:
			return ErrPoolOwner
		case nil:
			return nil
		}
	}
	return nil
}

// reconcile brings the pool to its desired size once. Its error is the first that stopped growth, a *LimitError included.
func (p *pool) reconcile(w port, caller wago.HostModule) error {
	p.mu.Lock()
	shrink := p.surplusLocked()
	p.mu.Unlock()
	if shrink {
		p.retireIdle(w)
	}
	err := p.grow(w, caller)
	p.setLimit(err)
	return err
}

// grow starts workers, one at a time, until nothing is missing or something stands in the way.
func (p *pool) grow(w port, caller wago.HostModule) error {
	for {
		if ok, err := p.claim(); !ok {
			return err
		}
		if err := p.spawn(w, caller); err != nil {
			return err
		}
	}
}

// claim reserves the place of one worker that is missing; false: none is, or none can be had.
func (p *pool) claim() (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if !p.wantsWorkerLocked() {
		return false, nil
	}
	if _, wait := p.machine.Ready(now); wait {
		return false, nil
	}
	if p.bodies >= p.opts.MaxWorkers {
		return false, nil // those on their way out count until they are gone; their exit wakes Supervise
	}
	if wanted, ok := p.s.reserveWorkers(1); !ok {
		return false, &LimitError{Setting: "maxTotalWorkers", Limit: uint64(p.s.limits.MaxTotalWorkers), Wanted: wanted}
	}
	if p.refillLocked() && p.machine.Refill(now) != supervise.Replace {
		p.s.releaseWorkers(1)
		p.haltLocked()
		return false, nil
	}
	p.spawning++
	p.bodies++
	return true, nil
}

// wantsWorkerLocked reports whether a worker is missing, after taking back those that sizing had cordoned.
func (p *pool) wantsWorkerLocked() bool {
	if p.isEnded || p.draining || p.halted {
		return false
	}
	missing := int64(p.desiredLocked()) - int64(p.liveLocked()) - int64(p.spawning)
	if missing > 0 {
		missing -= p.takeBackLocked(missing)
	}
	return missing > 0
}

// refillLocked reports whether the next spawn fills a place that was given up or is new, rather than one held for a
// replacement that supervision has already allowed.
func (p *pool) refillLocked() bool {
	held := uint32(0)
	for _, place := range p.slots {
		if place.member == nil && place.held {
			held++
		}
	}
	return held <= p.spawning
}

// haltLocked halts the pool because workers end before they take anything.
func (p *pool) haltLocked() {
	if p.halted {
		return
	}
	p.halted = true
	p.emit(Event{Kind: PoolHalted, Err: p.lastExit.Err, Reason: ReasonHalt})
	p.restLocked()
}

// desiredLocked is the size the pool aims at: what was asked for, less the places given up, but for load that asks for more.
func (p *pool) desiredLocked() uint32 {
	if p.isEnded || p.draining {
		return 0
	}
	size := p.base - min(p.base, p.givenUp)
	if p.givenUp == 0 {
		return size
	}
	waiting := uint64(p.parked.len() + p.waiting.len())
	if waiting == 0 {
		return size
	}
	return max(size, uint32(min(uint64(p.base), uint64(p.liveLocked())+uint64(p.spawning)+waiting)))
}

// takeBackLocked clears sizing's cordon from up to n workers that have not been told to stop, and returns how many.
func (p *pool) takeBackLocked(n int64) (back int64) {
	p.eachLocked(func(m *member) {
		m.mu.Lock()
		defer m.mu.Unlock()
		if back < n && m.state == memberLive && m.cordons == cordonSizing {
			m.cordons &^= cordonSizing
			m.updateLocked()
			back++
		}
	})
	if back > 0 {
		p.publishLocked()
	}
	return back
}

// surplusLocked cordons the least loaded of the workers that are too many; true: somebody may have to be retired.
func (p *pool) surplusLocked() bool {
	if p.isEnded || p.draining {
		return false
	}
	tooMany := int64(p.liveLocked()) + int64(p.spawning) - int64(p.desiredLocked())
	if tooMany <= 0 {
		return false
	}
	p.cordonLocked(int(tooMany))
	return true
}

func (p *pool) cordonLocked(n int) {
	var routable []*member
	p.eachLocked(func(m *member) {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.routableLocked() {
			routable = append(routable, m)
		}
	})
	slices.SortStableFunc(routable, func(a, b *member) int { return cmp.Compare(a.load.Load(), b.load.Load()) })
	for _, m := range routable[:min(n, len(routable))] {
		m.mu.Lock()
		m.cordons |= cordonSizing
		m.updateLocked()
		m.mu.Unlock()
	}
	p.publishLocked()
}

// setLimit remembers whether a ceiling keeps the pool small, and reports it when that is new.
func (p *pool) setLimit(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isEnded {
		return
	}
	was := p.limit
	p.limit = err
	switch {
	case was == nil && err != nil:
		p.s.limited.Add(1)
		why := ReasonSpawnFailed
		if isLimit(err) {
			why = ReasonCeiling
		}
		p.emit(Event{Kind: PoolLimited, Err: err, Reason: why})
	case was != nil && err == nil:
		p.s.limited.Add(-1)
	}
}
