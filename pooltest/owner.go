package pooltest

import (
	"context"
	"sync"
	"time"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
)

// Owner is an instance that is parked in a host call, so that its caller is live: what a pool's creator has to be.
//
// Safe for concurrent use, but for what fails the test.
type Owner struct {
	// Caller is good until Leave or Close, or until the runtime closes.
	Caller wago.HostModule
	// Instance is the one that is parked.
	Instance *wago.Instance

	kit   *Kit
	leave func()
	left  chan struct{} // closed when its guest's call has returned
	err   error         // of that call
}

// arrival is an owner that has reached its host call.
type arrival struct {
	caller wago.HostModule
	leave  chan struct{}
}

// Owner makes an instance of a guest, [Loop] or [Echo] or one of your own that calls pooltest.own from an export of that name,
// and returns when it is parked there.
func (k *Kit) Owner(guest []byte) *Owner {
	k.t.Helper()
	o := &Owner{kit: k, Instance: k.Instantiate(guest), left: make(chan struct{})}
	k.arriving.Lock()
	defer k.arriving.Unlock()
	k.parked.Go(func() {
		defer close(o.left)
		_, o.err = o.Instance.Invoke("own")
	})
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case here := <-k.arrivals:
		o.Caller, o.leave = here.caller, sync.OnceFunc(func() { close(here.leave) })
	case <-o.left:
		k.t.Fatalf("pooltest: the owner's guest is back instead of in pooltest.own: %v", o.err)
	case <-timer.C:
		k.dump()
		k.t.Fatalf("pooltest: the owner's guest does not call pooltest.own within %v", patience)
	}
	return o
}

// own is the owner's host call: it stays until Leave, or until its instance begins to close.
func (k *Kit) own(caller wago.HostModule, _, _ []uint64) {
	_ = k.pools.With(func(s pool.Service) error { // refused: the runtime is going
		ctx, cancel, err := s.CallerContext(caller)
		if err != nil {
			return err
		}
		defer cancel()
		here := arrival{caller: caller, leave: make(chan struct{})}
		select {
		case k.arrivals <- here:
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

// Create makes a pool whose workers run the guest's usual entry, [EntryWork]. For another entry, or to see an error, call
// Create of the kit's service with Caller.
func (o *Owner) Create(options pool.PoolOptions) pool.PoolID {
	o.kit.t.Helper()
	id, err := o.kit.Service.Create(o.Caller, EntryWork, options)
	if err != nil {
		o.kit.t.Fatalf("pooltest: creating a pool: %v", err)
	}
	return id
}

// Supervise begins to supervise a pool of this owner, and returns what waits for the end of that and says how it ended. It
// ends with the pool, with the owner or with the runtime.
func (o *Owner) Supervise(id pool.PoolID) (wait func() error) {
	ended, result := make(chan struct{}), error(nil)
	o.kit.parked.Go(func() {
		defer close(ended)
		result = o.kit.Service.Supervise(context.Background(), o.Caller, id)
	})
	return func() error {
		<-ended
		return result
	}
}

// Leave ends the host call and waits for that: Caller has expired then. Again: nothing happens.
func (o *Owner) Leave() {
	o.leave()
	<-o.left
}

// Close closes the instance, which ends its pools.
func (o *Owner) Close() error { return o.Instance.Close() }
