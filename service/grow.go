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

// settle brings the pool towards its desired size without starting anybody.
func (p *pool) settle(w port, now time.Time) {
	if p.elastic != nil {
		p.s.share(w, now)
	}
	p.mu.Lock()
	p.stepLocked()
	p.mu.Unlock()
	p.resized(w)
}

// grow starts the n workers whose places were claimed, one after the other. The first that can't be started ends it.
func (p *pool) grow(w port, caller wago.HostModule, n uint32) error {
	defer func() {
		if p.catchUp() {
			p.resized(w)
		}
	}()
	defer func() { p.abandon(n) }()
	for n > 0 {
		n--
		if err := p.spawn(w, caller); err != nil {
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
		if !p.grantedLocked(now) {
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
	size, live := p.desiredLocked(), p.live()
	if p.machine.Halted() {
		size = min(size, live) // no replacements until Rearm
	}
	var step autoscale.Step
	if live <= size && p.crew[cordoned].Load() == 0 {
		step = autoscale.Fill(size, live, p.startingLocked(), p.roomLocked())
	} else {
		step = p.shiftLocked(size)
	}
	if !p.machine.Halted() { // Rearm has them replaced
		p.unholdLocked(int(step.Start + step.Short))
	}
	return step
}

// shiftLocked takes back and cordons workers on the way to size.
func (p *pool) shiftLocked(size uint32) autoscale.Step {
	for {
		members, workers := p.sizedLocked()
		step := autoscale.Plan(size, p.startingLocked(), p.roomLocked(), workers)
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
	for live := p.live() + p.spawning; p.givenUp > 0 && live > p.keptLocked(); {
		p.givenUp--
	}
}

// unholdLocked keeps the first slots of at most missing workers for their replacements: nobody comes for the others.
func (p *pool) unholdLocked(missing int) {
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
			workers = append(workers, autoscale.Worker{Load: int64(m.burden), Cordoned: m.standing == cordoned})
		}
	})
	return members, workers
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

// grantedLocked asks supervision about the next spawn of a pool that is not halted. A place held for a replacement was granted when
// its worker ended; any other may be one that a worker left without having taken a task.
func (p *pool) grantedLocked(now time.Time) bool {
	return p.held > int(p.spawning) || p.machine.Refill(now) == supervise.Replace
}
