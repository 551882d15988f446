package service

import (
	"slices"

	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// Current implements Service.
func (s *Pools) Current(caller wago.HostModule) (Task, error) {
	var task Task
	err := s.inHand(caller, func(m *member) error {
		task = m.hand.task()
		return nil
	})
	return task, err
}

// Complete implements Service.
func (s *Pools) Complete(caller wago.HostModule, result []byte) error {
	return s.inHand(caller, func(m *member) error {
		if uint64(len(result)) > uint64(m.pool.opts.Worker.MaxPayloadBytes) {
			return ErrPayloadTooLarge
		}
		if m.hand.call != nil {
			result = slices.Clone(result)
		}
		m.settleLocked(outcome{result: result})
		return nil
	})
}

// Fail implements Service.
func (s *Pools) Fail(caller wago.HostModule, cause error) error {
	return s.inHand(caller, func(m *member) error {
		m.failLocked(outcome{kind: ErrTaskFailed, cause: cause}, ReasonGuestFailed)
		return nil
	})
}

// inHand calls use under the lock of the calling worker, which has a task in hand.
func (s *Pools) inHand(caller wago.HostModule, use func(*member) error) error {
	if err := s.open(); err != nil {
		return err
	}
	return s.lease(func(w port) error {
		id, err := w.Current(caller)
		if err != nil {
			return err
		}
		m := s.index.get(id)
		if m == nil {
			return s.nursery.unknown(s, id)
		}
		leaving, err := m.using(use)
		if leaving {
			m.pool.retire(w, m)
		}
		return err
	})
}

func (m *member) using(use func(*member) error) (leaving bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.holding || m.judged {
		return false, ErrNoTask
	}
	err = use(m)
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

// notAWorker is the answer to a caller that is no pool's worker.
const notAWorker = workers.ErrWorkerNotFound
