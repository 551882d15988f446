package service

import (
	"slices"

	"github.com/wago-org/wago"
)

// Current implements Service.
func (s *Pools) Current(caller wago.HostModule) (Task, error) {
	t := turn{verb: current, caller: caller}
	err := s.take(&t)
	return t.task, err
}

// Complete implements Service.
func (s *Pools) Complete(caller wago.HostModule, result []byte) error {
	return s.take(&turn{verb: complete, caller: caller, result: result})
}

// Fail implements Service.
func (s *Pools) Fail(caller wago.HostModule, cause error) error {
	return s.take(&turn{verb: fail, caller: caller, cause: cause})
}

// handle does what a turn has to do with the task in hand. leaving: m may have to be retired then.
func (m *member) handle(t *turn) (leaving bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.holding || m.judged {
		return false, ErrNoTask
	}
	switch t.verb {
	case current:
		t.task = m.hand.task()
	case complete:
		err = m.completeLocked(t.result)
	case fail:
		m.failLocked(outcome{kind: ErrTaskFailed, cause: t.cause}, ReasonGuestFailed)
	}
	return m.leavingLocked(), err
}

func (m *member) completeLocked(result []byte) error {
	if uint64(len(result)) > uint64(m.pool.opts.Worker.MaxPayloadBytes) {
		return ErrPayloadTooLarge
	}
	if m.hand.call != nil {
		result = slices.Clone(result)
	}
	m.settleLocked(outcome{result: result})
	return nil
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
	c := m.letGoLocked().call
	m.updateLocked()
	c.finish(o)
}

// letGoLocked takes the task out of m's hand.
func (m *member) letGoLocked() entry {
	m.freeSince = m.pool.s.now()
	m.counts.runNanos += uint64(m.freeSince - m.handSince)
	e := m.hand
	m.hand, m.holding, m.pooled = entry{}, false, false
	return e
}

// retire stops m softly when it is on its way out and idle. A draining pool keeps it while tasks are parked.
func (p *pool) retire(w port, m *member) {
	m.mu.Lock()
	leaving := m.leavingLocked() && (m.cordons != 0 || p.parkedN.Load() == 0)
	if leaving {
		m.state, m.retired = memberStopping, !w.retires()
		m.updateLocked()
	}
	m.mu.Unlock()
	if leaving {
		w.retire(m.id)
	}
}

// retireIdle retires every member that is on its way out and idle.
func (p *pool) retireIdle(w port) {
	snap := p.snap.Load()
	if p.crew[cordoned].Load() == 0 && snap.admit != ErrPoolDraining {
		return
	}
	for _, m := range snap.members {
		if m != nil {
			p.retire(w, m)
		}
	}
}
