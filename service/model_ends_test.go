package service_test

import (
	"slices"
	"time"

	"github.com/JairusSW/pool/service"
	"github.com/JairusSW/pool/supervise"
	"github.com/wago-org/workers"
)

// die takes a worker out of the pool. clean says that it returned, or exited with code 0.
func (p *modelPool) die(now time.Time, w *modelWorker, kind workers.WorkerExitKind) {
	clean := kind == workers.WorkerReturned
	unasked := w.judged || w.routable()
	p.n.Exited++
	if kind == workers.WorkerFailed {
		p.n.Failed++
	}
	switch {
	case w.hand == nil:
	case clean && !w.judged:
		p.handOver(w)
	case !w.hand.leg && w.hand.attempt <= p.opts.Retries:
		p.n.Retried++
		w.hand.again = false
		w.hand.left(w, 0)
		p.park(w.hand)
	default:
		p.failed(w.hand, service.ErrTaskFailed)
	}
	for i, t := range w.box {
		switch {
		case t.foreign:
		case t.leg:
			p.dropped([]*modelTask{t}, service.ErrTasksDropped)
		default:
			t.again = true
			t.left(w, 1+i)
			p.park(t)
		}
	}
	p.workers = slices.DeleteFunc(p.workers, func(other *modelWorker) bool { return other == w })
	if unasked && !p.draining {
		p.ended(now, !clean || w.judged, w.took)
	}
	p.rest()
}

// ended is supervision's say on a worker that ended without having been asked to.
func (p *modelPool) ended(now time.Time, failure, took bool) {
	replace := p.opts.Restart == supervise.Always || p.opts.Restart == supervise.OnFailure && failure
	switch {
	case p.halted:
	case !replace:
		if p.givenUp++; p.live() > p.kept() {
			p.givenUp-- // the size came down while it was stopping
		}
		if !took {
			p.forgetIdle(now)
			p.idle, p.idleSince = p.idle+1, now
		}
	case p.spend(now, took):
		p.n.Restarted++
		p.held++
	}
}

func (p *modelPool) forgetIdle(now time.Time) {
	if now.Sub(p.idleSince) > p.opts.RestartWindow {
		p.idle = 0
	}
}

// spend counts a replacement, or halts the pool.
func (p *modelPool) spend(now time.Time, took bool) bool {
	budget := int(p.opts.MaxRestarts)
	if p.opts.MaxRestarts == service.UnlimitedRestarts {
		if took {
			return true
		}
		budget = int(service.DefaultMaxRestarts)
	}
	p.replaced = slices.DeleteFunc(p.replaced, func(at time.Time) bool { return now.Sub(at) > p.opts.RestartWindow })
	if len(p.replaced) == budget {
		p.halted = true
		return false
	}
	p.replaced = append(p.replaced, now)
	return true
}

// judge is the verdict on a task that has timed out.
func (p *modelPool) judge(w *modelWorker) {
	w.judged = true
	if w.hand.leg || w.hand.attempt > p.opts.Retries {
		p.failed(w.hand, service.ErrTaskTimeout)
		w.hand = nil
	}
}

// rest is what follows when workers have gone.
func (p *modelPool) rest() {
	defer p.tellDrainers()
	switch {
	case p.draining && len(p.workers) == 0 && !p.drained:
		p.drained = true
		p.drops = len(p.parked)
		p.dropped(p.parked, service.ErrTasksDropped)
		p.parked = nil
		p.supervisor.settle(nil, "")
		p.supervisor = nil
	case p.halted && p.live() == 0 && !p.draining:
		p.refuseWaits(service.ErrPoolHalted)
		for _, t := range p.parked {
			t.wait.settle(service.ErrPoolHalted, "")
		}
	}
}

// tellDrainers ends the calls of DrainWait on a pool that is drained.
func (p *modelPool) tellDrainers() {
	if !p.drained {
		return
	}
	for _, w := range p.drainers {
		if p.drops > 0 {
			w.settle(service.ErrTasksDropped, "")
		} else {
			w.settle(nil, "")
		}
	}
	p.drainers = nil
}

// destroyed is the end of a pool.
func (p *modelPool) destroyed() {
	p.refuseWaits(service.ErrPoolDestroyed)
	for _, w := range p.workers {
		for _, task := range w.box {
			if !task.foreign {
				p.dropped([]*modelTask{task}, service.ErrPoolDestroyed)
			}
		}
		if w.hand != nil {
			p.failed(w.hand, service.ErrPoolDestroyed)
		}
		p.n.Exited++
	}
	p.dropped(p.parked, service.ErrPoolDestroyed)
	for _, w := range append(p.drainers, p.supervisor) {
		w.settle(service.ErrPoolDestroyed, "")
	}
	p.workers, p.parked = nil, nil
}
