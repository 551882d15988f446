package service

import (
	"time"

	"github.com/JairusSW/pool/autoscale"
	"github.com/JairusSW/pool/supervise"
	"github.com/wago-org/wago"
)

// reconcile brings the pool to its desired size once. Its error is the first that stopped growth, a *LimitError included.
func (p *pool) reconcile(w port, caller wago.HostModule) error {
	now := time.Now()
	if p.elastic != nil {
		p.s.share(w, now)
	}
	n, short := p.claim(now)
	p.resized(w)
	err := p.grow(w, caller, n)
	if err == nil {
		err = short
	}
	p.setLimit(err)
	return err
}

// grow starts the n workers whose places were claimed, one after the other. The first that can't be started ends it.
func (p *pool) grow(w port, caller wago.HostModule, n uint32) error {
	defer p.catchUp(w)
	for ; n > 0; n-- {
		if err := p.spawn(w, caller); err != nil {
			p.abandon(n - 1)
			return err
		}
	}
	return nil
}

// claim takes back and cordons workers as the size asks, and reserves the places of those that are missing. The error says
// which ceiling leaves some of them out.
func (p *pool) claim(now time.Time) (n uint32, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	step := p.stepLocked()
	if step.Start+step.Short == 0 {
		return 0, nil
	}
	if _, wait := p.machine.Ready(now); wait {
		return 0, nil
	}
	for ; n < step.Start; n++ {
		wanted, ok := p.s.reserveWorkers(1)
		if !ok {
			return n, &LimitError{Setting: "maxTotalWorkers", Limit: uint64(p.s.limits.MaxTotalWorkers), Wanted: wanted}
		}
		if !p.allowedLocked(now) {
			p.s.releaseWorkers(1)
			p.haltLocked()
			return n, nil
		}
		p.spawning++
		p.bodies++
	}
	return n, nil // places that are short come back when somebody has gone, and that wakes Supervise
}

// stepLocked plans the way to the desired size and takes the parts of it that need no spawn.
func (p *pool) stepLocked() autoscale.Step {
	if p.isEnded || p.draining {
		return autoscale.Step{}
	}
	size, live := p.desiredLocked(), p.liveLocked()
	if p.halted {
		size = min(size, live) // no replacements until Rearm
	}
	starting := p.spawning + uint32(p.crew[judged].Load())
	var step autoscale.Step
	if live <= size && p.crew[cordoned].Load() == 0 {
		step = autoscale.Fill(size, live, starting, p.roomLocked())
	} else {
		step = p.shiftLocked(size, starting)
	}
	if !p.halted { // Rearm has them replaced
		p.letGoLocked(step.Start + step.Short)
	}
	return step
}

// shiftLocked takes back and cordons workers on the way to size.
func (p *pool) shiftLocked(size, starting uint32) autoscale.Step {
	for {
		members, workers := p.sizedLocked()
		step := autoscale.Plan(size, starting, p.roomLocked(), workers)
		if p.applyLocked(step, members) {
			return step
		}
	}
}

// applyLocked takes back and cordons; false: a worker to be taken back has been told to stop meanwhile.
func (p *pool) applyLocked(step autoscale.Step, members []*member) bool {
	for _, i := range step.TakeBack {
		if !members[i].cordon(0) {
			return false
		}
	}
	for _, i := range step.Cordon {
		members[i].cordon(cordonSizing)
	}
	if len(step.TakeBack)+len(step.Cordon) > 0 {
		p.retakeLocked()
		p.publishLocked()
	}
	return true
}

// retakeLocked counts places as no longer given up that load has had taken again.
func (p *pool) retakeLocked() {
	for live := p.liveLocked() + p.spawning; p.givenUp > 0 && live > p.keptLocked(); {
		p.givenUp--
	}
}

// letGoLocked keeps the first slots of at most missing workers for their replacements: nobody comes for the others.
func (p *pool) letGoLocked(missing uint32) {
	if p.held <= missing {
		return
	}
	for i := len(p.slots) - 1; p.held > missing; i-- {
		if place := p.slots[i]; place.member == nil && place.held {
			p.setSlotLocked(uint32(i), slot{})
		}
	}
	p.publishLocked()
}

// sizedLocked returns the members that sizing disposes of: those that have not been told to stop.
func (p *pool) sizedLocked() (members []*member, workers []autoscale.Worker) {
	p.eachLocked(func(m *member) {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.state == memberLive {
			members = append(members, m)
			workers = append(workers, autoscale.Worker{Load: m.load.Load(), Cordoned: m.standing == cordoned})
		}
	})
	return members, workers
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

// cordon sets or clears sizing's cordon; false: m has been told to stop.
func (m *member) cordon(c cordon) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.state != memberLive {
		return false
	}
	m.cordons = m.cordons&^cordonSizing | c
	m.updateLocked()
	return true
}

// allowedLocked asks supervision about the next spawn. A place held for a replacement was allowed when its worker ended; any
// other may be one that a worker left without having taken a task.
func (p *pool) allowedLocked(now time.Time) bool {
	if p.held > p.spawning {
		return true
	}
	return p.machine.Refill(now) == supervise.Replace
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
	return uint32(min(uint64(p.opts.MaxWorkers), uint64(p.liveLocked())+uint64(p.spawning)+waiting))
}

// setLimit remembers what keeps the pool small, and reports it when that is new.
func (p *pool) setLimit(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil && isShare(p.limit) {
		return // that is for the next decision to say
	}
	p.setLimitLocked(err)
}

func (p *pool) setLimitLocked(err error) {
	if p.isEnded {
		return
	}
	was := p.limit
	p.limit = err
	switch {
	case was == nil && err != nil:
		p.s.hungry.Add(1)
		why := ReasonSpawnFailed
		if isLimit(err) {
			why = ReasonCeiling
		}
		p.emit(Event{Kind: PoolLimited, Err: err, Reason: why})
	case was != nil && err == nil:
		p.s.hungry.Add(-1)
	}
}
