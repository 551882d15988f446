package service_test

import (
	"cmp"
	"slices"
	"time"
)

// desired is the size that the pool aims at. asking is how many tasks have no worker: load that asks for more than the live
// size has places taken again that supervision gave up.
func (p *modelPool) desired(asking int) int {
	if p.draining {
		return 0
	}
	if p.givenUp == 0 {
		return p.base
	}
	return max(p.kept(), min(p.base, p.asked(asking)))
}

func (p *modelPool) kept() int { return max(p.base-p.givenUp, 0) }

func (p *modelPool) asked(asking int) int {
	switch {
	case p.elastic:
		target, load := int(p.opts.TargetPerWorker), p.load()-p.asking()+asking
		return min((load+target-1)/target, int(p.opts.MaxWorkers))
	case asking > 0:
		return min(p.live()+asking, int(p.opts.MaxWorkers))
	}
	return 0
}

// asking is how many tasks have no worker.
func (p *modelPool) asking() int { return len(p.parked) + len(p.waiting) }

// step takes back and cordons workers on the way to size, and returns how many are missing then.
func (p *modelPool) step(size int) (missing int) {
	if p.draining {
		return 0
	}
	if p.halted {
		size = min(size, p.live())
	}
	for _, w := range p.byLoad(func(w *modelWorker) bool { return w.routable() }, -1) {
		if p.live() <= size {
			break
		}
		w.cordoned = true
	}
	for _, w := range p.byLoad(func(w *modelWorker) bool { return w.cordoned && !w.leaving }, 1) {
		if p.live() >= size {
			break
		}
		if p.live() >= p.kept() && p.givenUp > 0 {
			p.givenUp-- // load has the place taken again
		}
		w.cordoned = false
	}
	missing = max(size-p.live(), 0)
	if !p.halted {
		p.held = min(p.held, missing)
	}
	return missing
}

// bodies is how many workers have not gone.
func (p *modelPool) bodies() (n int) {
	for _, w := range p.workers {
		if !w.gone {
			n++
		}
	}
	return n
}

// byLoad returns some of the workers: with -1 the least loaded first, of equals the last; with 1 the other way round.
func (p *modelPool) byLoad(which func(*modelWorker) bool, order int) (some []*modelWorker) {
	for _, w := range p.workers {
		if which(w) {
			some = append(some, w)
		}
	}
	if order < 0 {
		slices.Reverse(some)
	}
	slices.SortStableFunc(some, func(a, b *modelWorker) int { return -order * cmp.Compare(a.load(), b.load()) })
	return some
}

// reconcile brings the pool to its size, and returns how many workers it starts. places is how many the service allows
// besides; limited says that it needed more.
func (p *modelPool) reconcile(now time.Time, asking, places int) (starts int) {
	missing := p.step(p.desired(asking))
	p.limited = false
	room := min(missing, int(p.opts.MaxWorkers)-p.bodies())
	for ; starts < room; starts++ {
		if starts == places {
			p.limited = true
			break
		}
		if p.held > starts {
			continue // the replacement of a worker that ended: that was paid for then
		}
		p.forgetIdle(now)
		if p.idle > 0 {
			if p.idle--; !p.spend(now, false) {
				if starts == 0 {
					p.rest()
				}
				break
			}
		}
		if p.live()+starts >= p.kept() && p.givenUp > 0 {
			p.givenUp--
		}
	}
	return starts
}

// clone is a copy that can be reconciled to see what comes of it.
func (p *modelPool) clone() *modelPool {
	c := *p
	c.workers, c.drainers, c.supervisor = nil, nil, nil
	c.parked, c.waiting, c.replaced = nil, nil, slices.Clone(p.replaced)
	for range p.parked {
		c.parked = append(c.parked, new(modelTask))
	}
	for range p.waiting {
		c.waiting = append(c.waiting, new(modelWait))
	}
	for _, w := range p.workers {
		copied := *w
		c.workers = append(c.workers, &copied)
	}
	return &c
}

// idlers are the workers that have to be told to go: cordoned, or of a pool that drains, and with nothing left to do.
func (p *modelPool) idlers() (some []*modelWorker) {
	for _, w := range p.workers {
		goes := w.cordoned || p.draining && len(p.parked) == 0
		if goes && !w.leaving && w.load() == 0 {
			some = append(some, w)
		}
	}
	return some
}
