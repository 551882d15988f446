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
	for _, m := range p.snap.Load().members {
		if m == nil {
			continue
		}
		due, cause := m.judge(now)
		if cause != nil {
			w.kill(m.id, 0, cause)
		}
		next = earlier(next, due)
	}
	if !next.IsZero() {
		p.timing.Store(true)
	}
	return next
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
	if due = m.pool.s.epoch.Add(time.Duration(m.handSince) + limit); due.After(now) {
		return due, nil
	}
	cause = fmt.Errorf("%w: task %d was in hand for %v", ErrTaskTimeout, m.hand.tag, limit)
	m.state, m.stopCause, m.judged = memberStopping, cause, true
	if m.hand.leg || !supervise.Retry(m.hand.attempt, m.pool.opts.Retries) {
		m.failLocked(outcome{kind: ErrTaskTimeout, cause: cause}, ReasonTimeout)
	}
	m.updateLocked()
	return time.Time{}, cause
}
