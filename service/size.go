package service

import "github.com/JairusSW/pool/autoscale"

// desiredLocked is the size the pool aims at: what was asked for or decided, less the places given up, but for load that asks
// for more than there are.
func (p *pool) desiredLocked() uint32 {
	if p.isEnded || p.draining {
		return 0
	}
	if p.givenUp == 0 {
		return p.base
	}
	return max(p.keptLocked(), min(p.base, p.askedLocked()))
}

// keptLocked is what was asked for, less the places given up.
func (p *pool) keptLocked() uint32 { return p.base - min(p.base, p.givenUp) }

// askedLocked is the size that load asks for whatever was given up: of a fixed pool a worker for each task without one.
func (p *pool) askedLocked() uint32 {
	if p.elastic != nil {
		return autoscale.Desired(uint64(max(p.load.Load(), 0)), p.opts.TargetPerWorker, 0, p.opts.MaxWorkers)
	}
	waiting := uint64(p.parked.len() + p.waiting.len())
	if waiting == 0 {
		return 0
	}
	return uint32(min(uint64(p.opts.MaxWorkers), uint64(p.live())+uint64(p.spawning)+waiting))
}

// roomLocked is how many workers may be started: everybody counts until it is gone. Elastic pools share the budget of runnable
// workers, their floors excepted.
func (p *pool) roomLocked() uint32 {
	room := p.opts.MaxWorkers - min(p.opts.MaxWorkers, p.bodies)
	if p.elastic == nil {
		return room
	}
	budget := p.s.limits.RunnableWorkers - min(p.s.limits.RunnableWorkers, p.s.reserved())
	floor := p.opts.MinWorkers - min(p.opts.MinWorkers, p.bodies)
	return min(room, max(budget, floor))
}

// startingLocked is how many places have somebody on the way already. Read after who is live: a worker judged in between counts
// twice for a moment, and is never missing from both.
func (p *pool) startingLocked() uint32 { return p.spawning + uint32(p.crew[judged].Load()) }
