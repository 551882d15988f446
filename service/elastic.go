package service

import (
	"math"
	"time"

	"github.com/JairusSW/pool/autoscale"
)

// elastic is the sizing of a pool whose size follows its load. A pool of a fixed size has none.
type elastic struct {
	// guarded by the pool's mu
	damper  *autoscale.Damper
	next    time.Time // when the lower size that is pending may be due
	pending bool
	look    time.Time // when the keeper decides again while a lower size is pending
}

// isElastic reports whether the pool's size follows its load.
func (o *Options) isElastic() bool { return o.TargetPerWorker > 0 && o.MaxWorkers > o.MinWorkers }

// loadMoved keeps the pool's load: it wakes who can grow the pool when a worker is missing, and the keeper when one is too
// many. Members call it under their lock.
func (p *pool) loadMoved(by int64) {
	if p.elastic == nil || by == 0 {
		return
	}
	load := p.load.Add(by)
	if by < 0 {
		if load <= p.shrinkAt.Load() {
			p.poke()
		}
		return
	}
	for peak := p.peak.Load(); load > peak && !p.peak.CompareAndSwap(peak, load); peak = p.peak.Load() {
	}
	if load > p.growAt.Load() {
		p.nudge()
	}
}

// share decides the size of every elastic pool, together: what each load asks for, and what the budget of runnable workers has
// for it. A place that another pool is short of is given back at once.
func (s *Pools) share(w port, now time.Time) {
	s.shareMu.Lock()
	defer s.shareMu.Unlock()
	var pools []*pool
	var claims []autoscale.Claim
	fixed := s.reserved()
	for _, p := range s.all() {
		if claim, bodies, ok := p.claimShare(now); ok {
			pools, claims = append(pools, p), append(claims, claim)
			fixed -= min(fixed, bodies)
		}
	}
	budget := s.limits.RunnableWorkers - min(s.limits.RunnableWorkers, fixed)
	for i, size := range autoscale.Share(budget, claims) {
		pools[i].takeShare(now, claims[i], size)
		pools[i].resized(w)
	}
}

// claimShare is what p asks of the budget; false: it has no part in it. A halted pool has what it has.
func (p *pool) claimShare(now time.Time) (claim autoscale.Claim, bodies uint32, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.elastic == nil || p.isEnded || p.draining || p.machine.Halted() {
		return claim, 0, false
	}
	load := p.load.Load()
	// The most that was wanted since the last look keeps the size, and never makes it grow: that load has gone.
	p.wanted(now, min(p.peak.Swap(load), int64(p.base)*int64(p.opts.TargetPerWorker)))
	want, hold := p.wanted(now, load)
	return autoscale.Claim{Floor: p.opts.MinWorkers, Want: want, Hold: hold}, p.bodies, true
}

// wanted tells the damper what a load asks for, and returns that and the size to keep for now.
func (p *pool) wanted(now time.Time, load int64) (want, hold uint32) {
	want = autoscale.Desired(uint64(max(load, 0)), p.opts.TargetPerWorker, p.opts.MinWorkers, p.opts.MaxWorkers)
	hold, p.elastic.next, p.elastic.pending = p.elastic.damper.Want(now, want)
	return want, hold
}

// takeShare makes size the pool's, and cordons or takes back workers.
func (p *pool) takeShare(now time.Time, claim autoscale.Claim, size uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isEnded || p.draining {
		return
	}
	why := ReasonLoad
	if size < claim.Hold {
		p.elastic.damper.Set(now, size)
		p.elastic.pending = false
		why = ReasonShare
	}
	p.shortOfLocked(claim.Want, size)
	if size < p.base {
		p.givenUp -= min(p.givenUp, p.base-size) // the empty places go first
	}
	if size != p.base {
		p.emit(Event{Kind: PoolScaled, From: p.base, To: size, Reason: why})
		p.base = size
		p.nudge()
	}
	p.watchLoadLocked(claim.Want > size)
	p.lookLocked(now)
	p.stepLocked()
}

// lookLocked sets when the keeper decides again. Looks in between see the highest load of a stretch: that is what has to stay
// low for the size to shrink.
func (p *pool) lookLocked(now time.Time) {
	e := p.elastic
	switch {
	case !e.pending:
		e.look = time.Time{}
	case !e.look.After(now):
		e.look = earlier(e.next, now.Add(max(p.opts.ScaleDownDelay/8, time.Millisecond)))
		p.poke()
	}
}

// watchLoadLocked sets the loads at which the next decision is due.
func (p *pool) watchLoadLocked(short bool) {
	target := int64(p.opts.TargetPerWorker)
	growAt, shrinkAt := int64(p.keptLocked())*target, (int64(p.base)-1)*target
	if p.keptLocked() >= p.opts.MaxWorkers || short {
		growAt = math.MaxInt64
	}
	if p.base <= p.opts.MinWorkers || p.elastic.pending {
		shrinkAt = -1
	}
	if was := p.growAt.Swap(growAt); growAt < was && p.load.Load() > growAt {
		p.nudge() // it rose while nobody was to be woken
	}
	p.shrinkAt.Store(shrinkAt)
	if p.load.Load() <= shrinkAt {
		p.poke()
	}
}

// restLoadLocked ends the watch over the load: no decision is due any more.
func (p *pool) restLoadLocked() {
	if p.elastic != nil {
		p.elastic.pending, p.elastic.look = false, time.Time{}
		p.growAt.Store(math.MaxInt64)
		p.shrinkAt.Store(-1)
	}
}

// reserved is the number of workers of all pools, spawns on their way included.
func (s *Pools) reserved() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.workers
}
