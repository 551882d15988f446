package inspect_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/JairusSW/pool/cmd/internal/guest"
	"github.com/JairusSW/pool/cmd/internal/host"
	"github.com/JairusSW/pool/cmd/internal/inspect"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func runtime(t *testing.T) *wago.Runtime {
	t.Helper()
	rt, err := host.New(t.Context(), host.Options{
		Plugin: guest.New(nil, guest.NewAnswers(0)).Provider(), Workers: 1,
		QueueBytes: workers.DefaultWorkerMaxQueueBytes, MemoryPages: 64,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, rt.Close()) })
	return rt
}

// What this package reads of the imports is what the engine reads, for every guest.
func TestReadAgreesWithTheEngine(t *testing.T) {
	rt := runtime(t)
	compared := 0
	for _, wasm := range all(t) {
		compiled, err := rt.Compile(wasm)
		if err != nil {
			continue
		}
		m, err := inspect.Read(wasm)
		require.NoError(t, err)
		require.Len(t, m.Imports, len(compiled.Imports()))
		for i, imp := range compiled.Imports() {
			assert.Equal(t, imp.Key(), m.Imports[i].Key())
			if imp.Kind == wago.ImportFunc {
				assert.Equal(t, inspect.Of(imp.Params, imp.Results).String(), m.Imports[i].Signature.String())
			}
		}
		assert.Equal(t, compiled.Metadata().HasStart, m.HasStart)
		assert.Equal(t, len(compiled.Exports()), len(m.Exports))
		compared++
	}
	assert.Greater(t, compared, 15)
}

func TestExamineFindsNothingWrongWithTheGuests(t *testing.T) {
	rt := runtime(t)
	for _, name := range []string{"echo", "echo-trap", "sha256", "wordcount", "jsonkeys", "upper", "faulty"} {
		wasm, err := os.ReadFile(guests + name + ".wasm")
		require.NoError(t, err)
		x := inspect.Examine(rt, wasm, "_start")
		assert.Empty(t, x.Problems, name)
		assert.NotNil(t, x.Compiled, name)
	}
}

func TestExamineNamesEveryProblem(t *testing.T) {
	const types = "\x01\x02\x60\x00\x00\x60\x01\x7f\x00"
	// Imports pool.serve as a function without parameters and env.other; exports "run"; has no table.
	wasm := module(types, "\x02\x02\x04pool\x05serve\x00\x00\x03env\x05other\x00\x01", "\x03\x01\x00",
		"\x07\x01\x03run\x00\x02", "\x0a\x01\x02\x00\x0b")
	x := inspect.Examine(runtime(t), wasm, "_start")
	require.Len(t, x.Problems, 4, strings.Join(x.Problems, "\n"))
	assert.Equal(t, "pool.serve is (i32), the guest imports it as ()", x.Problems[0])
	assert.Contains(t, x.Problems[1], "it imports env.other, which is not served")
	assert.Equal(t, `it has no export "_start" to start with: --start could name run`, x.Problems[2])
	assert.Contains(t, x.Problems[3], "it has no table")
}

func TestServedNamesEveryImport(t *testing.T) {
	assert.Equal(t, "pool.serve|next|read|reply|fail|tag|log, env.abort, wasi_snapshot_preview1.*", inspect.Served())
}
