package engine_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
)

func TestImportsAndExportsAreDescribedInOrder(t *testing.T) {
	e := newEngine(t, engine.Config{})
	m := compile(t, e, "globals")
	require.Equal(t, []engine.Import{
		{Module: "env", Name: "base", Kind: engine.ImportGlobal, Index: 0, Type: engine.ValI32},
		{
			Module: "env", Name: "call", Kind: engine.ImportFunc, Index: 0,
			Params: []engine.ValType{engine.ValI32}, Results: []engine.ValType{engine.ValI32},
		},
		{Module: "env", Name: "big", Kind: engine.ImportGlobal, Index: 1, Type: engine.ValI64},
		{Module: "math", Name: "pi", Kind: engine.ImportGlobal, Index: 2, Type: engine.ValF64},
		{Module: "math", Name: "half", Kind: engine.ImportGlobal, Index: 3, Type: engine.ValF32},
	}, m.Imports())
	exports := m.Exports()
	require.Equal(t, engine.Export{Name: "memory", Kind: engine.ImportMemory}, exports[0])
	require.Equal(t, engine.Export{Name: "base", Kind: engine.ImportFunc, Results: []engine.ValType{engine.ValI32}}, exports[1])
	require.Equal(t, engine.Export{Name: "exported", Kind: engine.ImportGlobal, Type: engine.ValI64}, exports[6])
	require.False(t, m.HasStart())

	m.Imports()[0].Name = "changed"
	require.Equal(t, "base", m.Imports()[0].Name)
}

func TestAClosedModuleKeepsItsInstancesAlive(t *testing.T) {
	e := newEngine(t, engine.Config{})
	m, err := e.Compile(t.Context(), wasm(t, "host"))
	require.NoError(t, err)
	i := instantiate(t, e, m, engine.Bindings{Host: silent})
	require.NoError(t, m.Close())
	require.NoError(t, m.Close(), "again")
	_, err = e.Instantiate(t.Context(), m, engine.Bindings{Host: silent})
	require.ErrorIs(t, err, engine.ErrModuleClosed)
	_, err = i.Call(t.Context(), "call", []uint64{1})
	require.NoError(t, err)
	require.NotEmpty(t, m.Imports(), "still described")
	_, err = i.Call(t.Context(), "trap", nil)
	require.ErrorContains(t, err, "unreachable (at ", "traps still have their trace")
}

func TestOneBinaryCompiledTwiceIsTwoModules(t *testing.T) {
	e := newEngine(t, engine.Config{})
	first, err := e.Compile(t.Context(), wasm(t, "host"))
	require.NoError(t, err)
	second := compile(t, e, "host")
	require.NoError(t, first.Close())
	i := instantiate(t, e, second, engine.Bindings{Host: silent})
	_, err = i.Call(t.Context(), "call", []uint64{1})
	require.NoError(t, err)
}

func TestCompileCopiesTheBinary(t *testing.T) {
	e := newEngine(t, engine.Config{})
	binary := wasm(t, "memory")
	m, err := e.Compile(t.Context(), binary)
	require.NoError(t, err)
	defer func() { require.NoError(t, m.Close()) }()
	clear(binary)
	i := instantiate(t, e, m, engine.Bindings{})
	hello, _ := i.Read(16, 5)
	require.Equal(t, "hello", string(hello))
}

func TestForeignModulesAreRefused(t *testing.T) {
	e, other := newEngine(t, engine.Config{}), newEngine(t, engine.Config{})
	for _, m := range []*engine.Module{nil, compile(t, other, "memory")} {
		_, err := e.Instantiate(t.Context(), m, engine.Bindings{})
		require.ErrorIs(t, err, engine.ErrForeignModule)
	}
}

func TestAMissingHostIsRefused(t *testing.T) {
	e := newEngine(t, engine.Config{})
	_, err := e.Instantiate(t.Context(), compile(t, e, "host"), engine.Bindings{})
	require.ErrorIs(t, err, engine.ErrLink)
}

func TestAnEngineInUseIsNotClosed(t *testing.T) {
	e, err := engine.New(engine.Config{})
	require.NoError(t, err)
	m, err := e.Compile(t.Context(), wasm(t, "memory"))
	require.NoError(t, err)
	i, err := e.Instantiate(t.Context(), m, engine.Bindings{})
	require.NoError(t, err)
	require.ErrorIs(t, e.Close(), engine.ErrEngineInUse)
	_, err = i.Call(t.Context(), "size", nil)
	require.NoError(t, err, "nothing was torn down")
	require.NoError(t, i.Close())
	require.NoError(t, i.Close(), "again")

	require.NoError(t, e.Close())
	require.NoError(t, e.Close(), "again")
	_, err = e.Compile(t.Context(), wasm(t, "memory"))
	require.ErrorIs(t, err, engine.ErrEngineClosed)
	_, err = e.Instantiate(t.Context(), m, engine.Bindings{})
	require.ErrorIs(t, err, engine.ErrEngineClosed)
	require.ErrorIs(t, e.EnableWASI(), engine.ErrEngineClosed)
	require.NoError(t, m.Close(), "after its engine")
}

func TestAClosedInstanceRefusesCalls(t *testing.T) {
	i := open(t, "memory", engine.Bindings{})
	require.NoError(t, i.Close())
	_, err := i.Call(t.Context(), "size", nil)
	require.ErrorIs(t, err, engine.ErrInstanceClosed)
	require.False(t, i.Ended())
	require.NoError(t, i.EndError())
}

func TestCompileWithAnEndedContext(t *testing.T) {
	e := newEngine(t, engine.Config{})
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errReason)
	_, err := e.Compile(ctx, wasm(t, "memory"))
	wantInterrupted(t, ctx, err)
}

func TestForksHammer(t *testing.T) {
	const goroutines, rounds = 8, 30
	e := newEngine(t, engine.Config{})
	require.NoError(t, e.EnableWASI())
	plain, constants := compile(t, e, "host"), compile(t, e, "globals")
	var wg sync.WaitGroup
	release := make(chan struct{})
	for g := range goroutines {
		wg.Go(func() {
			<-release
			for round := range rounds {
				base := uint64(round % 3)
				i, err := e.Instantiate(t.Context(), constants, engine.Bindings{
					Host: silent, Globals: map[int]uint64{0: base, 1: 0, 2: 0, 3: 0},
				})
				if err != nil {
					t.Error(err)
					return
				}
				if got, err := i.Call(t.Context(), "base", nil); err != nil || got[0] != base {
					t.Error(got, err)
				}
				p, err := e.Instantiate(t.Context(), plain, engine.Bindings{Host: panics(func() any { return g })})
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := p.Call(t.Context(), "loop", []uint64{5}); !errorAs[*engine.HostPanicError](err) {
					t.Error(err)
				}
				if i.Close() != nil || p.Close() != nil {
					t.Error("close")
				}
			}
		})
	}
	close(release)
	wg.Wait()
}
