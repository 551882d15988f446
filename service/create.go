package service

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"time"

	"github.com/JairusSW/pool/autoscale"
	"github.com/JairusSW/pool/strategy"
	"github.com/JairusSW/pool/supervise"
	"github.com/wago-org/wago"
)

// Create implements Service.
func (s *Pools) Create(caller wago.HostModule, tableIndex uint32, opts Options) (ID, error) {
	if err := s.active(); err != nil {
		return 0, err
	}
	var id ID
	err := s.lease(func(w port) error {
		who, closing, err := w.founder(caller)
		if err != nil {
			return err
		}
		p, err := s.newPool(opts)
		if err != nil {
			return err
		}
		p.owner, p.tableIndex = who, tableIndex
		if id, err = s.register(p, closing); err != nil {
			return err
		}
		if err := p.fill(w, caller); err != nil {
			return err
		}
		s.endDrained(w, who)
		return nil
	})
	if err != nil {
		return 0, err
	}
	return id, nil
}

// founder returns who caller is, and a channel that closes when its instance begins to close; ErrCallerEnding: it has begun.
func (w port) founder(caller wago.HostModule) (who wago.InstanceIdentity, closing <-chan struct{}, err error) {
	if closing, err = w.closing(caller); err != nil {
		return who, nil, err
	}
	if isClosed(closing) {
		return who, nil, ErrCallerEnding
	}
	who, err = w.identity(caller)
	return who, closing, err
}

// newPool checks everything that needs no worker.
func (s *Pools) newPool(opts Options) (*pool, error) {
	opts, err := opts.normalize(s.limits)
	if err != nil {
		return nil, err
	}
	machine, err := supervise.New(supervise.Config{
		Policy: opts.Restart, MaxRestarts: opts.MaxRestarts, Window: opts.RestartWindow, Backoff: opts.RestartBackoff,
	}, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidPoolOptions, err)
	}
	p := &pool{
		s: s, opts: opts, machine: machine, base: opts.MinWorkers, filling: true,
		wake: make(chan struct{}, 1), poked: make(chan struct{}, 1), drained: make(chan struct{}), ended: make(chan struct{}), gone: make(chan struct{}),
	}
	if opts.isElastic() {
		p.elastic = &elastic{damper: autoscale.NewDamper(opts.ScaleDownDelay)}
		p.elastic.damper.Set(time.Now(), p.base)
		p.watchLoadLocked(false)
	}
	return p, nil
}

// register gives the pool its id and its place among the others, and has somebody watch its creator.
func (s *Pools) register(p *pool, closing <-chan struct{}) (ID, error) {
	id, err := s.reservePool()
	if err != nil {
		return 0, err
	}
	p.id, p.closing = id, closing
	p.opts.HashSeed = orDefault(p.opts.HashSeed, rand.Uint64())
	picker, err := strategy.New(p.opts.Strategy, strategy.Options{Seed: p.opts.HashSeed, Replicas: p.opts.RingReplicas})
	if err != nil {
		s.releasePool()
		return 0, fmt.Errorf("%w: %w", ErrInvalidPoolOptions, err)
	}
	p.snap.Store(&snapshot{picker: picker, view: picker.View(nil, nil)})
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := s.enlist(p); err != nil {
		s.releasePool()
		return 0, err
	}
	p.emit(Event{Kind: PoolCreated})
	if p.elastic != nil {
		s.hungry.Add(1)
	}
	s.keepers.Go(func() { p.keep() })
	return id, nil
}

// enlist makes the pool findable, unless the service was stopped meanwhile.
func (s *Pools) enlist(p *pool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.active(); err != nil {
		return err
	}
	pools := maps.Clone(*s.pools.Load())
	pools[p.id] = p
	s.pools.Store(&pools)
	return nil
}

// fill starts the pool's first workers. When it can't, it takes the pool back and returns after the last worker has gone.
func (p *pool) fill(w port, caller wago.HostModule) error {
	unwound := true // by the start of a guest
	defer func() {
		if unwound {
			p.end(w, ErrPoolDestroyed, ReasonCreateFailed)
		}
	}()
	err := p.startFirst(w, caller)
	if unwound = false; err == nil {
		return nil
	}
	p.end(w, err, ReasonCreateFailed)
	if remain := waitGone(context.Background(), []*pool{p}, destroyWait); remain != nil {
		return errors.Join(bare(err), remain)
	}
	return bare(err)
}

func (p *pool) startFirst(w port, caller wago.HostModule) error {
	n, err := p.claim(time.Now())
	if err != nil {
		p.abandon(n)
	} else {
		err = p.grow(w, caller, n)
	}
	if err != nil {
		p.setLimit(err)
		return err
	}
	return p.incomplete()
}

// incomplete ends the filling and says why the pool has not started all its workers, when it was ended or halted meanwhile.
func (p *pool) incomplete() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.filling = false
	switch {
	case p.isEnded:
		return p.destroyedError()
	case p.stalledLocked():
		return p.haltedLocked()
	}
	return nil
}
