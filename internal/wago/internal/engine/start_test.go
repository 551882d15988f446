package engine_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
)

func TestAStartSectionThatFailsIsTheErrorOfInstantiate(t *testing.T) {
	own := errors.New("own")
	for _, tc := range []struct {
		name, guest string
		host        func(inst *engine.Instance)
		check       func(t *testing.T, err error)
	}{
		{"trap", "start_trap", nil, func(t *testing.T, err error) {
			var trap *engine.TrapError
			require.ErrorAs(t, err, &trap)
			require.Equal(t, engine.TrapUnreachable, trap.Code)
		}},
		{"exit", "start_host", func(*engine.Instance) { panic(engine.HostExit{}) }, func(t *testing.T, err error) {
			require.Equal(t, &engine.ExitError{}, err)
		}},
		{"host trap", "start_host", func(*engine.Instance) { panic(engine.HostTrap{Err: own}) }, func(t *testing.T, err error) {
			require.True(t, err == own)
		}},
		{"host panic", "start_host", func(*engine.Instance) { panic("oh") }, func(t *testing.T, err error) {
			var p *engine.HostPanicError
			require.ErrorAs(t, err, &p)
			require.Equal(t, "oh", p.Value)
		}},
		{"host panic, imported start", "start_import", func(*engine.Instance) { panic("oh") }, func(t *testing.T, err error) {
			require.True(t, errorAs[*engine.HostPanicError](err))
		}},
		{"a nested trap that is ignored", "start_host", func(inst *engine.Instance) {
			_, _ = inst.Call(context.Background(), "trap", nil)
		}, func(t *testing.T, err error) {
			require.ErrorIs(t, err, engine.ErrInstanceEnded)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := newEngine(t, engine.Config{})
			m := compile(t, e, tc.guest)
			require.True(t, m.HasStart())
			i, err := e.Instantiate(t.Context(), m, engine.Bindings{Host: hostFunc(
				func(inst *engine.Instance, _ int, _, _ []uint64) { tc.host(inst) })})
			require.Nil(t, i)
			tc.check(t, err)
			opened, closed := e.Instances()
			require.EqualValues(t, 1, opened)
			require.EqualValues(t, 1, closed)
		})
	}
}

func TestTheEndOfTheContextInterruptsAStartSection(t *testing.T) {
	e := newEngine(t, engine.Config{})
	m := compile(t, e, "start_spin")
	ctx, cancel := context.WithCancelCause(context.Background())
	host := hostFunc(func(*engine.Instance, int, []uint64, []uint64) { cancel(errReason) })
	_, err := e.Instantiate(ctx, m, engine.Bindings{Host: host})
	wantInterrupted(t, ctx, err)
	_, err = e.Instantiate(ctx, m, engine.Bindings{Host: silent})
	wantInterrupted(t, ctx, err)
}

func TestAStartSectionHasItsMemoryAndMayBeCalledBack(t *testing.T) {
	e := newEngine(t, engine.Config{})
	m := compile(t, e, "start_host")
	var inside *engine.Instance
	i := instantiate(t, e, m, engine.Bindings{Owner: "me", Host: hostFunc(
		func(inst *engine.Instance, _ int, _, _ []uint64) {
			inside = inst
			require.Equal(t, "me", inst.Owner())
			require.Equal(t, "start", string(inst.Memory()[:5]))
			got, err := inst.Call(context.Background(), "five", nil)
			require.NoError(t, err)
			require.Equal(t, []uint64{5}, got)
		})})
	require.Same(t, i, inside)
	got, err := i.Call(t.Context(), "five", nil)
	require.NoError(t, err)
	require.Equal(t, []uint64{5}, got)
}

func TestAnImportedStartFunctionRunsTheHost(t *testing.T) {
	e := newEngine(t, engine.Config{})
	called := 0
	i := instantiate(t, e, compile(t, e, "start_import"), engine.Bindings{Host: hostFunc(
		func(inst *engine.Instance, _ int, _, _ []uint64) {
			called++
			require.Len(t, inst.Memory(), engine.PageSize)
			require.ErrorIs(t, inst.CallVoidTable(context.Background(), 0), engine.ErrUnsupported)
			require.ErrorIs(t, inst.CheckVoidTable(0), engine.ErrUnsupported)
		})})
	require.Equal(t, 1, called)
	require.Len(t, i.Memory(), engine.PageSize)
}

func TestGoexitInAStartSectionLeavesNothing(t *testing.T) {
	e := newEngine(t, engine.Config{})
	m := compile(t, e, "start_host")
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = e.Instantiate(t.Context(), m, engine.Bindings{Host: hostFunc(
			func(*engine.Instance, int, []uint64, []uint64) { runtime.Goexit() })})
		t.Error("Instantiate returned")
	}()
	<-done
	opened, closed := e.Instances()
	require.Equal(t, opened, closed)
}
