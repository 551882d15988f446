package wago

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/wago-org/wago/internal/engine"
)

// Instance is one guest: its memory, globals and tables. Calls run the guest on a goroutine of the host's own. One call runs
// at a time; a host function may call back into the guest that called it. Once a call has trapped, exited, been cancelled or
// failed in the host, further calls fail with [ErrInstanceEnded].
//
// Safe for concurrent use: a call that finds the guest running fails with [ErrInstanceBusy].
type Instance struct {
	// set once
	rt       *Runtime
	module   *Module
	id       InstanceIdentity
	origin   InstantiateOrigin
	bindings *bindings
	managed  *ManagedInstance // nil: direct
	creator  *Instance        // set until a fork is made: the instance it is forked from
	charge   charge           // what it costs its manager
	sequence uint64           // order of registration in the runtime
	life     context.Context  // ends, with the reason as cause, when the guest is to stop
	stop     context.CancelCauseFunc
	closing  chan struct{} // closed when the close begins, or the runtime's
	done     chan struct{} // closed when nothing is left

	mu         sync.Mutex
	resumed    sync.Cond              // on mu: a nested call has left
	creating   bool                   // guarded by mu: the start section may still run
	signalled  error                  // guarded by mu: why closing is closed, nil until it is
	closed     bool                   // guarded by mu: the close has begun
	hooksRan   bool                   // guarded by mu: the Before hooks of the close have run
	releasing  bool                   // guarded by mu: no call is in progress, and none ever will be
	forks      map[*Instance]struct{} // guarded by mu: creations whose caller this is
	releaseErr error                  // guarded by done

	guest    atomic.Pointer[engine.Instance] // nil until the engine has made it
	top      atomic.Pointer[activation]      // the innermost call in progress; written under mu
	hostCall atomic.Pointer[caller]          // the host call in which the innermost call waits; nil while the guest runs
	hooking  atomic.Uint64                   // the goroutine that runs a close hook
	known    atomic.Bool                     // guest code or an observer may have met it, so its close runs the hooks

	// Five cache lines. Smaller, the next instance would begin in the line of top and hostCall, which every call of the host
	// changes, and what begins an instance is what every call reads.
	_ [40]byte
}

func (rt *Runtime) newInstance(m *Module, b *bindings, origin InstantiateOrigin) *Instance {
	in := &Instance{
		rt: rt, module: m, id: InstanceIdentity{nextIdentity()}, origin: origin, bindings: b, creating: true,
		closing: make(chan struct{}), done: make(chan struct{}),
	}
	in.life, in.stop = context.WithCancelCause(context.Background())
	in.resumed.L = &in.mu
	return in
}

// register makes the instance one that the runtime closes.
func (rt *Runtime) register(in *Instance) error {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	if rt.phase >= phaseClosing {
		return ErrRuntimeClosed
	}
	rt.sequence++
	in.sequence = rt.sequence
	rt.instances[in] = struct{}{}
	return nil
}

func (rt *Runtime) forget(in *Instance) {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	delete(rt.instances, in)
}

// refusalLocked says why no call can begin, nil if one can.
func (in *Instance) refusalLocked() error {
	switch {
	case in.closed:
		return fmt.Errorf("%w (%w)", ErrInstanceClosed, ErrInvalidHandle)
	case in.signalled != nil && in.managed == nil:
		return in.signalled
	case in.life.Err() != nil: // interrupted, so whatever began now would never be
		return context.Cause(in.life)
	}
	if guest := in.guest.Load(); guest != nil {
		return guest.EndError()
	}
	return nil
}

func (in *Instance) view() ModuleView { return ModuleView{in.module} }
