package engine_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/wago-org/wago/internal/engine"
	"github.com/wago-org/wago/internal/engine/binfmt"
)

// FuzzAnyBinary compiles, instantiates and calls whatever it is given: the result
// is an error or an instance, never a panic, and nothing is left open. What wazero
// refuses as it is given is refused, whatever is made of it here.
func FuzzAnyBinary(f *testing.F) {
	entries, err := testdata.ReadDir("testdata")
	if err != nil {
		f.Fatal(err)
	}
	for _, entry := range entries {
		f.Add(wasm(f, strings.TrimSuffix(entry.Name(), ".wasm")))
	}
	for _, table := range [][]byte{{binfmt.FuncRef, 2, 1}, {binfmt.FuncRef, 1, 2, 1}, {binfmt.ExternRef, 0, 1}} {
		f.Add(withFunction(tables(table)))
	}
	plain := wazero.NewRuntimeWithConfig(context.Background(),
		wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(api.CoreFeaturesV2))
	f.Cleanup(func() { _ = plain.Close(context.Background()) })
	e := newEngine(f, engine.Config{MemoryLimitPages: 16})
	if err := e.EnableWASI(); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, binary []byte) {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		m, err := e.Compile(ctx, binary)
		if err != nil {
			return
		}
		if c, err := plain.CompileModule(context.Background(), binary); err != nil {
			t.Error("it was to be refused:", err)
		} else if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
		globals := make(map[int]uint64)
		for _, imp := range m.Imports() {
			globals[imp.Index] = uint64(imp.Index)
		}
		if i, err := e.Instantiate(ctx, m, engine.Bindings{Host: silent, Globals: globals}); err == nil {
			exercise(ctx, m, i)
			if err := i.Close(); err != nil {
				t.Error("instance:", err)
			}
		}
		if err := m.Close(); err != nil {
			t.Error("module:", err)
		}
		if opened, closed := e.Instances(); opened != closed {
			t.Errorf("%d instances opened, %d closed", opened, closed)
		}
	})
}

// exercise calls everything that can be called; what comes of it doesn't matter.
func exercise(ctx context.Context, m *engine.Module, i *engine.Instance) {
	for index := range uint32(4) {
		_ = i.CheckVoidTable(index)
	}
	for _, x := range m.Exports() {
		_, _, _, _ = i.Global(x.Name)
		if x.Kind != engine.ImportFunc {
			continue
		}
		slots := 0
		for _, t := range x.Params {
			slots += t.Slots()
		}
		_, _ = i.Call(ctx, x.Name, make([]uint64, slots))
	}
	_ = i.CallVoidTable(ctx, 0)
}
