package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
)

// recorder is a Host that keeps copies of what it was called with.
type recorder struct {
	inst    *engine.Instance
	fn      int
	params  []uint64
	results []uint64
	answer  func(params, results []uint64)
}

func (r *recorder) CallHost(inst *engine.Instance, fn int, params, results []uint64) {
	r.inst, r.fn = inst, fn
	r.params = append([]uint64(nil), params...)
	r.results = append([]uint64(nil), results...)
	if r.answer != nil {
		r.answer(params, results)
	}
}

func TestHostReceivesIndexParametersAndZeroedResults(t *testing.T) {
	for _, tc := range []struct {
		name, export        string
		args                []uint64
		fn                  int
		params              []uint64
		answer, want        []uint64
		wantResultsReceived int
	}{
		{"one integer", "call", []uint64{7}, 0, []uint64{7}, []uint64{8}, []uint64{8}, 1},
		{
			"all number types", "wide", []uint64{i32(-1), 1 << 40, f32(1.5), f64(2.5)}, 1,
			[]uint64{i32(-1), 1 << 40, f32(1.5), f64(2.5)},
			[]uint64{f64(-1), 1 << 50, i32(-2), f32(9)}, []uint64{f64(-1), 1 << 50, i32(-2), f32(9)}, 4,
		},
		{"nothing at all, second module", "void", nil, 2, nil, nil, nil, 0},
		{"the same import again means the first", "again", []uint64{7}, 0, []uint64{7}, []uint64{8}, []uint64{8}, 1},
		{"a vector", "vector", []uint64{1, 2, 3}, 4, []uint64{1, 2, 3}, []uint64{5, 6}, []uint64{5, 6}, 2},
		{
			"sixteen parameters", "sixteen", []uint64{100}, 5,
			[]uint64{100, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, []uint64{9}, []uint64{9}, 1,
		},
		{"an import that is exported again", "imported", []uint64{7}, 0, []uint64{7}, []uint64{8}, []uint64{8}, 1},
		{"no answer is zero", "call", []uint64{7}, 0, []uint64{7}, nil, []uint64{0}, 1},
		{"the high half of an i32 is cleared", "narrow", []uint64{1<<40 | 5}, 0, []uint64{5}, []uint64{1<<40 | 6}, []uint64{6}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			host := &recorder{answer: func(_, results []uint64) { copy(results, tc.answer) }}
			i := open(t, "host", engine.Bindings{Host: host})
			got, err := i.Call(t.Context(), tc.export, tc.args)
			require.NoError(t, err)
			require.Same(t, i, host.inst)
			require.Equal(t, tc.fn, host.fn)
			require.Equal(t, tc.params, host.params)
			require.Len(t, host.results, tc.wantResultsReceived)
			for _, r := range host.results {
				require.Zero(t, r)
			}
			require.Equal(t, tc.want, append([]uint64(nil), got...))
		})
	}
}

func TestHostMayWriteResultsBeforeItReadsParameters(t *testing.T) {
	host := &recorder{answer: func(params, results []uint64) {
		results[0] = 1
		results[0] += params[0]
	}}
	i := open(t, "host", engine.Bindings{Host: host})
	got, err := i.Call(t.Context(), "call", []uint64{41})
	require.NoError(t, err)
	require.Equal(t, []uint64{42}, got)
}

func TestForksShareHostFunctionsAndKeepTheirHosts(t *testing.T) {
	e := newEngine(t, engine.Config{})
	m := compile(t, e, "host")
	a, b := &recorder{}, &recorder{}
	first := instantiate(t, e, m, engine.Bindings{Host: a, Owner: "a"})
	second := instantiate(t, e, m, engine.Bindings{Host: b, Owner: "b"})
	for range 2 {
		_, err := first.Call(t.Context(), "call", []uint64{1})
		require.NoError(t, err)
		_, err = second.Call(t.Context(), "call", []uint64{2})
		require.NoError(t, err)
	}
	require.Same(t, first, a.inst)
	require.Equal(t, []uint64{1}, a.params)
	require.Equal(t, "b", b.inst.Owner())
	require.Equal(t, []uint64{2}, b.params)
}

func TestHostCallsDoNotAllocate(t *testing.T) {
	i := open(t, "host", engine.Bindings{Host: silent})
	const more = 1000
	perCall := func(calls uint64) float64 {
		args := []uint64{calls}
		return testing.AllocsPerRun(20, func() {
			if _, err := i.Call(t.Context(), "loop", args); err != nil {
				t.Error(err)
			}
		})
	}
	require.InDelta(t, perCall(1), perCall(1+more), more/100,
		"a call with a thousand host calls more allocates no more")
}

func TestHostSeesAndChangesTheLiveMemory(t *testing.T) {
	e := newEngine(t, engine.Config{})
	m := compile(t, e, "host")
	i := instantiate(t, e, m, engine.Bindings{Host: hostFunc(
		func(inst *engine.Instance, _ int, params, results []uint64) {
			inst.Memory()[100] = byte(params[0])
			b, ok := inst.Read(100, 1)
			require.True(t, ok)
			results[0] = uint64(b[0]) + 1
		})})
	got, err := i.Call(t.Context(), "call", []uint64{9})
	require.NoError(t, err)
	require.Equal(t, []uint64{10}, got)
	require.Equal(t, byte(9), i.Memory()[100])
}
