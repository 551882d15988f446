package engine

import (
	"context"
	"errors"
	"runtime/debug"
)

// activation is one running call of an instance. It is the context that wazero
// passes through the guest to the host functions, which is how they find the
// instance. It must not be reused: where a module is watched, wazero's goroutine
// that watches may look at it shortly after the call.
type activation struct {
	context.Context
	inst *Instance
	prev *activation

	// Why a host function ended the call: nil while none has.
	outcome error
	reason  EndReason

	// Host functions get these in place of wazero's own stack, where parameters
	// and results are the same memory, and writing late would corrupt the guest.
	params, results [MaxHostSlots]uint64
}

type activationKey struct{}

// errAborted is what unwinds a guest after a host function has ended the call;
// the activation holds the true error.
const errAborted = Error("engine: call ended by a host function")

// Value returns the activation itself for its own key.
func (a *activation) Value(key any) any {
	if _, ok := key.(activationKey); ok {
		return a
	}
	return a.Context.Value(key)
}

// Err gives wazero one of the two errors it knows: for any other it would not
// stop the guest.
func (a *activation) Err() error {
	err := a.Context.Err()
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return context.Canceled
}

func activationOf(ctx context.Context) *activation {
	if a, ok := ctx.(*activation); ok {
		return a
	}
	return ctx.Value(activationKey{}).(*activation)
}

func (i *Instance) push(ctx context.Context) *activation {
	a := &activation{Context: ctx, inst: i, prev: i.top}
	i.top = a
	i.depth++
	return a
}

func (i *Instance) pop(a *activation) {
	i.top = a.prev
	i.depth--
}

// abort ends the call with the given outcome.
func (a *activation) abort(reason EndReason, outcome error) {
	a.reason, a.outcome = reason, outcome
	panic(errAborted)
}

// contain is deferred around a host function: it keeps the value of a panic and
// unwinds the guest in its place.
func (a *activation) contain() {
	v := recover()
	if v == nil {
		return // returned, or its goroutine is ending
	}
	reason, outcome := hostOutcome(v)
	a.abort(reason, outcome)
}

func hostOutcome(v any) (EndReason, error) {
	switch v := v.(type) {
	case HostExit:
		return EndExited, &ExitError{Code: v.Code}
	case *HostExit:
		return EndExited, &ExitError{Code: v.Code}
	case HostTrap:
		return EndAborted, v.error()
	case *HostTrap:
		return EndAborted, v.error()
	}
	return EndAborted, &HostPanicError{Value: v, Stack: debug.Stack()}
}

func (t HostTrap) error() error {
	if t.Err == nil {
		return ErrHostTrap
	}
	return t.Err
}
