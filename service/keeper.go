package service

import (
	"time"

	"github.com/wago-org/workers"
)

// errCreatorClosed is the cause of a pool's end with its creator.
const errCreatorClosed = workers.ErrWorkerParentClosed

// keep is the pool's own goroutine: it ends the pool with its creator, shrinks it when a lower size has held, and gives the
// verdict on tasks that run too long. It sleeps unless one of these is due.
func (p *pool) keep() {
	var alarm alarm
	defer alarm.stop()
	for {
		select {
		case <-p.closing:
			p.s.endPool(p, errCreatorClosed, ReasonCreatorClosed)
			return
		case <-p.ended:
			return
		case <-p.poked:
		case <-alarm.c:
		}
		alarm.set(p.tend())
	}
}

// poke has the keeper look.
func (p *pool) poke() {
	select {
	case p.poked <- struct{}{}:
	default:
	}
}

// tend does what is due and returns when to look again; zero: not before somebody pokes.
func (p *pool) tend() time.Time {
	now := time.Now()
	var next time.Time
	_ = p.s.lease(func(w port) error { // refused: the runtime is going, and the pool with it
		next = earlier(p.judge(w, now), p.shrinkWhenDue(w, now))
		return nil
	})
	return next
}

// shrinkWhenDue decides the size when the load has fallen, and returns when to decide again. Of a halted pool nothing is decided
// until Rearm.
func (p *pool) shrinkWhenDue(w port, now time.Time) time.Time {
	if p.elastic == nil {
		return time.Time{}
	}
	if p.shrinkDue(now) {
		p.s.share(w, now)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.machine.Halted() {
		return time.Time{}
	}
	return p.elastic.look
}

func (p *pool) shrinkDue(now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.machine.Halted() {
		return false
	}
	if p.elastic.pending {
		return !p.elastic.look.After(now)
	}
	return p.load.Load() <= p.shrinkAt.Load()
}

// alarm is a timer that can be set again and again, or not at all.
type alarm struct {
	timer *time.Timer
	c     <-chan time.Time
}

func (a *alarm) set(at time.Time) {
	a.stop()
	if at.IsZero() {
		return
	}
	a.timer = time.NewTimer(time.Until(at))
	a.c = a.timer.C
}

func (a *alarm) stop() {
	if a.timer != nil {
		a.timer.Stop()
	}
	a.timer, a.c = nil, nil
}

// earlier returns the earlier of two times; zero is never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || (!b.IsZero() && b.Before(a)) {
		return b
	}
	return a
}
