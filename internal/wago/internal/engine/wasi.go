package engine

import (
	"context"
	"fmt"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/wago-org/wago/internal/engine/binfmt"
)

// wasiModule is wazero's implementation of WASI preview 1, shared by all guests
// of an engine. A nil one owns nothing.
type wasiModule struct {
	hostModule
	functions map[string]binfmt.FuncType
}

// EnableWASI makes the engine answer imports from wasi_snapshot_preview1 in the
// modules compiled from now on; before, they are imports like any others. What a
// guest sees through them is its instance's [WASIConfig]. A second call returns
// nil. Errors: ErrEngineClosed.
func (e *Engine) EnableWASI() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return ErrEngineClosed
	}
	return e.counting.enableWASI()
}

// enableWASI is called with Engine.mu held.
func (m *machine) enableWASI() error {
	if m.wasi != nil {
		return nil
	}
	w, err := m.newWASI()
	if err != nil {
		return fmt.Errorf("engine: enabling WASI: %w", err)
	}
	m.wasi = w
	return nil
}

func (m *machine) newWASI() (*wasiModule, error) {
	w := &wasiModule{functions: make(map[string]binfmt.FuncType)}
	b := m.rt.NewHostModuleBuilder(wasi_snapshot_preview1.ModuleName)
	wasi_snapshot_preview1.NewFunctionExporter().ExportFunctions(b)
	// wazero's own proc_exit can't be told from a context that ended, for two of
	// its codes.
	b = b.NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(procExit), []api.ValueType{api.ValueTypeI32}, nil).
		Export("proc_exit")
	if err := m.startHost(&w.hostModule, b); err != nil {
		return nil, err
	}
	for name, def := range w.compiled.ExportedFunctions() {
		w.functions[name] = binfmt.FuncType{Params: def.ParamTypes(), Results: def.ResultTypes()}
	}
	return w, nil
}

func procExit(ctx context.Context, _ api.Module, stack []uint64) {
	activationOf(ctx).abort(EndExited, &ExitError{Code: int32(uint32(stack[0]))})
}

func (w *wasiModule) owns(module string) bool {
	return w != nil && module == wasi_snapshot_preview1.ModuleName
}

// check says whether WASI has the imported function.
func (w *wasiModule) check(imp binfmt.Import) error {
	f, ok := w.functions[imp.Name]
	if !ok {
		return unsupportedImport(imp, "unknown WASI function")
	}
	if string(f.Params) != string(imp.Func.Params) || string(f.Results) != string(imp.Func.Results) {
		return unsupportedImport(imp, "WASI function of another type")
	}
	return nil
}

// usesWASI reports whether a guest of the module can see its WASIConfig.
func (s *shape) usesWASI() bool {
	for _, imp := range s.imports {
		if imp.WASI {
			return true
		}
	}
	return false
}
