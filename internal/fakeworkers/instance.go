package fakeworkers

import (
	"sync/atomic"
	"unsafe"

	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/workerstest"
)

// instance is a pretend guest: an owner, a fork whose start section runs, or a worker.
type instance struct {
	// set once
	fake    *Fake
	id      wago.InstanceIdentity
	creator *instance     // nil for owners
	closing chan struct{} // closed when it begins to close
	gone    chan struct{} // closed when it has

	// guarded by fake.mu
	worker *worker // once it is one
	calls  int     // host calls in progress
	begun  bool    // its close has
	quiet  chan struct{}
}

// identities makes the identities of a process differ.
var identities atomic.Uint64

// newIdentity makes up an identity. The host has no way to make one without an engine, so this looks inside: an identity is
// one number, which the next line holds the compiler to.
func newIdentity() (id wago.InstanceIdentity) {
	_ = [1]struct{}{}[unsafe.Sizeof(id)-unsafe.Sizeof(uint64(0))]
	*(*uint64)(unsafe.Pointer(&id)) = identities.Add(1)
	return id
}

func (f *Fake) newInstanceLocked(creator *instance) *instance {
	in := &instance{
		fake: f, id: newIdentity(), creator: creator, closing: make(chan struct{}), gone: make(chan struct{}),
	}
	f.instances[in] = struct{}{}
	return in
}

// Owner opens one more instance from whose host calls workers are spawned.
func (f *Fake) Owner() (workerstest.Owner, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ending {
		return nil, wago.ErrInstanceClosed
	}
	return owner{f.newInstanceLocked(nil)}, nil
}

// owner is an instance that a test calls.
type owner struct{ in *instance }

// Call runs f inside a host call, and returns what it panics with as the host would.
func (o owner) Call(f func(caller wago.HostModule)) error {
	c, err := o.in.enter()
	if err != nil {
		return err
	}
	defer o.in.leave(c)
	return guarded(func() { f(c) })
}

// Close closes the instance. It returns when the workers linked to it and its host calls have ended; so it must not be
// called from inside one of them.
func (o owner) Close() error {
	o.in.close()
	return nil
}

// signalLocked tells the instance, and the forks it is starting, that it is going to close.
func (in *instance) signalLocked() {
	if isClosed(in.closing) {
		return
	}
	close(in.closing)
	for other := range in.fake.instances {
		if other.creator == in && other.worker == nil {
			other.signalLocked()
		}
	}
}

// close ends the instance: first its linked workers, then what is still inside a host call of it. Whoever comes second
// waits for the first.
func (in *instance) close() {
	own, first := in.beginClose()
	if !first {
		<-in.gone
		return
	}
	for _, w := range own {
		<-w.done
	}
	<-in.quiet
	in.fake.mu.Lock()
	delete(in.fake.instances, in)
	in.fake.mu.Unlock()
	close(in.gone)
}

// beginClose refuses further calls and tells the linked workers to stop.
func (in *instance) beginClose() (own []*worker, first bool) {
	f := in.fake
	f.mu.Lock()
	defer f.mu.Unlock()
	if in.begun {
		return nil, false
	}
	in.begun, in.quiet = true, make(chan struct{})
	if in.calls == 0 {
		close(in.quiet)
	}
	in.signalLocked()
	for w := range f.living {
		if w.linked && w.in.creator == in {
			w.stopLocked(workers.ErrWorkerParentClosed, false, f.config.Grace)
			own = append(own, w)
		}
	}
	return own, true
}
