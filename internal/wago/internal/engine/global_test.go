package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
)

func TestExportedGlobals(t *testing.T) {
	i := open(t, "host", engine.Bindings{Host: silent})
	typ, bits, mutable, ok := i.Global("counter")
	require.True(t, ok)
	require.True(t, mutable)
	require.Equal(t, engine.ValI32, typ)
	require.Zero(t, bits)

	require.NoError(t, i.SetGlobal("counter", 41))
	got, err := i.Call(t.Context(), "count", nil)
	require.NoError(t, err)
	require.Equal(t, []uint64{42}, got)
	_, bits, _, _ = i.Global("counter")
	require.EqualValues(t, 42, bits)

	typ, bits, mutable, ok = i.Global("constant")
	require.True(t, ok)
	require.False(t, mutable)
	require.Equal(t, engine.ValF64, typ)
	require.Equal(t, f64(2.5), bits)

	for _, name := range []string{"nothing", "memory", "lanes"} {
		_, _, _, ok = i.Global(name)
		require.False(t, ok, name)
	}
	require.ErrorIs(t, i.SetGlobal("nothing", 0), engine.ErrNoExport)
	require.ErrorIs(t, i.SetGlobal("constant", 0), engine.ErrImmutable)
	require.ErrorIs(t, i.SetGlobal("lanes", 0), engine.ErrUnsupported)
	require.ErrorIs(t, i.SetGlobal("reference", 1), engine.ErrUnsupported)
	require.NoError(t, i.SetGlobal("reference", 0))

	require.NoError(t, i.Close())
	_, _, _, ok = i.Global("counter")
	require.False(t, ok)
	require.ErrorIs(t, i.SetGlobal("counter", 1), engine.ErrInstanceClosed)
}

func TestImportedConstants(t *testing.T) {
	e := newEngine(t, engine.Config{})
	m := compile(t, e, "globals")
	host := hostFunc(func(_ *engine.Instance, _ int, params, results []uint64) { results[0] = params[0] * 2 })
	want := []struct {
		export string
		bits   uint64
	}{{"base", i32(65535)}, {"big", ^uint64(4)}, {"pi", f64(3.14159)}, {"half", f32(0.5)}}
	values := func() map[int]uint64 {
		v := make(map[int]uint64)
		for n, w := range want {
			v[n] = w.bits
		}
		return v
	}
	first := instantiate(t, e, m, engine.Bindings{Host: host, Globals: values()})
	other := values()
	other[0] = 3
	second := instantiate(t, e, m, engine.Bindings{Host: host, Globals: other})
	third := instantiate(t, e, m, engine.Bindings{Host: host, Globals: values()})
	require.NoError(t, first.Close())

	for _, w := range want {
		got, err := third.Call(t.Context(), w.export, nil)
		require.NoError(t, err)
		require.Equal(t, []uint64{w.bits}, got, w.export)
	}
	got, err := third.Call(t.Context(), "call", []uint64{21})
	require.NoError(t, err)
	require.Equal(t, []uint64{42}, got, "functions of the same import module pass through")
	require.Equal(t, byte('x'), third.Memory()[65535], "a data segment's offset")

	got, err = second.Call(t.Context(), "base", nil)
	require.NoError(t, err)
	require.Equal(t, []uint64{3}, got)
	_, bits, mutable, ok := second.Global("exported")
	require.True(t, ok)
	require.False(t, mutable)
	require.Equal(t, ^uint64(4), bits)
}

func TestAMissingConstantIsNamed(t *testing.T) {
	e := newEngine(t, engine.Config{})
	m := compile(t, e, "globals")
	_, err := e.Instantiate(t.Context(), m, engine.Bindings{Host: silent, Globals: map[int]uint64{0: 0, 1: 0, 3: 0}})
	require.ErrorIs(t, err, engine.ErrLink)
	require.ErrorContains(t, err, `"math"."pi"`)
}

func TestADataSegmentOutOfBoundsIsATrap(t *testing.T) {
	e := newEngine(t, engine.Config{})
	m := compile(t, e, "globals")
	_, err := e.Instantiate(t.Context(), m, engine.Bindings{
		Host: silent, Globals: map[int]uint64{0: 65536, 1: 0, 2: 0, 3: 0},
	})
	var trap *engine.TrapError
	require.ErrorAs(t, err, &trap)
	require.Equal(t, engine.TrapLinMemOutOfBounds, trap.Code)
}
