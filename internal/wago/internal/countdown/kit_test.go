package countdown_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/wago-org/wago/internal/countdown"
	"github.com/wago-org/wago/internal/engine/binfmt"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tb is what a test, a benchmark and a property have in common.
type tb interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatal(args ...any)
	FailNow()
}

// memoryPages is how far the memory of a guest can grow in these tests.
const memoryPages = 64

var errStopped = errors.New("stopped at the gate")

// way is how a guest is made to end: not at all, by its own countdown, or by
// wazero's close-on-context-done.
type way struct {
	name string
	// every is how many units the counter has; 0 is for a guest left as it is.
	every   int32
	watched bool
}

var (
	plain   = way{name: "plain"}
	counted = way{name: "countdown", every: countdown.Full}
	watched = way{name: "watched", watched: true}
)

func every(units int32) way { return way{name: "countdown", every: units} }

// slab is a memory of the Go heap, and its allocator. It moves when it grows.
type slab struct{ buf []byte }

func (s *slab) Allocate(_, _ uint64) experimental.LinearMemory { return s }

func (s *slab) Reallocate(size uint64) []byte {
	grown := make([]byte, size)
	copy(grown, s.buf)
	s.buf = grown
	return grown
}

func (s *slab) Free() {}

// guest is an instance. It belongs to one goroutine.
type guest struct {
	rt    wazero.Runtime
	mod   api.Module
	exits int
	check func(exits int) // may be nil
	// hosts answers imported functions by "module.name". Others return zeros.
	hosts map[string]api.GoModuleFunc
}

// call calls an export, which must be there.
func (g *guest) call(export string, args ...uint64) ([]uint64, error) {
	return g.mod.ExportedFunction(export).Call(context.Background(), args...)
}

// stopAfter makes the guest's call end at that many exits from now.
func (g *guest) stopAfter(exits int) {
	g.exits = 0
	g.check = func(n int) {
		if n >= exits {
			panic(errStopped)
		}
	}
}

func config(w way) wazero.RuntimeConfig {
	cfg := wazero.NewRuntimeConfig().WithCoreFeatures(api.CoreFeaturesV2).WithCloseOnContextDone(w.watched)
	if w.every == 0 {
		return cfg.WithMemoryLimitPages(memoryPages)
	}
	return cfg
}

// compiles reports whether wazero takes a binary.
func compiles(t tb, w way, wasm []byte) bool {
	ctx := context.Background()
	rt := wazero.NewRuntimeWithConfig(ctx, config(w))
	defer func() { require.NoError(t, rt.Close(ctx)) }()
	_, err := rt.CompileModule(ctx, wasm)
	return err == nil
}

// rewritten returns the binary that this way runs.
func (w way) rewritten(wasm []byte) (*binfmt.Outline, []byte, error) {
	o, err := binfmt.Parse(wasm)
	if err != nil || w.every == 0 {
		return o, wasm, err
	}
	wasm, err = countdown.RewriteEvery(w.every, o, wasm)
	return o, wasm, err
}

// open instantiates a guest on a runtime of its own.
func open(t tb, w way, wasm []byte) *guest {
	t.Helper()
	g := &guest{}
	require.NoError(t, g.open(t, w, wasm))
	return g
}

func (g *guest) open(t tb, w way, wasm []byte) error {
	t.Helper()
	o, wasm, err := w.rewritten(wasm)
	if err != nil {
		return err
	}
	ctx := context.Background()
	rt := wazero.NewRuntimeWithConfig(ctx, config(w))
	g.rt = rt
	t.Cleanup(func() { require.NoError(t, rt.Close(ctx)) })
	if err := g.serve(ctx, rt, o); err != nil {
		return err
	}
	if w.every != 0 {
		ctx = experimental.WithMemoryAllocator(ctx, g.gate(o))
	}
	compiled, err := rt.CompileModule(ctx, wasm)
	if err != nil {
		return err
	}
	g.mod, err = rt.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	return err
}

// serve makes the host modules that the guest imports.
func (g *guest) serve(ctx context.Context, rt wazero.Runtime, o *binfmt.Outline) error {
	builders := make(map[string]wazero.HostModuleBuilder)
	for _, imp := range o.Imports {
		if imp.Kind != binfmt.Func {
			continue
		}
		if builders[imp.Module] == nil {
			builders[imp.Module] = rt.NewHostModuleBuilder(imp.Module)
		}
		fn := g.hosts[imp.Module+"."+imp.Name]
		if fn == nil {
			fn = func(_ context.Context, _ api.Module, stack []uint64) { clear(stack) }
		}
		builders[imp.Module].NewFunctionBuilder().
			WithGoModuleFunction(fn, imp.Func.Params, imp.Func.Results).Export(imp.Name)
	}
	for _, b := range builders {
		if _, err := b.Instantiate(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (g *guest) gate(o *binfmt.Outline) *countdown.Gate {
	gate := &countdown.Gate{MaxPages: memoryPages, Check: func() {
		g.exits++
		if g.check != nil {
			g.check(g.exits)
		}
	}}
	if len(o.Memories) > 0 {
		gate.Memory = &slab{}
		if l := o.Memories[0]; l.HasMax {
			gate.MaxPages = min(gate.MaxPages, l.Max)
		}
	}
	return gate
}

// wasm returns a binary of testdata by its name without ending.
func wasm(t tb, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name + ".wasm")
	require.NoError(t, err)
	return b
}

// outline is that of a valid binary.
func outline(t tb, wasm []byte) *binfmt.Outline {
	t.Helper()
	o, err := binfmt.Parse(wasm)
	require.NoError(t, err)
	return o
}
