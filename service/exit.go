package service

import (
	"time"

	"github.com/JairusSW/pool/supervise"
	"github.com/wago-org/workers"
)

// onExit is Pool's exit observer: a worker has ended.
func (s *Pools) onExit(exit *workers.WorkerExitContext) {
	m := s.index.get(exit.WorkerID)
	if m == nil {
		m = s.nursery.exited(s, exit)
	}
	s.exitCount.Add(1)
	s.exitedAt.Store(s.now())
	if m != nil {
		m.exited(*exit)
	}
	s.wakeHungry()
}

// exited takes a worker that has ended out of its pool: what it had in hand is settled, what lay in its mailbox goes to the
// others, its place is replaced or given up.
func (m *member) exited(exit workers.WorkerExitContext) {
	p := m.pool
	p.s.index.remove(m.id)
	p.mu.Lock()
	if !m.orphan && p.creatorGone(exit) {
		p.endLocked(errCreatorClosed, ReasonCreatorClosed) // the others are being stopped with it
	}
	p.bodies--
	p.s.releaseWorkers(1)
	if !m.orphan {
		p.buryLocked(m, exit)
	}
	p.restLocked()
	p.nudge()
	p.mu.Unlock()
	p.freed()
}

// creatorGone reports whether a worker ended because its creator or the runtime closes: its siblings are ending too. Where
// Workers can't tell directly the cause of the exit does.
func (p *pool) creatorGone(exit workers.WorkerExitContext) bool {
	if p.closing == nil {
		return exit.Err == workers.ErrWorkerParentClosed || exit.Err == workers.ErrWorkerRuntimeClosed
	}
	return isClosed(p.closing)
}

// buryLocked accounts for m's end.
func (p *pool) buryLocked(m *member, exit workers.WorkerExitContext) {
	now := time.Now()
	end := m.layDownLocked(exit)
	p.ledger.exited++
	if exit.Kind == workers.WorkerFailed {
		p.ledger.failedExits++
	}
	p.lastExit = WorkerExit{Worker: m.id, Kind: exit.Kind, Err: exit.Err, Time: now}
	p.dropLocked(end.legs, m.id, ReasonWorkerExited, ErrTasksDropped, exit.Err)
	p.takeInLocked(end.left)
	wasSize := p.desiredLocked()
	decision := p.decideLocked(now, end, exit)
	p.setSlotLocked(m.slot, slot{held: decision == supervise.Replace || (p.machine.Halted() && end.unasked)})
	p.emit(Event{Kind: PoolWorkerRemoved, Worker: m.id, ExitKind: exit.Kind, Err: exit.Err})
	p.reportLocked(decision, end, wasSize, exit.Err)
	if !p.isEnded {
		p.publishLocked()
	}
}

// ending is what a worker left behind.
type ending struct {
	left    []entry // tasks for other workers, in the mailbox's order
	legs    []entry // broadcast legs: nobody else's
	took    bool    // it took a task at some time
	unasked bool    // nobody had told it to go
	judged  bool    // a verdict ended it
}

// layDownLocked ends m: its hand is settled by how it ended, its counts join the pool's past.
func (m *member) layDownLocked(exit workers.WorkerExitContext) ending {
	m.mu.Lock()
	defer m.mu.Unlock()
	end := ending{took: m.took, judged: m.judged, unasked: m.judged || m.routableLocked()}
	m.state = memberGone
	if m.endedWell(exit.Kind) {
		m.settleLocked(outcome{})
	} else if again, ok := m.retryLocked(exit.Err); ok {
		end.left = append(end.left, again)
	} else {
		m.failLocked(outcome{kind: ErrTaskFailed, cause: exit.Err}, ReasonWorkerExited)
	}
	for _, e := range m.clearQueueLocked() {
		if e.leg {
			end.legs = append(end.legs, e)
			continue
		}
		e.redeliver, e.counted = true, true
		end.left = append(end.left, e)
	}
	m.updateLocked()
	m.pool.past.add(&m.counts)
	m.counts = memberCounts{}
	return end
}

// endedWell reports whether m's end settles what it had in hand as done: a clean return, or of a raw worker its retirement by
// a kill.
func (m *member) endedWell(kind workers.WorkerExitKind) bool {
	if m.retired && !m.pooled && kind == workers.WorkerKilled {
		return true
	}
	return kind == workers.WorkerReturned && !m.judged
}

// retryLocked takes the task out of m's hand when it has a delivery left.
func (m *member) retryLocked(cause error) (entry, bool) {
	if !m.holding || m.hand.leg || !supervise.Retry(m.hand.attempt, m.pool.opts.Retries) {
		return entry{}, false
	}
	e := m.letGoLocked()
	e.counted, e.redeliver = true, false
	m.pool.ledger.retried++
	m.pool.emit(Event{Kind: PoolTaskRetried, Worker: m.id, Tag: e.tag, Key: e.key, Attempt: e.attempt, Err: cause})
	return e, true
}

// add sums what Stats makes a pool's figures of.
func (c *memberCounts) add(more *memberCounts) {
	c.dispatched += more.dispatched
	c.undelivered += more.undelivered
	c.recounted += more.recounted
	c.done += more.done
	c.failed += more.failed
	c.foreign += more.foreign
	c.legs += more.legs
	c.redelivered += more.redelivered
}

// decideLocked asks supervision about an end that nobody had asked for; zero means that there was nothing to decide.
func (p *pool) decideLocked(now time.Time, end ending, exit workers.WorkerExitContext) supervise.Verdict {
	if !end.unasked || p.isEnded || p.draining {
		return 0
	}
	decision := p.machine.Exited(now, supervise.Exit{Failed: end.judged || exit.Kind != workers.WorkerReturned, Took: end.took})
	switch {
	case decision == supervise.Replace:
		p.ledger.restarted++
	case decision == supervise.GiveUp && !p.machine.Halted():
		p.givenUp++
		p.retakeLocked() // it is not its place that is missing when the size came down while it was stopping
		if p.elastic != nil {
			p.watchLoadLocked(false)
		}
	}
	return decision
}

// reportLocked says what the decision means.
func (p *pool) reportLocked(decision supervise.Verdict, end ending, wasSize uint32, cause error) {
	switch {
	case decision == supervise.Halt:
		p.emit(Event{Kind: PoolHalted, Err: cause, Reason: ReasonHalt})
	case decision == supervise.GiveUp && !p.machine.Halted():
		p.emit(Event{Kind: PoolScaled, From: wasSize, To: p.desiredLocked(), Reason: ReasonGaveUp})
	}
}

// restLocked does what follows once workers have gone: a drain that is over, an end that is complete, waits that are in vain.
func (p *pool) restLocked() {
	switch {
	case p.isEnded:
		p.finishLocked()
	case p.draining:
		p.finishDrainLocked()
	case p.stalledLocked():
		p.stalled.Store(true)
		p.stallLocked()
	}
}
