package engine

import (
	"fmt"

	"github.com/tetratelabs/wazero/api"
)

// Global returns the type, the raw bits and the mutability of an exported
// global; false if there is none of that name, if it is a v128, which doesn't
// fit, or if the instance is closed.
func (i *Instance) Global(name string) (t ValType, bits uint64, mutable, ok bool) {
	x, ok := i.module.shape.globals[name]
	if !ok || x.Type == ValV128 || i.usable() != nil {
		return 0, 0, false, false
	}
	return x.Type, i.mod.ExportedGlobal(name).Get(), x.Mutable, true
}

// SetGlobal sets the raw bits of an exported mutable global. Errors:
// ErrNoExport, ErrImmutable, ErrUnsupported for a v128 or a reference that isn't
// null, ErrInstanceClosed.
func (i *Instance) SetGlobal(name string, bits uint64) error {
	if err := i.usable(); err != nil {
		return err
	}
	x, ok := i.module.shape.globals[name]
	if !ok {
		return fmt.Errorf("%w: global %q", ErrNoExport, name)
	}
	if x.Type == ValV128 || x.Type.IsRef() && bits != 0 {
		return fmt.Errorf("%w: setting global %q of type %s", ErrUnsupported, name, x.Type)
	}
	global, ok := i.mod.ExportedGlobal(name).(api.MutableGlobal)
	if !ok {
		return fmt.Errorf("%w: %q", ErrImmutable, name)
	}
	global.Set(bits)
	return nil
}
