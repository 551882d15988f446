package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/tetratelabs/wazero/api"
)

// Host answers the functions a guest imports. CallHost runs on the goroutine
// that called the instance, for the fn-th function among the module's function
// imports (see Import.Index). It may call the instance again, and may panic with
// [HostExit] or [HostTrap]. The end of the call's context doesn't interrupt it:
// one that waits has to watch that itself. Params and results hold one 64-bit
// slot a value, two for a v128; results start zeroed; both are good until
// CallHost returns and must not be kept.
type Host interface {
	CallHost(inst *Instance, fn int, params, results []uint64)
}

// Bindings is what an instance is given. Not safe for concurrent use while it is
// being changed.
type Bindings struct {
	// Host receives every imported function that is not WASI's. It may be nil if
	// there is none.
	Host Host
	// Globals has the raw bits of each imported constant by its Import.Index.
	Globals map[int]uint64
	// WASI says what a guest that imports WASI is shown. Nil shows nothing.
	WASI *WASIConfig
	// MemoryLimitPages limits this instance's memory further, in pages of 64 KiB.
	// Defaults to the engine's limit.
	MemoryLimitPages uint32
	// Owner is returned by Instance.Owner.
	Owner any
}

// Instance is one guest. It belongs to one goroutine at a time; only Owner,
// Ended, EndError and Close may be called from others, and Close only while no
// call runs.
type Instance struct {
	// set once
	module *Module
	host   Host
	owner  any
	memory *Memory // nil: none

	// used by the goroutine that the instance belongs to
	mod       api.Module
	constants *constants
	top       *activation // the innermost running call
	depth     int
	functions map[string]*function
	entry     *entry // the function of table 0 that was looked up last; may be nil

	// atomics
	ended  atomic.Pointer[EndedError]
	closed atomic.Bool

	closeOnce sync.Once
	closeErr  error
}

// Owner returns Bindings.Owner. Safe for concurrent use.
func (i *Instance) Owner() any { return i.owner }

// Module returns the module that the instance was made from. Safe for concurrent
// use.
func (i *Instance) Module() *Module { return i.module }

// Ended reports whether a call left the guest in the middle of its work, so that
// later calls are refused. Safe for concurrent use.
func (i *Instance) Ended() bool { return i.ended.Load() != nil }

// EndError returns the *[EndedError] that calls are refused with, or nil while
// the instance is alive. Safe for concurrent use.
func (i *Instance) EndError() error {
	if ended := i.ended.Load(); ended != nil {
		return ended
	}
	return nil
}

// usable says whether there is a guest to call or look at.
func (i *Instance) usable() error {
	if i.closed.Load() {
		return ErrInstanceClosed
	}
	if i.mod == nil {
		return fmt.Errorf("%w: using an instance in an imported start function", ErrUnsupported)
	}
	return nil
}

// end marks the instance as ended; the first reason stays.
func (i *Instance) end(reason EndReason, cause error) {
	if i.ended.CompareAndSwap(nil, &EndedError{Reason: reason, Cause: cause}) {
		// They may hold a stack that recursion has grown to many megabytes.
		i.functions, i.entry = nil, nil
	}
}

// Close frees the instance. The caller guarantees that no call on it runs or
// begins, no host function of one included: the memory goes. Only the first Close
// does anything; all return its error, which can only come from files the guest
// had open, or be ErrMemory. Safe for concurrent use.
func (i *Instance) Close() error {
	i.closeOnce.Do(func() { i.closeErr = i.free() })
	return i.closeErr
}

func (i *Instance) free() error {
	i.closed.Store(true)
	var errs []error
	if i.mod != nil {
		errs = append(errs, closeModule(i.mod))
	}
	if i.constants != nil {
		errs = append(errs, i.module.releaseConstants(i.constants))
	}
	errs = append(errs, i.module.release())
	i.mod, i.constants, i.functions, i.entry = nil, nil, nil, nil
	if i.memory != nil {
		errs = append(errs, i.memory.linear.Close())
	}
	i.module.engine.closeInstance()
	return errors.Join(errs...)
}

// closeModule closes a wazero module and its resources. A module that wazero
// closed because a context ended keeps its resources until something asks it
// whether it is closed; when the call was left by a panic nothing did.
func closeModule(mod api.Module) error {
	err := mod.Close(context.Background())
	if m, ok := mod.(interface{ FailIfClosed() error }); ok {
		_ = m.FailIfClosed() // reports that it is closed, which is no news
	}
	return err
}
