package service

import (
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// Reconcile implements Service.
func (s *Pools) Reconcile(caller wago.HostModule, id ID) error {
	return s.sizing(caller, id, func(w port, p *pool) error {
		if err := p.reconcile(w, caller); err != nil && !isLimit(err) {
			return err
		}
		return p.met()
	})
}

// met returns what a call gets that met the end of the pool while it was busy with it.
func (p *pool) met() error {
	if isClosed(p.ended) {
		return p.endError()
	}
	return nil
}

// sizing is the preamble of the methods that size a pool: a live caller, the pool, and its owner.
func (s *Pools) sizing(caller wago.HostModule, id ID, use func(port, *pool) error) error {
	if err := s.active(); err != nil {
		return err
	}
	return s.lease(func(w port) error {
		who, err := w.identity(caller)
		if err != nil {
			return err
		}
		p, err := s.find(id)
		if err != nil {
			return err
		}
		if err := p.ownedBy(w, caller, who); err != nil {
			return err
		}
		return use(w, p)
	})
}

// ownedBy checks that caller's instance created the pool. Without identities it tries to link a member, which only the creator can.
func (p *pool) ownedBy(w port, caller wago.HostModule, who wago.InstanceIdentity) error {
	if !who.IsZero() {
		if who != p.owner {
			return ErrPoolOwner
		}
		return nil
	}
	for _, m := range p.snap.Load().members {
		if m == nil {
			continue
		}
		switch err := w.Link(caller, m.id); err {
		case workers.ErrInvalidWorkerLink:
			return ErrPoolOwner
		case workers.ErrInvalidWorkerCaller:
			return err
		case nil:
			return nil
		}
	}
	return nil
}
