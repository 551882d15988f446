package service

// A halted pool has its dead workers replaced no more until Rearm. Without a worker left it is stalled: who waits is told so.

import (
	"fmt"

	"github.com/wago-org/workers"
)

// haltLocked follows a spawn for which supervision has just halted the pool: workers end before they take anything.
func (p *pool) haltLocked() {
	p.emit(Event{Kind: PoolHalted, Err: p.lastExit.Err, Reason: ReasonHalt})
	p.restLocked()
}

// stalledLocked reports whether the pool is halted without workers: nothing moves until Rearm.
func (p *pool) stalledLocked() bool { return p.machine.Halted() && p.live() == 0 && p.spawning == 0 }

// stallLocked tells those who wait that the pool is halted without workers. Parked tasks stay for Rearm.
func (p *pool) stallLocked() {
	err := p.haltedLocked()
	p.refuseWaitingLocked(err)
	for i := range p.parked.len() {
		e := p.parked.at(i)
		e.call.finish(outcome{kind: ErrPoolHalted, cause: p.lastExit.Err, pending: true})
		e.call = nil
	}
}

// haltedLocked is what those who wait for a stalled pool are told.
func (p *pool) haltedLocked() error {
	if p.lastExit.Worker == 0 {
		return ErrPoolHalted
	}
	last := fmt.Errorf("worker %d %s", p.lastExit.Worker, exitText(p.lastExit.Kind))
	if p.lastExit.Err != nil {
		last = fmt.Errorf("%w: %w", last, p.lastExit.Err)
	}
	return fmt.Errorf("%w: %w", ErrPoolHalted, last)
}

// exitText names a kind of exit.
func exitText(kind workers.WorkerExitKind) string {
	switch kind {
	case workers.WorkerReturned:
		return "returned"
	case workers.WorkerFailed:
		return "failed"
	case workers.WorkerKilled:
		return "was killed"
	}
	return "ended"
}

// Rearm implements Service.
func (s *Pools) Rearm(id ID) error {
	p, err := s.find(id)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.closedLocked(); err != nil {
		return err
	}
	if p.machine.Halted() {
		p.stalled.Store(false)
		p.emit(Event{Kind: PoolRearmed, Reason: ReasonRearm})
	}
	p.machine.Rearm()
	p.givenUp = 0
	p.nudge()
	p.poke()
	return nil
}
