package rig

import (
	"context"
	"sync"
	"time"

	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// Owner is an instance that is parked in a host call, so that its caller is live: what a pool's creator is.
type Owner struct {
	Caller   wago.HostModule
	Instance *wago.Instance

	jobs  chan func()
	leave func()
	left  chan struct{}
	err   error
	close func() error
}

// arrival is an owner that has reached its host call.
type arrival struct {
	caller wago.HostModule
	jobs   chan func()
	leave  chan struct{}
}

// Owner starts an instance and returns when it is parked.
func (r *Rig) Owner() *Owner {
	r.T.Helper()
	instance, err := r.Runtime.Instantiate(context.Background(), r.Module)
	require.NoError(r.T, err)
	r.ownersMade.Add(1)
	r.ownersOpen.Add(1)
	return r.park(instance, sync.OnceValue(func() error {
		err := instance.Close()
		r.ownersOpen.Add(-1)
		return err
	}))
}

// Back has the instance of an owner that left call the host once more.
func (r *Rig) Back(gone *Owner) *Owner {
	r.T.Helper()
	return r.park(gone.Instance, gone.close)
}

// park has the instance call the host and waits until it is there.
func (r *Rig) park(instance *wago.Instance, shut func() error) *Owner {
	r.T.Helper()
	r.ownerMu.Lock() // one at a time, so that an arrival is known to be ours
	defer r.ownerMu.Unlock()
	o := &Owner{Instance: instance, left: make(chan struct{}), close: shut}
	r.owners = append(r.owners, o)
	go func() {
		defer close(o.left)
		_, o.err = instance.Invoke("own")
	}()
	select {
	case here := <-r.arrive:
		o.Caller, o.jobs, o.leave = here.caller, here.jobs, sync.OnceFunc(func() { close(here.leave) })
	case <-o.left:
		require.NoError(r.T, o.err, "the owner left")
	case <-time.After(10 * time.Second):
		require.FailNow(r.T, "the owner does not arrive")
	}
	return o
}

// own is the owner's host call: it stays until Leave, or until its instance begins to close, and does the jobs it is given.
func (r *Rig) own(caller wago.HostModule) {
	_ = r.pools.With(func(s pool.Service) error { // refused: the runtime is going
		ctx, cancel, err := s.CallerContext(caller)
		if err != nil {
			return err
		}
		defer cancel()
		here := arrival{caller: caller, jobs: make(chan func()), leave: make(chan struct{})}
		select {
		case r.arrive <- here:
		case <-ctx.Done():
			return nil
		}
		for {
			select {
			case job := <-here.jobs:
				job()
			case <-here.leave:
				return nil
			case <-ctx.Done():
				return nil
			}
		}
	})
}

// Do runs f inside the owner's host call, on its goroutine, and sends what f returns.
func (o *Owner) Do(f func(caller wago.HostModule) error) <-chan error {
	over := make(chan error, 1)
	select {
	case o.jobs <- func() { over <- f(o.Caller) }:
	case <-o.left:
		over <- wago.ErrInstanceClosed
	}
	return over
}

// Leave ends the host call: the caller is stale from then on.
func (o *Owner) Leave() {
	o.leave()
	<-o.left
}

// Close closes the owner's instance.
func (o *Owner) Close() error { return o.close() }
