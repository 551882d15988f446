package service

import (
	"fmt"
	"time"

	"github.com/JairusSW/pool/supervise"
)

// timed has the keeper watch the clock of a task that m has just taken. Later tasks run out later, so one look is enough.
func (p *pool) timed() {
	if p.opts.TaskTimeout > 0 && p.timing.CompareAndSwap(false, true) {
		p.poke()
	}
}

// judge gives the verdict on every task that has been in hand for too long, and returns when the next one will have been.
func (p *pool) judge(w port, now time.Time) (next time.Time) {
	if !p.timing.Load() {
		return next
	}
	p.timing.Store(false)
	condemned := make(map[WorkerID]error)
	for _, m := range p.snap.Load().members {
		if m == nil {
			continue
		}
		due, cause := m.judge(now)
		if cause != nil {
			condemned[m.id] = cause
		}
		next = earlier(next, due)
	}
	if !next.IsZero() {
		p.timing.Store(true)
	}
	p.execute(w, condemned)
	return next
}

// execute takes the condemned out of routing and stops them.
func (p *pool) execute(w port, condemned map[WorkerID]error) {
	if len(condemned) == 0 {
		return
	}
	p.mu.Lock()
	p.publishLocked()
	p.mu.Unlock()
	p.resized(w) // workers that had joined unseen are to be seen now
	for id, cause := range condemned {
		w.kill(id, 0, cause)
	}
}

// judge condemns m when its task has run for too long: from then on it takes no task, and nothing it does changes the ledger.
// It returns the cause to stop m for, or else when its task is due.
func (m *member) judge(now time.Time) (due time.Time, cause error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	limit := m.pool.opts.TaskTimeout
	if !m.holding || !m.pooled || m.state != memberLive {
		return time.Time{}, nil
	}
	if left := limit - time.Duration(m.pool.s.now()-m.handSince); left > 0 {
		return now.Add(left), nil
	}
	cause = fmt.Errorf("%w: task %d was in hand for %v", ErrTaskTimeout, m.hand.tag, limit)
	m.state, m.stopCause, m.judged = memberStopping, cause, true
	if m.hand.leg || !supervise.Retry(m.hand.attempt, m.pool.opts.Retries) {
		m.failLocked(outcome{kind: ErrTaskTimeout, cause: cause}, ReasonTimeout)
	}
	m.updateLocked()
	return time.Time{}, cause
}
