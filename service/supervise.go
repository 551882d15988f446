package service

import (
	"context"
	"time"

	"github.com/wago-org/wago"
)

// spawnRetry is how long Supervise waits before it tries a spawn again that was refused or failed, unless a worker of the
// process ends first.
const spawnRetry = time.Second

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
	return !p.isEnded && !p.draining && !p.halted && p.liveLocked()+p.spawning < p.desiredLocked()
}

func (p *pool) leaveWatch() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.supervised = false
}

// watch keeps the pool at its size until it is over. It sleeps until something happens that may change what is to be done.
func (p *pool) watch(ctx context.Context, w port, caller wago.HostModule, closing <-chan struct{}) error {
	for {
		next := p.heal(w, caller)
		switch why, err := p.sleep(ctx, next, closing); why {
		case creatorGoes:
			p.end(w, errCreatorClosed, ReasonCreatorClosed)
			return p.endError()
		case isOver:
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

// heal reconciles once and returns when to look again without being woken: after a spawn that was refused, or at the end
// of a backoff. Zero: never.
func (p *pool) heal(w port, caller wago.HostModule) time.Duration {
	if err := p.reconcile(w, caller); err != nil {
		return spawnRetry
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	at, wait := p.machine.Ready(now)
	if wait && p.shortLocked() {
		return at.Sub(now)
	}
	return 0
}
