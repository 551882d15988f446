package puppet

import (
	"fmt"
	"sync"

	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/workerstest"
	"github.com/JairusSW/pool/service"
)

// Puppet is a worker that waits, inside a host call, for the next order.
//
// Safe for concurrent use.
type Puppet struct {
	// set once
	ID      service.WorkerID
	stage   *Stage
	orders  chan Order
	release chan struct{} // closed when it goes, having been told to stop

	message service.Task // the last that Workers handed it; guarded by the stage's mu

	mu       sync.Mutex // guards what follows
	busy     bool       // it carries an order out
	told     bool       // it has been told to stop, and is ready to go
	stubborn bool
}

// Order is what a puppet does in one host call: what it returns is what its guest does then.
type Order func(caller wago.HostModule) workerstest.Act

// step is the host call of every worker.
func (s *Stage) step(caller wago.HostModule) workerstest.Act {
	id, err := s.Harness.Service().Current(caller)
	if err != nil {
		return workerstest.Return
	}
	return s.enter(id).next(caller)
}

func (s *Stage) enter(id service.WorkerID) *Puppet {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.puppets[id]
	if p == nil {
		p = &Puppet{ID: id, stage: s, orders: make(chan Order, 1), release: make(chan struct{})}
		s.puppets[id] = p
	}
	return p
}

// leaves is the exit observer.
func (s *Stage) leaves(exit *workers.WorkerExitContext) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.puppets, exit.WorkerID)
}

// next waits for an order and carries it out. Unless it is stubborn, a puppet that is told to stop goes when it is let go.
func (p *Puppet) next(caller wago.HostModule) workerstest.Act {
	select {
	case order := <-p.orders:
		defer p.done()
		return order(caller)
	case <-p.stage.closing(caller):
		return p.farewell(caller)
	case <-p.stage.cut:
		return workerstest.Return
	}
}

// closing is the channel by which a caller learns that it is to stop; nil when Workers can't tell.
func (s *Stage) closing(caller wago.HostModule) <-chan struct{} {
	if watcher, ok := s.Harness.Service().(workerstest.Closer); ok {
		if closing, err := watcher.Closing(caller); err == nil {
			return closing
		}
	}
	return nil
}

// farewell waits until the puppet is let go, or gets an order all the same.
func (p *Puppet) farewell(caller wago.HostModule) workerstest.Act {
	p.mu.Lock()
	p.told = true
	p.mu.Unlock()
	select {
	case order := <-p.orders:
		defer p.done()
		return order(caller)
	case <-p.release:
	case <-p.stage.cut:
	}
	return workerstest.Return
}

// goes reports whether the puppet is waiting to be let go.
func (p *Puppet) goes() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.release:
		return false
	default:
		return p.told && !p.stubborn
	}
}

func (p *Puppet) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy = false
}

// Stubborn has the puppet stay when it is told to stop, until it is ordered to go.
func (p *Puppet) Stubborn() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stubborn = true
}

// Busy reports whether the puppet is carrying an order out, as one that waits for a task does.
func (p *Puppet) Busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.busy
}

// Do gives the puppet an order. It fails while the last one is not done.
func (p *Puppet) Do(order Order) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.busy {
		return fmt.Errorf("puppet: worker %d is waiting in a host call", p.ID)
	}
	p.busy = true
	p.orders <- order
	return nil
}

// Take has the puppet take its next task through Pool; Stage.Takes tells what came of it.
func (p *Puppet) Take() error {
	return p.Do(func(caller wago.HostModule) workerstest.Act {
		take := Take{Worker: p.ID}
		if take.Err = p.stage.Pools.DispatchNext(nil, caller); take.Err == nil { //nolint:staticcheck // nil is allowed
			take.Task, take.Err = p.stage.Pools.Current(caller)
		}
		p.stage.took(take)
		return p.after(take.Err, caller)
	})
}

// TakeRaw has the puppet take its next message from Workers, past Pool.
func (p *Puppet) TakeRaw() error {
	return p.Do(func(caller wago.HostModule) workerstest.Act {
		take := Take{Worker: p.ID}
		if take.Err = p.stage.Harness.Service().DispatchNext(nil, caller); take.Err == nil { //nolint:staticcheck // nil is allowed
			p.stage.mu.Lock()
			take.Task = p.message
			p.stage.mu.Unlock()
		}
		p.stage.took(take)
		return p.after(take.Err, caller)
	})
}

// after says what a guest does when its dispatch has returned: without a task it goes, as guests should, unless the message
// was not Pool's.
func (p *Puppet) after(err error, caller wago.HostModule) workerstest.Act {
	p.mu.Lock()
	stays := err == nil || err == error(service.ErrNoTask) || p.stubborn
	p.mu.Unlock()
	if stays {
		return workerstest.Again
	}
	return p.farewell(caller)
}

// End has the guest end in the given way.
func (p *Puppet) End(how workerstest.Act) error {
	return p.Do(func(wago.HostModule) workerstest.Act { return how })
}

// Exit has the guest exit with a code.
func (p *Puppet) Exit(code int32) error {
	return p.Do(func(wago.HostModule) workerstest.Act { panic(wago.HostExit{Code: code}) })
}
