package service

import (
	"github.com/wago-org/workers"
)

// Lease gives access to the Workers plugin for the length of a callback. (*wagoplugin.Ref[workers.Service]) is one.
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

// visit is one way into the lease. What is done often uses its visits again, so that entering allocates nothing.
type visit struct {
	enter   func(workers.Service) error
	entered bool
}

// will has every entry with the visit call run.
func (v *visit) will(run func(port) error) {
	v.enter = func(w workers.Service) error {
		v.entered = true
		return run(port{w})
	}
}

// lend runs what the visit is for within the lease.
func (s *Pools) lend(v *visit) error {
	v.entered = false
	if err := s.ref.With(v.enter); v.entered || err == nil {
		return err
	}
	return ErrWorkersUnavailable
}

// lease is lend for what is done seldom.
func (s *Pools) lease(run func(port) error) error {
	var v visit
	v.will(run)
	return s.lend(&v)
}

// attempt makes one attempt to give e to a worker of p. Without a callback e can stay on the submitter's stack.
func (s *Pools) attempt(p *pool, e *entry) (*member, error) {
	if s.open == nil {
		return s.attemptWithin(p, *e)
	}
	w, err := s.open.Enter()
	if err != nil {
		return nil, ErrWorkersUnavailable
	}
	defer s.open.Leave()
	return p.accept(port{w}, e)
}

func (s *Pools) attemptWithin(p *pool, e entry) (m *member, err error) {
	err = s.lease(func(w port) error {
		m, err = p.accept(w, &e)
		return err
	})
	return m, err
}
