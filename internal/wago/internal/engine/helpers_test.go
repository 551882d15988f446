package engine_test

import (
	"embed"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

//go:embed testdata/*.wasm
var testdata embed.FS

// wasm returns a binary of testdata by its name without ending.
func wasm(t testing.TB, name string) []byte {
	t.Helper()
	b, err := testdata.ReadFile("testdata/" + name + ".wasm")
	require.NoError(t, err)
	return b
}

// hostFunc is a Host that is one function.
type hostFunc func(inst *engine.Instance, fn int, params, results []uint64)

func (f hostFunc) CallHost(inst *engine.Instance, fn int, params, results []uint64) {
	f(inst, fn, params, results)
}

// silent is a Host that returns zeros.
var silent = hostFunc(func(*engine.Instance, int, []uint64, []uint64) {})

// newEngine returns an engine that the test's end closes, and at which nothing
// may be left by then.
func newEngine(t testing.TB, cfg engine.Config) *engine.Engine {
	t.Helper()
	return settled(t, engine.New, cfg)
}

// newWatchingEngine returns one that rewrites no module.
func newWatchingEngine(t testing.TB) *engine.Engine {
	t.Helper()
	return settled(t, engine.NewWatching, engine.Config{})
}

func settled(t testing.TB, newEngine func(engine.Config) (*engine.Engine, error), cfg engine.Config) *engine.Engine {
	t.Helper()
	e, err := newEngine(cfg)
	require.NoError(t, err)
	t.Cleanup(func() {
		opened, closed := e.Instances()
		require.Equal(t, opened, closed, "instances left open")
		mapped, unmapped := e.Mappings()
		require.Equal(t, mapped, unmapped, "memories left")
		require.NoError(t, e.Close())
	})
	return e
}

func compile(t testing.TB, e *engine.Engine, name string) *engine.Module {
	t.Helper()
	m, err := e.Compile(t.Context(), wasm(t, name))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	return m
}

func instantiate(t testing.TB, e *engine.Engine, m *engine.Module, b engine.Bindings) *engine.Instance {
	t.Helper()
	i, err := e.Instantiate(t.Context(), m, b)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, i.Close()) })
	return i
}

// open does all of it for one guest.
func open(t testing.TB, name string, b engine.Bindings) *engine.Instance {
	t.Helper()
	e := newEngine(t, engine.Config{})
	return instantiate(t, e, compile(t, e, name), b)
}

func f32(v float32) uint64 { return uint64(math.Float32bits(v)) }
func f64(v float64) uint64 { return math.Float64bits(v) }
func i32(v int32) uint64   { return uint64(uint32(v)) }

func errorAs[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}
