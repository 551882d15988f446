package service

import (
	"context"
	"time"

	"github.com/wago-org/wago"
)

// Supervise implements Service.
func (s *Pools) Supervise(ctx context.Context, caller wago.HostModule, id ID) error {
	ctx = orBackground(ctx)
	return s.sizing(caller, id, func(w port, p *pool) error {
		closing, err := w.closing(caller)
		if err != nil {
			return err
		}
		if err := p.takeWatch(); err != nil {
			return err
		}
		defer p.leaveWatch()
		return p.watch(ctx, w, caller, closing)
	})
}

func (p *pool) takeWatch() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.supervised {
		return ErrPoolSupervised
	}
	p.supervised = true
	return nil
}

// shortLocked reports whether a worker is missing that may be started.
func (p *pool) shortLocked() bool {
	return !p.isEnded && !p.draining && !p.machine.Halted() && p.live()+p.spawning < p.desiredLocked()
}

func (p *pool) leaveWatch() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.supervised = false
}

// watch keeps the pool at its size until it is over. It sleeps until something happens that may change what is to be done.
func (p *pool) watch(ctx context.Context, w port, caller wago.HostModule, closing <-chan struct{}) error {
	var again retry
	for {
		why, err := p.sleep(ctx, p.heal(w, caller, &again), closing)
		switch {
		case isClosed(p.drained):
			return nil // whatever came after
		case why == creatorGoes:
			p.end(w, errCreatorClosed, ReasonCreatorClosed)
			return p.endError()
		case why == isOver:
			return err
		}
	}
}

// waking is why a watch woke up.
type waking uint8

const (
	called      waking = iota // there may be something to do
	isOver                    // the pool or the context ended
	creatorGoes               // the owner's instance begins to close
)

// sleep waits for a wake-up, for next when that is above zero, or for the end of the watch.
func (p *pool) sleep(ctx context.Context, next time.Duration, closing <-chan struct{}) (waking, error) {
	var alarm <-chan time.Time
	if next > 0 {
		timer := time.NewTimer(next)
		defer timer.Stop()
		alarm = timer.C
	}
	select {
	case <-p.drained:
		return isOver, nil
	case <-p.ended:
		return isOver, p.endError()
	case <-closing:
		return creatorGoes, nil
	case <-ctx.Done():
		return isOver, ctx.Err()
	case <-alarm:
	case <-p.wake:
	}
	return called, nil
}

// heal does what the pool needs and returns when to look again without being woken: after a spawn that was refused or failed, at
// the end of a backoff, or when a ceiling may have moved. Zero: never.
func (p *pool) heal(w port, caller wago.HostModule, again *retry) time.Duration {
	now, exits := time.Now(), p.s.exitCount.Load()
	if wait := again.wait(now, exits); wait > 0 {
		p.settle(w, now)
		return wait
	}
	if err := p.reconcile(w, caller); err != nil {
		return again.failed(err, exits)
	}
	*again = retry{}
	p.mu.Lock()
	defer p.mu.Unlock()
	now = time.Now()
	at, wait := p.machine.Ready(now)
	switch {
	case wait && p.shortLocked():
		return at.Sub(now)
	case p.limit != nil:
		return spawnRetry // what others reserved may have come back without a worker's end
	}
	return 0
}
