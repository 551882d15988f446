package service

import (
	"slices"

	"github.com/wago-org/wago"
)

// Current implements Service.
func (s *Pools) Current(caller wago.HostModule) (Task, error) {
	t := turn{verb: current, caller: caller}
	err := s.takeTurn(&t)
	return t.task, err
}

// Complete implements Service.
func (s *Pools) Complete(caller wago.HostModule, result []byte) error {
	return s.takeTurn(&turn{verb: complete, caller: caller, result: result})
}

// Fail implements Service.
func (s *Pools) Fail(caller wago.HostModule, cause error) error {
	return s.takeTurn(&turn{verb: fail, caller: caller, cause: cause})
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
	e := m.hand
	m.hand, m.holding, m.pooled = entry{}, false, false
	m.freeSince = m.pool.s.now()
	m.counts.runNanos += uint64(m.freeSince - m.handSince)
	return e
}
