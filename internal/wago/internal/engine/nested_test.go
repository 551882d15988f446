package engine_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/wago-org/wago/internal/engine"
)

func TestAHostFunctionMayCallItsInstance(t *testing.T) {
	i := open(t, "host", engine.Bindings{Host: hostFunc(
		func(inst *engine.Instance, _ int, params, results []uint64) {
			if params[0] == 0 {
				return
			}
			got, err := inst.Call(context.Background(), "call", []uint64{params[0] - 1})
			require.NoError(t, err)
			results[0] = got[0] + params[0]
		})})
	got, err := i.Call(t.Context(), "call", []uint64{10})
	require.NoError(t, err)
	require.Equal(t, []uint64{55}, got, "the same export, ten deep")
	require.False(t, i.Ended())
}

func TestANestedErrorStaysInItsLevel(t *testing.T) {
	for _, tc := range []struct {
		name   string
		export string
		inner  func(inst *engine.Instance) error
	}{
		{"a trap", "trap", func(inst *engine.Instance) error {
			_, err := inst.Call(context.Background(), "trap", nil)
			return err
		}},
		{"a host error two levels down", "call", func(inst *engine.Instance) error {
			_, err := inst.Call(context.Background(), "call", []uint64{0})
			return err
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var nested error
			i := open(t, "host", engine.Bindings{Host: hostFunc(
				func(inst *engine.Instance, _ int, params, _ []uint64) {
					if params[0] == 0 {
						panic(engine.HostTrap{Err: errors.New("inner")})
					}
					nested = tc.inner(inst)
					_, refused := inst.Call(context.Background(), "count", nil)
					require.ErrorIs(t, refused, engine.ErrInstanceEnded)
				})})
			got, err := i.Call(t.Context(), "call_then_count", []uint64{1})
			require.NoError(t, err, "the host function dealt with it")
			require.Equal(t, []uint64{1}, got)
			require.Error(t, nested)
			require.True(t, i.Ended())
		})
	}
}

func TestAHostFunctionMayPassANestedErrorOn(t *testing.T) {
	var nested error
	i := open(t, "host", engine.Bindings{Host: hostFunc(
		func(inst *engine.Instance, _ int, _, _ []uint64) {
			_, nested = inst.Call(context.Background(), "trap", nil)
			panic(engine.HostTrap{Err: nested})
		})})
	_, err := i.Call(t.Context(), "call", []uint64{1})
	require.True(t, err == nested)
}

func TestANestedCancellationEndsTheOuterCallToo(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	i := open(t, "host", engine.Bindings{Host: hostFunc(
		func(inst *engine.Instance, _ int, params, _ []uint64) {
			if params[0] == 0 {
				cancel()
				return
			}
			_, err := inst.Call(ctx, "call_then_spin", []uint64{0})
			require.ErrorIs(t, err, context.Canceled)
		})})
	_, err := i.Call(t.Context(), "call_then_count", []uint64{1})
	var ended *engine.EndedError
	require.ErrorAs(t, err, &ended)
	require.Equal(t, engine.EndCancelled, ended.Reason)
	require.NotErrorIs(t, err, context.Canceled, "the outer context did not end")
}

func TestNestingHasAFloor(t *testing.T) {
	depth := 0
	i := open(t, "host", engine.Bindings{Host: hostFunc(
		func(inst *engine.Instance, _ int, _, _ []uint64) {
			depth++
			if _, err := inst.Call(context.Background(), "call", []uint64{1}); err != nil {
				panic(engine.HostTrap{Err: err})
			}
		})})
	_, err := i.Call(t.Context(), "call", []uint64{1})
	var trap *engine.TrapError
	require.ErrorAs(t, err, &trap)
	require.Equal(t, engine.TrapStackFenceBreached, trap.Code)
	require.Equal(t, engine.MaxNesting, depth)
}

// A snapshotter makes wazero wrap the context that host functions get.
func TestAWrappedContextStillLeadsToTheInstance(t *testing.T) {
	host := &recorder{}
	i := open(t, "host", engine.Bindings{Host: host})
	_, err := i.Call(experimental.WithSnapshotter(t.Context()), "call", []uint64{1})
	require.NoError(t, err)
	require.Same(t, i, host.inst)
}
