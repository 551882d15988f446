package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/wago-org/wago/internal/engine/binfmt"
)

// hostModule is a wazero module with the functions that a guest module imports
// under one module name. All instances of the guest module share it: it finds
// the calling one in the context.
type hostModule struct {
	compiled wazero.CompiledModule
	mod      api.Module
}

func (h *hostModule) close() error {
	return errors.Join(h.mod.Close(context.Background()), h.compiled.Close(context.Background()))
}

// buildHosts makes one host module for each module name among the function
// imports that WASI doesn't own.
func (m *machine) buildHosts(imports []Import) (map[string]*hostModule, error) {
	groups := make(map[string][]Import)
	for _, imp := range imports {
		if imp.Kind == ImportFunc && !imp.WASI {
			groups[imp.Module] = append(groups[imp.Module], imp)
		}
	}
	hosts := make(map[string]*hostModule, len(groups))
	for name, group := range groups {
		h, err := m.buildHost(name, group)
		if err != nil {
			for _, h := range hosts {
				err = errors.Join(err, h.close())
			}
			return nil, fmt.Errorf("%w: host module %q: %w", ErrInvalidModule, name, err)
		}
		hosts[name] = h
	}
	return hosts, nil
}

func (m *machine) buildHost(name string, group []Import) (*hostModule, error) {
	h := &hostModule{}
	if name == "" {
		name = "host" // wazero insists on a name; it shows in stack traces only
	}
	b := m.rt.NewHostModuleBuilder(name)
	exported := make(map[string]bool)
	for _, imp := range group {
		if exported[imp.Name] {
			continue // imported twice with one type: both mean the first
		}
		exported[imp.Name] = true
		f := &hostFunc{index: imp.Index, host: h, signature: *signatureOf(imp.Params, imp.Results)}
		b = b.NewFunctionBuilder().
			WithGoModuleFunction(f, encode(imp.Params), encode(imp.Results)).
			Export(imp.Name)
	}
	return h, m.startHost(h, b)
}

// startHost compiles and instantiates what the builder holds, without a name.
func (m *machine) startHost(h *hostModule, b wazero.HostModuleBuilder) (err error) {
	ctx := context.Background()
	if h.compiled, err = b.Compile(ctx); err != nil {
		return err
	}
	h.mod, err = m.rt.InstantiateModule(ctx, h.compiled, anonymous)
	if err != nil {
		return errors.Join(err, h.compiled.Close(ctx))
	}
	return nil
}

// anonymous instantiates without a name and without calling _start. The random
// source and the clocks are there for guests without WASI too: seeding wazero's own
// takes longer than the rest of an instantiation, and its clocks are made anew for
// each.
var anonymous = wazero.NewModuleConfig().WithName("").WithStartFunctions().
	WithRandSource(rand.Reader).WithSysWalltime().WithSysNanotime()

func encode(types []ValType) []api.ValueType {
	encoded := make([]api.ValueType, len(types))
	for i, t := range types {
		encoded[i] = encodings[t]
	}
	return encoded
}

var encodings = [...]api.ValueType{
	ValI32: binfmt.I32, ValI64: binfmt.I64, ValF32: binfmt.F32, ValF64: binfmt.F64,
	ValV128: binfmt.V128, ValFuncRef: binfmt.FuncRef, ValExternRef: binfmt.ExternRef,
}

// hostFunc is one imported function.
type hostFunc struct {
	index int
	host  *hostModule
	signature
}

// Call implements api.GoModuleFunction. The stack holds the parameters, and then
// the results in the same place.
func (f *hostFunc) Call(ctx context.Context, mod api.Module, stack []uint64) {
	a := activationOf(ctx)
	inst := a.inst
	if inst.mod == nil && mod != f.host.mod {
		inst.mod = mod // in a start section wazero hasn't returned it yet
	}
	params, results := a.params[:f.params.slots:f.params.slots], a.results[:f.results.slots:f.results.slots]
	f.params.copy(params, stack)
	clear(results)
	a.callHost(f.index, params, results)
	f.results.copy(stack, results)
	if ended := inst.ended.Load(); ended != nil && ended.Reason == EndCancelled {
		// A nested call's context ended. wazero has closed the module if it watches.
		if a.Err() != nil { // and so did this call's own
			a.abort(EndCancelled, a.interrupted())
		}
		a.abort(0, ended)
	}
}

func (a *activation) callHost(fn int, params, results []uint64) {
	defer a.contain()
	a.inst.host.CallHost(a.inst, fn, params, results)
}
