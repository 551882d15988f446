package wago

import (
	"context"
	"fmt"
)

// Compile validates and compiles a module, and reports it to the compile observers. It fails with [ErrInvalidModule];
// [ErrUnsupported] for a module that imports a memory, a table or a mutable global; [ErrLimit]; [ErrRuntimeLoading] or
// [ErrRuntimeClosed]; or with the configuration's mistake. The bytes are not kept.
//
// Safe for concurrent use.
func (rt *Runtime) Compile(wasm []byte) (*Module, error) {
	if err := rt.begin(); err != nil {
		return nil, err
	}
	defer rt.operations.Done()
	compilation := CompilationIdentity{nextIdentity()}
	m, err := rt.compile(wasm)
	if err != nil {
		observe(rt, "ModuleCompileObserver.OnError", rt.hooks.compileFailed, ModuleCompileErrorEvent{compilation, err})
		return nil, err
	}
	observe(rt, "ModuleCompileObserver.Observe", rt.hooks.compiled,
		ModuleCompiledEvent{Compilation: compilation, Module: ModuleView{m}, SourceDigest: m.compiled.digest})
	return m, nil
}

func (rt *Runtime) compile(wasm []byte) (*Module, error) {
	code, err := rt.engine.Compile(context.Background(), wasm)
	if err != nil {
		return nil, err
	}
	return rt.newModule(&Compiled{rt: rt, code: code, digest: DigestModuleSource(wasm), size: len(wasm), refs: 1}), nil
}

// Module returns another module of code this runtime has compiled, without compiling again and without a compile event. Code
// of another runtime fails with [ErrForeignModule], freed code with [ErrInvalidHandle].
//
// Safe for concurrent use.
func (rt *Runtime) Module(c *Compiled) (*Module, error) {
	if c == nil {
		return nil, fmt.Errorf("%w: nil Compiled", ErrInvalidHandle)
	}
	if c.rt != rt {
		return nil, ErrForeignModule
	}
	if err := rt.begin(); err != nil {
		return nil, err
	}
	defer rt.operations.Done()
	if !c.retain() {
		return nil, fmt.Errorf("%w: the code has been freed", ErrInvalidHandle)
	}
	return rt.newModule(c), nil
}

func (rt *Runtime) newModule(c *Compiled) *Module {
	m := &Module{rt: rt, id: ModuleIdentity{nextIdentity()}, compiled: c}
	rt.mu.Lock()
	defer rt.mu.Unlock()
	rt.modules[m] = struct{}{}
	return m
}

func (rt *Runtime) forgetModule(m *Module) {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	delete(rt.modules, m)
}
