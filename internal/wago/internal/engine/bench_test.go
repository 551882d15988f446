package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
)

// BenchmarkHostCall is one call of a host function from a guest's loop.
func BenchmarkHostCall(b *testing.B) {
	i := open(b, "host", engine.Bindings{Host: silent})
	b.ReportAllocs()
	b.ResetTimer()
	for left := b.N; left > 0; {
		n := min(left, 1<<20)
		left -= n
		if _, err := i.Call(b.Context(), "loop", []uint64{uint64(n)}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCall is one call of an exported function that returns a constant.
func BenchmarkCall(b *testing.B) {
	i := open(b, "host", engine.Bindings{Host: silent})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := i.Call(b.Context(), "count", nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkInstantiate is one instance of a module with a page of memory, made
// and closed.
func BenchmarkInstantiate(b *testing.B) {
	for _, name := range []string{"host", "globals", "wasi"} {
		b.Run(name, func(b *testing.B) {
			e := newEngine(b, engine.Config{})
			require.NoError(b, e.EnableWASI())
			m := compile(b, e, name)
			bind := engine.Bindings{Host: silent, Globals: map[int]uint64{0: 0, 1: 0, 2: 0, 3: 0}}
			b.ReportAllocs()
			for b.Loop() {
				i, err := e.Instantiate(b.Context(), m, bind)
				if err != nil {
					b.Fatal(err)
				}
				if err := i.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCompile is one compilation of a small module, freed again.
func BenchmarkCompile(b *testing.B) {
	e := newEngine(b, engine.Config{})
	binary := wasm(b, "host")
	b.ReportAllocs()
	for b.Loop() {
		m, err := e.Compile(b.Context(), binary)
		if err != nil {
			b.Fatal(err)
		}
		if err := m.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
