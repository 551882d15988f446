package service

import (
	"context"

	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// DispatchNext implements Service.
func (s *Pools) DispatchNext(ctx context.Context, caller wago.HostModule) error {
	return s.takeTurn(&turn{verb: dispatch, caller: caller, ctx: orBackground(ctx)})
}

func (m *member) dispatch(w port, t *turn) error {
	if err := m.beginDispatch(w); err != nil {
		return err
	}
	defer m.dispatching.Store(false)
	return w.DispatchNext(t.ctx, t.caller)
}

// beginDispatch settles the task in hand and marks what comes next as Pool's own.
func (m *member) beginDispatch(w port) error {
	m.mu.Lock()
	if m.stopCause != nil {
		defer m.mu.Unlock()
		return m.stopCause
	}
	if !m.dispatching.CompareAndSwap(false, true) {
		defer m.mu.Unlock()
		return workers.ErrWorkerDispatchActive
	}
	m.freeSince = 0
	if m.settleLocked(outcome{}); m.queue.len() == 0 {
		m.freeSince = 0
	}
	leaving := m.leavingLocked()
	m.mu.Unlock()
	if leaving {
		m.pool.retire(w, m)
	}
	return nil
}

// onMessage is Pool's message observer: Workers hands a message out.
func (s *Pools) onMessage(msg *workers.MessageContext) error {
	m := s.index.get(msg.WorkerID)
	if m == nil {
		return nil
	}
	leaving, err := m.take(msg.Tag, msg.Payload)
	if err != nil {
		return err
	}
	m.pool.freed()
	if leaving {
		_ = s.lease(func(w port) error { // refused: the runtime is going
			m.pool.retire(w, m)
			return nil
		})
	}
	return nil
}

// take moves the head of the mirror into m's hand. A message that is not the head was sent past Pool. After a verdict m
// takes no task: the error ends the worker, if it has not ended yet. leaving: it may have to be retired.
func (m *member) take(tag uint64, payload []byte) (leaving bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stopCause != nil {
		return false, m.stopCause
	}
	m.settleLocked(outcome{}) // a raw worker's last task is done when it takes the next
	m.took = true
	if m.queue.len() == 0 || !m.queue.at(0).is(tag, payload) {
		m.counts.foreign++
		return m.leavingLocked(), nil
	}
	m.hand = m.queue.pop()
	m.holding, m.pooled = true, m.dispatching.Load()
	m.hand.attempt++
	m.handSince = m.freeSince
	if !m.pooled || m.freeSince == 0 {
		m.handSince = m.pool.s.now()
	}
	m.hand.call.taken(m.id, m.hand.attempt)
	m.bytes -= m.hand.size
	m.counts.dispatched++
	m.counts.queueNanos += uint64(m.handSince - m.hand.queued)
	m.updateLocked()
	m.pool.timed()
	return m.leavingLocked(), nil
}
