package engine

import (
	"context"
	"fmt"

	"github.com/tetratelabs/wazero/api"
)

// function is an exported function with a stack of its own, kept between calls.
type function struct {
	fn   api.Function
	busy bool
}

// Call calls an exported function with one slot a parameter (two for a v128) and
// returns its results likewise. A nil ctx is context.Background().
//
// Before the guest runs: ErrNoExport, ErrArity, ErrUnsupported for a reference
// that is not null or a call from an imported start function, ErrInstanceClosed, an *[EndedError], a *TrapError with
// TrapStackFenceBreached for a call nested deeper than MaxNesting, or the error of
// a ctx that has already ended; none of these changes the instance.
//
// When the guest was left in the middle, the instance has ended and the error is
// a *[TrapError]; an *[ExitError]; the Err of a [HostTrap]; a *[HostPanicError];
// or, if ctx ended before the guest returned, a *TrapError with TrapInterrupted
// for which errors.Is finds ctx.Err() and context.Cause(ctx). If a nested call
// ended the instance in such a way that this one can't go on, it is an
// *EndedError.
//
// Recursion in the guest can take 160 MiB of Go memory whatever the guest's own
// limit, kept until the instance ends or is closed.
func (i *Instance) Call(ctx context.Context, export string, args []uint64) ([]uint64, error) {
	sig, err := i.signature(export, args)
	if err != nil {
		return nil, err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	if err := i.ready(ctx); err != nil {
		return nil, err
	}
	stack := make([]uint64, max(sig.params.slots, sig.results.slots))
	sig.params.copy(stack, args)
	f := i.function(export)
	f.busy = true
	defer func() { f.busy = false }()
	if err := i.run(ctx, f.fn, stack); err != nil {
		return nil, err
	}
	results := stack[:sig.results.slots:sig.results.slots]
	sig.results.copy(results, results)
	return results, nil
}

func (i *Instance) signature(export string, args []uint64) (*signature, error) {
	sig, ok := i.module.shape.functions[export]
	if !ok {
		return nil, fmt.Errorf("%w: function %q", ErrNoExport, export)
	}
	if len(args) != sig.params.slots {
		return nil, fmt.Errorf("%w: %q takes %d, got %d", ErrArity, export, sig.params.slots, len(args))
	}
	if sig.params.forges(args) {
		return nil, fmt.Errorf("%w: %q is given a reference that is not null", ErrUnsupported, export)
	}
	return sig, nil
}

// ready says whether a call may begin.
func (i *Instance) ready(ctx context.Context) error {
	if err := i.usable(); err != nil {
		return err
	}
	if err := i.EndError(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return interrupted(ctx)
	}
	if i.depth >= MaxNesting {
		return &TrapError{Code: TrapStackFenceBreached}
	}
	return nil
}

// function returns the kept function, or a fresh one while that is running: its
// stack holds the outer call.
func (i *Instance) function(export string) *function {
	f := i.functions[export]
	if f != nil && !f.busy {
		return f
	}
	fresh := &function{fn: i.mod.ExportedFunction(export)}
	if f == nil {
		if i.functions == nil {
			i.functions = make(map[string]*function)
		}
		i.functions[export] = fresh
	}
	return fresh
}

// run calls fn in an activation of its own. Nothing here may be skipped when a
// host function ends the goroutine, hence the defer.
func (i *Instance) run(ctx context.Context, fn api.Function, stack []uint64) (err error) {
	a := i.push(ctx)
	returned := false
	defer func() {
		i.pop(a)
		if returned {
			return
		}
		if v := recover(); v != nil {
			err = a.conclude(panicked(v))
			return
		}
		i.end(EndAborted, nil)
	}()
	err = fn.CallWithStack(a, stack)
	returned = true
	return a.conclude(err)
}

// panicked is the error for a panic that wazero let through.
func panicked(v any) error {
	if err, ok := v.(error); ok {
		return err
	}
	return fmt.Errorf("%v", v)
}
