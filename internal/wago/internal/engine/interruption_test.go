package engine_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
	"github.com/wago-org/wago/internal/engine/binfmt"
)

// eachWay runs a test on an engine for each way of interruption.
func eachWay(t *testing.T, test func(t *testing.T, e *engine.Engine)) {
	t.Run("countdown", func(t *testing.T) { test(t, newEngine(t, engine.Config{})) })
	t.Run("watched", func(t *testing.T) { test(t, newWatchingEngine(t)) })
}

func TestAModuleSaysHowItsGuestsAreStopped(t *testing.T) {
	m := compile(t, newEngine(t, engine.Config{}), "host")
	require.Equal(t, engine.InterruptCountdown, m.Interruption())
	require.Equal(t, "countdown", m.Interruption().String())
	m = compile(t, newWatchingEngine(t), "host")
	require.Equal(t, engine.InterruptWatched, m.Interruption())
	require.Equal(t, "watched", m.Interruption().String())
}

// The gate needs the last of all pages, so that a guest with a memory that large
// from the start is watched, and others can't reach it.
func TestTheLargestMemory(t *testing.T) {
	e := newEngine(t, engine.Config{MemoryLimitPages: engine.MaxMemoryPages})
	m, err := e.Compile(t.Context(), module(binfmt.Section(5, slices.Concat([]byte{0}, binfmt.ULEB(engine.MaxMemoryPages)))))
	require.NoError(t, err)
	defer func() { require.NoError(t, m.Close()) }()
	require.Equal(t, engine.InterruptWatched, m.Interruption())
	info, _ := m.Memory()
	require.Equal(t, engine.MemoryInfo{Min: engine.MaxMemoryPages, Max: engine.MaxMemoryPages}, info)

	m = compile(t, e, "memory")
	require.Equal(t, engine.InterruptCountdown, m.Interruption())
	info, _ = m.Memory()
	require.Equal(t, engine.MemoryInfo{Min: 1, Max: engine.MaxMemoryPages - 1}, info)
	i := instantiate(t, e, m, engine.Bindings{})
	require.EqualValues(t, refused, grow(t, i, engine.MaxMemoryPages-1))
	mem, _ := i.MemoryObject()
	_, ok := mem.Grow(engine.MaxMemoryPages - 1)
	require.False(t, ok)
	_, ok = mem.Grow(1<<32 - 1)
	require.False(t, ok)
	require.EqualValues(t, 1, mem.Pages())
}

// A module that is valid only once it is rewritten could name what is added.
func TestAGuestCantNameWhatIsAddedToIt(t *testing.T) {
	body := func(code ...byte) []byte { return append([]byte{byte(len(code) + 2), 0}, append(code, 0x0b)...) }
	for _, tc := range []struct {
		name string
		code []byte
	}{
		{"the counter", []byte{0x23, 0, 0x1a}},
		{"a function", []byte{0x10, 1}},
		{"a type", []byte{0x02, 1, 0x0b}},
		{"the memory", []byte{0x3f, 0, 0x1a}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := newEngine(t, engine.Config{}).Compile(t.Context(), module(types(functionType(nil, nil)),
				binfmt.Section(3, []byte{0}), binfmt.Section(10, body(tc.code...))))
			require.ErrorIs(t, err, engine.ErrInvalidModule)
		})
	}
}

func TestNothingThatIsAddedShows(t *testing.T) {
	e := newEngine(t, engine.Config{})
	m := spinningEntry(t, e) // it has no memory, no globals and no exports
	require.Equal(t, engine.InterruptCountdown, m.Interruption())
	require.Empty(t, m.Exports())
	_, ok := m.Memory()
	require.False(t, ok)
	i := instantiate(t, e, m, engine.Bindings{})
	require.Nil(t, i.Memory())
	_, ok = i.MemoryObject()
	require.False(t, ok)

	i = open(t, "trap", engine.Bindings{})
	_, err := i.Call(t.Context(), "copy", nil)
	require.ErrorContains(t, err, "out of bounds memory access (at .$5())")
}

