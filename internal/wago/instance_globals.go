package wago

import (
	"fmt"

	"github.com/wago-org/wago/internal/engine"
)

// GlobalValue returns the value of an exported global. It fails with [ErrNoExport], [ErrInstanceBusy] while the guest runs,
// and [ErrInstanceClosed]; a v128 with [ErrUnsupported].
//
// Safe for concurrent use.
func (in *Instance) GlobalValue(name string) (Value, error) {
	var v Value
	err := in.borrow(func(guest *engine.Instance) error {
		t, bits, _, ok := guest.Global(name)
		switch {
		case !ok:
			return fmt.Errorf("%w: global %q", ErrNoExport, name)
		case t == ValV128:
			return unsupported(fmt.Sprintf("value of global %q, a v128", name))
		}
		v = ValueOf(t, bits)
		return nil
	})
	return v, err
}

// SetGlobalValue sets an exported mutable global to a value of its type. It fails like [Instance.GlobalValue], and with
// [ErrInvalidArgument] for another type or a constant.
//
// Safe for concurrent use.
func (in *Instance) SetGlobalValue(name string, v Value) error {
	return in.setGlobal(name, v.Bits(), func(t ValType) error {
		if t != v.Type() {
			return fmt.Errorf("%w: global %q is a %s, given %s", ErrInvalidArgument, name, t, v)
		}
		return nil
	})
}

// Global returns the slot of an exported global: [Instance.GlobalValue] without the type.
//
// Safe for concurrent use.
func (in *Instance) Global(name string) (uint64, error) {
	v, err := in.GlobalValue(name)
	return v.Bits(), err
}

// SetGlobal sets an exported mutable global to a slot of its type: [Instance.SetGlobalValue] without the check of the type.
//
// Safe for concurrent use.
func (in *Instance) SetGlobal(name string, bits uint64) error {
	return in.setGlobal(name, bits, func(ValType) error { return nil })
}

func (in *Instance) setGlobal(name string, bits uint64, check func(ValType) error) error {
	return in.borrow(func(guest *engine.Instance) error {
		t, _, mutable, ok := guest.Global(name)
		switch {
		case !ok:
			return fmt.Errorf("%w: global %q", ErrNoExport, name)
		case !mutable:
			return fmt.Errorf("%w: global %q is constant", ErrInvalidArgument, name)
		}
		if err := check(t); err != nil {
			return err
		}
		return guest.SetGlobal(name, bits)
	})
}

// InstanceExport is an exported function of an instance, ready to be called. Giving it to another instance as an import is
// not supported.
//
// Safe for concurrent use: see [Instance].
type InstanceExport struct {
	in   *Instance
	name string
	sig  FuncSig
}

// ExportedFunc returns an exported function, [ErrNoExport] when there is none of that name.
//
// Safe for concurrent use.
func (in *Instance) ExportedFunc(name string) (*InstanceExport, error) {
	sig, err := in.module.signature(name)
	if err != nil {
		return nil, err
	}
	return &InstanceExport{in: in, name: name, sig: sig}, nil
}

// Name returns the export's name.
func (e *InstanceExport) Name() string { return e.name }

// Signature returns the function's signature.
func (e *InstanceExport) Signature() FuncSig { return e.sig }

// Invoke calls the function as [Instance.Invoke] does.
func (e *InstanceExport) Invoke(args ...uint64) ([]uint64, error) {
	return e.in.Invoke(e.name, args...)
}
