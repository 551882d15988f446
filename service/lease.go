package service

import (
	"github.com/wago-org/workers"
)

// Lease gives access to the Workers plugin for the length of a callback. (*wagoplugin.Ref[workers.Service]) is one.
//
// Safe for concurrent use.
type Lease interface {
	With(func(workers.Service) error) error
}

// openLease is what a Lease may offer beyond that: to be entered without a callback. Every Enter that succeeds is followed by
// one Leave.
type openLease interface {
	Enter() (workers.Service, error)
	Leave()
}

// This file is the one place that enters the lease. No lock of this package may be held around it.

// lease runs something within the lease.
func (s *Pools) lease(run func(port) error) error {
	entered := false
	err := s.ref.With(func(w workers.Service) error {
		entered = true
		return run(port{w})
	})
	if err != nil && !entered {
		return ErrWorkersUnavailable
	}
	return err
}

// attempt makes one attempt to give e to a worker of p.
func (s *Pools) attempt(p *pool, e *entry) (*member, error) {
	if s.open == nil {
		return s.attemptWithin(p, *e)
	}
	w, err := s.open.Enter()
	if err != nil {
		return nil, ErrWorkersUnavailable
	}
	defer s.open.Leave()
	return p.accept(port{w}, e) // without a callback e stays on the submitter's stack
}

func (s *Pools) attemptWithin(p *pool, e entry) (m *member, err error) {
	err = s.lease(func(w port) error {
		m, err = p.accept(w, &e)
		return err
	})
	return m, err
}

// takeTurn takes a worker's turn.
func (s *Pools) takeTurn(t *turn) error {
	if err := s.active(); err != nil {
		return err
	}
	if s.open == nil {
		return s.takeTurnWithin(t)
	}
	w, err := s.open.Enter()
	if err != nil {
		return ErrWorkersUnavailable
	}
	defer s.open.Leave()
	return t.run(s, port{w}) // without a callback t stays on the worker's stack
}

func (s *Pools) takeTurnWithin(t *turn) error {
	within := *t
	err := s.lease(func(w port) error { return within.run(s, w) })
	*t = within
	return err
}
