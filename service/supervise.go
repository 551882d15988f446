package service

import (
	"context"
	"time"

	"github.com/wago-org/wago"
)

// Supervise tries a spawn again that was refused or failed after spawnRetry, or when a worker of the process ends. That end is
// seen before Workers has given its place back: a quota's refusal is tried again after quotaRetry first, then after twice as
// long each time, up to spawnRetry.
const (
	spawnRetry = time.Second
	quotaRetry = time.Millisecond
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
		next, err := p.heal(w, caller)
		if err != nil {
			next = again.after(err)
		} else {
			again = retry{}
		}
		why, err := p.sleep(ctx, next, closing)
		switch {
		case isClosed(p.drained):
			return nil // whatever came after
		case why == called:
			again = retry{}
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
	called      waking = iota // something has changed
	due                       // it is time
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
		return due, nil
	case <-p.wake:
		return called, nil
	}
}

// retry says when a spawn that was refused or failed is tried again. The zero value is for the first time.
type retry struct{ last time.Duration }

func (r *retry) after(err error) time.Duration {
	if r.last = min(max(2*r.last, quotaRetry), spawnRetry); !isQuota(err) {
		r.last = spawnRetry
	}
	return r.last
}

// heal reconciles once and returns when to look again without being woken: at the end of a backoff, or when a ceiling may have
// moved; zero: never. An error is what stopped growth.
func (p *pool) heal(w port, caller wago.HostModule) (time.Duration, error) {
	if err := p.reconcile(w, caller); err != nil {
		return 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	at, wait := p.machine.Ready(now)
	switch {
	case wait && p.shortLocked():
		return at.Sub(now), nil
	case p.limit != nil:
		return spawnRetry, nil // what others reserved may have come back without a worker's end
	}
	return 0, nil
}
