package wago

import (
	"fmt"
	"runtime/debug"

	"github.com/wago-org/wago/internal/engine"
)

var _ engine.Host = (*bindings)(nil)

// CallHost runs the host function a guest imports, on the goroutine that runs the guest.
func (b *bindings) CallHost(guest *engine.Instance, fn int, params, results []uint64) {
	in := guest.Owner().(*Instance)
	if in.guest.Load() == nil {
		in.guest.Store(guest) // in a start section: the engine hasn't returned the guest yet
	}
	b.funcs[fn].call(in, params, results)
}

// call makes the caller, runs the function and expires the caller, whichever way the function ends.
func (f *boundFunc) call(in *Instance, params, results []uint64) {
	if f.unit != nil {
		if f.unit.callbacks.Enter() != nil {
			panic(engine.HostTrap{Err: fmt.Errorf("%w: %s: plugin %s has stopped", ErrPermissionDenied, f, f.unit.id())})
		}
		defer f.unit.callbacks.Leave()
	}
	act := in.top.Load()
	c := &caller{act: act}
	in.hostCall.Store(c)
	returned := false
	defer func() {
		in.endHostCall(c)
		if returned {
			return
		}
		if value := recover(); value != nil {
			panic(f.abort(value))
		}
		act.goexit = fmt.Errorf("%w: %s%s", ErrCallbackGoexit, f, f.owner())
	}()
	f.fn(c, params, results)
	returned = true
}

// endHostCall gives the instance back to the guest. A call into the guest that is still in progress, begun by another
// goroutine during the host call, comes first.
func (in *Instance) endHostCall(c *caller) {
	c.expire()
	if in.hostCall.CompareAndSwap(c, nil) {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	for !in.hostCall.CompareAndSwap(c, nil) {
		in.resumed.Wait()
	}
}

// abort turns what a host function panicked with into what the engine is to panic with.
func (f *boundFunc) abort(value any) any {
	switch value.(type) {
	case HostExit, *HostExit, HostTrap, *HostTrap:
		return value
	}
	return HostTrap{Err: &PanicError{Plugin: f.pluginID(), Where: f.String(), Value: value, Stack: debug.Stack()}}
}

// String names the function.
func (f *boundFunc) String() string { return "host function " + f.module + "." + f.name }

func (f *boundFunc) pluginID() string {
	if f.unit == nil {
		return ""
	}
	return f.unit.id()
}

func (f *boundFunc) owner() string {
	if f.unit == nil {
		return ""
	}
	return " of plugin " + f.unit.id()
}
