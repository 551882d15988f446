package service

import (
	"slices"

	"github.com/wago-org/wago"
)

// Current implements Service.
func (s *Pools) Current(caller wago.HostModule) (Task, error) {
	t := s.begin(caller, (*turn).show)
	defer t.end()
	err := t.take()
	return t.task, err
}

// Complete implements Service.
func (s *Pools) Complete(caller wago.HostModule, result []byte) error {
	t := s.begin(caller, (*turn).complete)
	defer t.end()
	t.result = result
	return t.take()
}

// Fail implements Service.
func (s *Pools) Fail(caller wago.HostModule, cause error) error {
	t := s.begin(caller, (*turn).fail)
	defer t.end()
	t.cause = cause
	return t.take()
}

func (t *turn) show(w port, id WorkerID, m *member) error {
	return t.inHand(w, id, m, func() error {
		t.task = m.hand.task()
		return nil
	})
}

func (t *turn) complete(w port, id WorkerID, m *member) error {
	return t.inHand(w, id, m, func() error {
		if uint64(len(t.result)) > uint64(m.pool.opts.Worker.MaxPayloadBytes) {
			return ErrPayloadTooLarge
		}
		if m.hand.call != nil {
			t.result = slices.Clone(t.result)
		}
		m.settleLocked(outcome{result: t.result})
		return nil
	})
}

func (t *turn) fail(w port, id WorkerID, m *member) error {
	return t.inHand(w, id, m, func() error {
		m.failLocked(outcome{kind: ErrTaskFailed, cause: t.cause}, ReasonGuestFailed)
		return nil
	})
}

// inHand calls use under the lock of the calling worker, which has a task in hand.
func (t *turn) inHand(w port, id WorkerID, m *member, use func() error) error {
	if m == nil {
		return t.s.nursery.unknown(t.s, id)
	}
	leaving, err := m.using(use)
	if leaving {
		m.pool.retire(w, m)
	}
	return err
}

func (m *member) using(use func() error) (leaving bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.holding || m.judged {
		return false, ErrNoTask
	}
	err = use()
	return m.leavingLocked(), err
}

// settleLocked ends the task in hand, if there is one, as done.
func (m *member) settleLocked(o outcome) {
	if !m.holding {
		return
	}
	m.counts.done++
	m.emptyHandLocked(o)
}

// failLocked ends the task in hand, if there is one, as failed.
func (m *member) failLocked(o outcome, why Reason) {
	if !m.holding {
		return
	}
	m.counts.failed++
	m.pool.emit(Event{
		Kind: PoolTaskFailed, Worker: m.id, Tag: m.hand.tag, Key: m.hand.key, Attempt: m.hand.attempt, Reason: why, Err: o.cause,
	})
	m.emptyHandLocked(o)
}

func (m *member) emptyHandLocked(o outcome) {
	m.counts.runNanos += uint64(m.pool.s.now() - m.handSince)
	m.hand.call.finish(o)
	m.hand, m.holding, m.pooled = entry{}, false, false
	m.updateLocked()
}

// retire stops m softly when it is on its way out and idle. A draining pool keeps it while tasks are parked.
func (p *pool) retire(w port, m *member) {
	m.mu.Lock()
	leaving := m.leavingLocked() && (m.cordons != 0 || p.parkedN.Load() == 0)
	if leaving {
		m.state, m.retired = memberStopping, true
		m.updateLocked()
	}
	m.mu.Unlock()
	if leaving {
		w.retire(m.id)
	}
}

// retireIdle retires every member that is on its way out and idle.
func (p *pool) retireIdle(w port) {
	for _, m := range p.snap.Load().members {
		if m != nil {
			p.retire(w, m)
		}
	}
}
