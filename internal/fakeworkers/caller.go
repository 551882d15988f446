package fakeworkers

import (
	"fmt"

	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// call is a host call in progress: the caller that the service is shown.
type call struct {
	of    *instance
	ended chan struct{}
}

// Memory returns nil: these guests have none.
func (c *call) Memory() []byte { return nil }

// enter begins a host call.
func (in *instance) enter() (*call, error) {
	in.fake.mu.Lock()
	defer in.fake.mu.Unlock()
	if in.begun {
		return nil, wago.ErrInstanceClosed
	}
	in.calls++
	return &call{of: in, ended: make(chan struct{})}, nil
}

// leave ends it: the caller has expired.
func (in *instance) leave(c *call) {
	close(c.ended)
	in.fake.mu.Lock()
	defer in.fake.mu.Unlock()
	in.calls--
	if in.begun && in.calls == 0 {
		close(in.quiet)
	}
}

// live returns the host call behind a caller, if it is one of this fake's and still lasts.
func (f *Fake) live(caller wago.HostModule) (*call, error) {
	c, ok := caller.(*call)
	if !ok || c == nil || c.of.fake != f || isClosed(c.ended) {
		return nil, workers.ErrInvalidWorkerCaller
	}
	return c, nil
}

// calling returns the worker that makes a host call: ErrInvalidWorkerCaller for an owner's, ErrWorkerNotFound for a start
// section's.
func (f *Fake) calling(caller wago.HostModule) (*worker, *call, error) {
	c, err := f.live(caller)
	if err != nil || c.of.creator == nil {
		return nil, nil, workers.ErrInvalidWorkerCaller
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	w := c.of.worker
	if w == nil || f.workers[w.id] != w {
		return nil, nil, workers.ErrWorkerNotFound
	}
	return w, c, nil
}

// guarded runs what a host function does, and returns what the guest's call ends with if it panics.
func guarded(f func()) (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case wago.HostTrap:
			err = v.Err
		case wago.HostExit:
			err = &wago.ExitError{Code: v.Code}
		case error:
			err = fmt.Errorf("fakeworkers: a host function panicked: %w", v)
		default:
			err = fmt.Errorf("fakeworkers: a host function panicked: %v", v)
		}
	}()
	f()
	return nil
}

// Current says which worker the caller is.
func (p plain) Current(caller wago.HostModule) (workers.WorkerID, error) {
	w, _, err := p.f.calling(caller)
	if err != nil {
		return 0, workers.ErrWorkerNotFound
	}
	return w.id, nil
}

func (f *Fake) identity(caller wago.HostModule) (wago.InstanceIdentity, error) {
	c, err := f.live(caller)
	if err != nil {
		return wago.InstanceIdentity{}, err
	}
	return c.of.id, nil
}

func (f *Fake) closing(caller wago.HostModule) (<-chan struct{}, error) {
	c, err := f.live(caller)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if w := c.of.worker; w != nil {
		return w.told, nil
	}
	return c.of.closing, nil
}