func TestEveryKindOfCallIsInterrupted(t *testing.T) {
	eachWay(t, func(t *testing.T, e *engine.Engine) {
		ctx, cancel := context.WithCancelCause(context.Background())
		host := hostFunc(func(*engine.Instance, int, []uint64, []uint64) { cancel(errReason) })
		i := instantiate(t, e, compile(t, e, "host"), engine.Bindings{Host: host})
		_, err := i.Call(ctx, "call_then_spin", []uint64{0})
		wantInterrupted(t, ctx, err)
		require.ErrorIs(t, i.EndError(), engine.ErrInstanceEnded)

		ctx, cancel = context.WithCancelCause(context.Background())
		_, err = e.Instantiate(ctx, compile(t, e, "start_spin"), engine.Bindings{Host: host})
		wantInterrupted(t, ctx, err)

		i = instantiate(t, e, spinningEntry(t, e), engine.Bindings{})
		ctx, cancel = context.WithCancelCause(context.Background())
		timer := time.AfterFunc(time.Millisecond, func() { cancel(errReason) })
		defer timer.Stop()
		wantInterrupted(t, ctx, i.CallVoidTable(ctx, 0))
	})
}

// spinningEntry is a module whose table entry 0 never returns.
func spinningEntry(t *testing.T, e *engine.Engine) *engine.Module {
	t.Helper()
	m, err := e.Compile(t.Context(), module(types(functionType(nil, nil)),
		binfmt.Section(3, []byte{0}), tables([]byte{binfmt.FuncRef, 0, 1}),
		binfmt.Section(9, []byte{0, 0x41, 0, 0x0b, 1, 0}),
		binfmt.Section(10, []byte{7, 0, 0x03, 0x40, 0x0c, 0, 0x0b, 0x0b})))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	return m
}

// The context of the outer call ends while a call nested in it runs, which has a
// context that never ends.
func TestTheEndOfAnOuterCallStopsTheCallsNestedInIt(t *testing.T) {
	eachWay(t, func(t *testing.T, e *engine.Engine) {
		outer, cancel := context.WithCancelCause(context.Background())
		var nested error
		i := instantiate(t, e, compile(t, e, "host"), engine.Bindings{Host: hostFunc(
			func(inst *engine.Instance, _ int, params, _ []uint64) {
				if params[0] == 0 {
					cancel(errReason)
					return
				}
				_, nested = inst.Call(context.Background(), "call_then_spin", []uint64{0})
			})})
		_, err := i.Call(outer, "call_then_count", []uint64{1})
		wantInterrupted(t, outer, nested)
		wantInterrupted(t, outer, err)
		var ended *engine.EndedError
		require.ErrorAs(t, i.EndError(), &ended)
		require.Equal(t, engine.EndCancelled, ended.Reason)
	})
}

func TestRecursionWithoutALoopIsInterrupted(t *testing.T) {
	// (func $f (param i32) local.get 0 if (call $f (local.get 0 - 1)) twice end)
	code := slices.Concat([]byte{0, 0x20, 0, 0x04, 0x40},
		slices.Repeat([]byte{0x20, 0, 0x41, 1, 0x6b, 0x10, 0}, 2), []byte{0x0b, 0x0b})
	e := newEngine(t, engine.Config{})
	m, err := e.Compile(t.Context(), module(types(functionType([]byte{binfmt.I32}, nil)), binfmt.Section(3, []byte{0}),
		binfmt.Section(7, slices.Concat(binfmt.Name("f"), []byte{0, 0})),
		binfmt.Section(10, append(binfmt.ULEB(uint64(len(code))), code...))))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_, err = instantiate(t, e, m, engine.Bindings{}).Call(ctx, "f", []uint64{100})
	wantInterrupted(t, ctx, err)
}

// A host function is not a guest: what it does when the context ends is its own
// affair.
func TestAHostFunctionIsNotInterrupted(t *testing.T) {
	eachWay(t, func(t *testing.T, e *engine.Engine) {
		ctx, cancel := context.WithCancelCause(context.Background())
		finished := false
		i := instantiate(t, e, compile(t, e, "host"), engine.Bindings{Host: hostFunc(
			func(inst *engine.Instance, _ int, _, _ []uint64) {
				cancel(errReason)
				inst.Memory()[0] = 1
				finished = true
			})})
		_, err := i.Call(ctx, "call_then_count", []uint64{1})
		wantInterrupted(t, ctx, err)
		require.True(t, finished)
	})
}

func TestWASIOfAGuestThatIsWatched(t *testing.T) {
	e := newWatchingEngine(t)
	before := compile(t, e, "memory")
	require.NoError(t, e.EnableWASI())
	require.Equal(t, engine.InterruptWatched, before.Interruption())
	i := instantiate(t, e, compile(t, e, "wasi"), engine.Bindings{Host: silent})
	_, err := i.Call(t.Context(), "exit", []uint64{4})
	require.Equal(t, &engine.ExitError{Code: 4}, err)
}
