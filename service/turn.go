package service

import (
	"context"

	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// turn is one host call of a worker: it takes its next task, or has to do with the one in hand.
type turn struct {
	caller wago.HostModule
	verb   verb

	// what the verbs are given, and what they give back
	ctx    context.Context
	task   Task
	result []byte
	cause  error
}

type verb uint8

const (
	dispatch verb = iota
	current
	complete
	fail
)

// run takes the turn, as the worker that calls.
func (t *turn) run(s *Pools, w port) error {
	id, err := w.Current(t.caller)
	if err != nil {
		return err
	}
	m := s.index.get(id)
	switch {
	case t.verb == dispatch && m == nil:
		return s.nursery.dispatch(s, id, func() error { return w.DispatchNext(t.ctx, t.caller) })
	case t.verb == dispatch:
		return m.dispatch(w, t)
	case m == nil:
		return s.nursery.unknown(s, id)
	}
	leaving, err := m.handle(t)
	if leaving {
		m.pool.retire(w, m)
	}
	return err
}

// notAWorker is the answer to a caller that is no pool's worker.
const notAWorker = workers.ErrWorkerNotFound
