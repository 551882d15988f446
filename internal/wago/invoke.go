package wago

import (
	"context"
	"fmt"
	"runtime/debug"
)

// Invoke calls an exported function with one slot for each parameter (two for a v128) and returns its results likewise, in a
// slice that is good until the next call on the instance. It is [Instance.InvokeContext] without a context.
//
// Safe for concurrent use: see [Instance].
func (in *Instance) Invoke(export string, args ...uint64) ([]uint64, error) {
	return in.InvokeContext(context.Background(), export, args...)
}

// InvokeContext calls an exported function; the guest is interrupted when ctx ends, the instance closes, or the policy's
// time is over. A nil ctx never ends. Interceptors and observers of invocations are not run: see [Instance.Call].
//
// The error is [ErrNoExport], [ErrArity], [ErrInstanceClosed], [ErrInstanceEnded] or [ErrInstanceBusy] when the guest didn't
// run; otherwise a [*TrapError], an [*ExitError], the error of a [HostTrap], a [*PanicError], or [ErrCallbackGoexit]. An
// interrupted call gives a TrapError with [TrapInterrupted] that matches the ctx's error and its cause.
//
// Host functions are not interrupted: the call returns when they have.
//
// Safe for concurrent use: see [Instance].
func (in *Instance) InvokeContext(ctx context.Context, export string, args ...uint64) ([]uint64, error) {
	if in == nil {
		return nil, fmt.Errorf("%w: nil Instance", ErrInvalidHandle)
	}
	act, err := in.enter(ctx, in.bindings.policy.MaxInvokeDuration)
	if err != nil {
		return nil, err
	}
	var results []uint64
	err = act.spawn(func() (err error) {
		results, err = in.guest.Load().Call(act.ctx, export, args)
		return err
	})
	return results, err
}

// spawn runs guest code on a goroutine of its own, so that a host function that ends its goroutine ends the call and not the
// embedder's code, and leaves the activation before it returns.
func (act *activation) spawn(run func() error) error {
	done := make(chan error, 1)
	go func() {
		err := error(ErrCallbackGoexit)
		defer func() {
			if value := recover(); value != nil {
				err = &PanicError{Where: "guest call", Value: value, Stack: debug.Stack()}
			} else if act.goexit != nil {
				err = act.goexit
			}
			act.leave()
			done <- err
		}()
		if act.in.bindings.host {
			act.goroutine.Store(goroutineID())
		}
		err = run()
	}()
	return <-done
}
