package rig

import (
	"time"

	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// Owner is an instance that is parked in a host call, so that its caller is live: what a pool's creator is.
type Owner struct {
	Caller   wago.HostModule
	Instance *wago.Instance

	leave chan struct{}
	left  chan struct{}
	err   error
}

// arrival is an owner that has reached its host call.
type arrival struct {
	caller wago.HostModule
	leave  chan struct{}
}

// Owner starts an instance and returns when it is parked.
func (r *Rig) Owner() *Owner {
	r.T.Helper()
	r.ownerMu.Lock() // one at a time, so that an arrival is known to be ours
	defer r.ownerMu.Unlock()
	instance, err := r.Runtime.Instantiate(nil, r.Module)
	require.NoError(r.T, err)
	o := &Owner{Instance: instance, left: make(chan struct{})}
	r.owners = append(r.owners, o)
	go func() {
		defer close(o.left)
		_, o.err = instance.Invoke("own")
	}()
	select {
	case here := <-r.arrive:
		o.Caller, o.leave = here.caller, here.leave
	case <-o.left:
		require.NoError(r.T, o.err, "the owner left")
	case <-time.After(10 * time.Second):
		require.FailNow(r.T, "the owner does not arrive")
	}
	return o
}

// park is the owner's host call: it stays until Leave, or until its instance begins to close.
func (r *Rig) park(caller wago.HostModule) {
	_ = r.pools.With(func(s pool.Service) error { // refused: the runtime is going
		ctx, cancel, err := s.CallerContext(caller)
		if err != nil {
			return err
		}
		defer cancel()
		here := arrival{caller: caller, leave: make(chan struct{})}
		select {
		case r.arrive <- here:
		case <-ctx.Done():
			return nil
		}
		select {
		case <-here.leave:
		case <-ctx.Done():
		}
		return nil
	})
}

// Leave ends the host call: the caller is stale from then on.
func (o *Owner) Leave() {
	close(o.leave)
	<-o.left
}

// Close closes the owner's instance.
func (o *Owner) Close() error { return o.Instance.Close() }
