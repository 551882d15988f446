package wago

import (
	"errors"
	"fmt"
	"strings"

	"github.com/wago-org/wago/internal/engine"
)

// Imports gives a module what it imports beyond what plugins define. Keys are "module.name". A function is a [HostFunc] (or
// a plain function of its shape), a constant global a [GlobalImport]; anything else, a [*HostFuncRef], [*Global], [*Memory],
// [*Table] or [*InstanceExport], fails with [ErrUnsupported]. Entries that the module doesn't import are ignored.
type Imports map[string]any

// GlobalImport is the value of an imported constant global.
type GlobalImport struct {
	Type ValType
	Bits uint64 // as a slot
}

// Global would be a mutable global shared between instances; this host makes none.
type Global struct{ _ [0]func() }

// Table would be a table shared between instances; this host makes none.
type Table struct{ _ [0]func() }

// bindings is what a module's imports are bound to: shared by an instance and all its forks, constant.
type bindings struct {
	funcs   []boundFunc // by index among the function imports; fn is nil for the engine's own
	globals map[int]uint64
	wasi    *engine.WASIConfig
	policy  Policy
	host    bool // some import is a host function
}

// boundFunc is one imported host function.
type boundFunc struct {
	fn           HostFunc
	unit         *unit // nil: the embedder's
	module, name string
}

// bind finds what each import of a module is bound to, or says everything that is missing or has another signature.
func (rt *Runtime) bind(m *Module, o instantiateOptions) (*bindings, error) {
	b := &bindings{globals: make(map[int]uint64), wasi: rt.wasi, policy: o.policy}
	var missing []string
	var wrong []error
	for _, imp := range m.compiled.code.Imports() {
		err := rt.bindImport(b, imp, o)
		switch {
		case errors.Is(err, ErrMissingImport):
			missing = append(missing, imp.Module+"."+imp.Name)
		case errors.Is(err, ErrImportSignature):
			wrong = append(wrong, err)
		case err != nil:
			return nil, err
		}
	}
	if len(missing) > 0 {
		wrong = append(wrong, fmt.Errorf("%w: %s", ErrMissingImport, strings.Join(missing, ", ")))
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return b, nil
}

func (rt *Runtime) bindImport(b *bindings, imp engine.Import, o instantiateOptions) error {
	key := imp.Module + "." + imp.Name
	value, given := o.imports[key]
	switch imp.Kind {
	case ImportFunc:
		return rt.bindFunc(b, imp, key, value, given)
	case ImportGlobal:
		if !given {
			return ErrMissingImport
		}
		return b.bindGlobal(imp, key, value)
	default:
		return unsupported(fmt.Sprintf("imported %s %s", imp.Kind, key))
	}
}

func (rt *Runtime) bindFunc(b *bindings, imp engine.Import, key string, value any, given bool) error {
	f := boundFunc{module: imp.Module, name: imp.Name}
	provided, ok := rt.imports[key]
	var err error
	switch {
	case given:
		f.fn, err = rt.override(imp, key, value, ok)
	case ok:
		f.fn, f.unit = provided.fn, provided.unit
		err = provided.check(imp)
	case !imp.WASI:
		err = ErrMissingImport
	}
	if err != nil {
		return err
	}
	b.funcs = append(b.funcs, f)
	b.host = b.host || f.fn != nil
	return nil
}

// override is a function that the embedder gives; defined: a plugin has one too.
func (rt *Runtime) override(imp engine.Import, key string, value any, defined bool) (HostFunc, error) {
	if (defined || imp.WASI) && rt.overrides != AllowTestOverrides {
		return nil, fmt.Errorf("%w: WithImports gives %s, which a plugin defines", ErrPluginConflict, key)
	}
	if imp.WASI {
		return nil, unsupported("replacing the WASI function " + key)
	}
	return hostFunc(key, value)
}

func hostFunc(key string, value any) (HostFunc, error) {
	var fn HostFunc
	switch v := value.(type) {
	case HostFunc:
		fn = v
	case func(HostModule, []uint64, []uint64):
		fn = v
	default:
		return nil, importType(key, "function", value)
	}
	if fn == nil {
		return nil, fmt.Errorf("%w: import %s is a nil function", ErrInvalidArgument, key)
	}
	return fn, nil
}

func (b *bindings) bindGlobal(imp engine.Import, key string, value any) error {
	g, ok := value.(GlobalImport)
	if !ok {
		return importType(key, "constant global", value)
	}
	if g.Type != imp.Type {
		return fmt.Errorf("%w: import %s is a global of type %s, given %s", ErrInvalidArgument, key, imp.Type, g.Type)
	}
	b.globals[imp.Index] = g.Bits
	return nil
}

// importType refuses a value of a type that doesn't fit, or that this host doesn't have.
func importType(key, want string, value any) error {
	switch value.(type) {
	case *HostFuncRef, *Global, *Memory, *Table, *InstanceExport:
		return unsupported(fmt.Sprintf("import %s given as %T", key, value))
	default:
		return fmt.Errorf("%w: import %s is a %s, given %T", ErrInvalidArgument, key, want, value)
	}
}
