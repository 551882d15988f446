package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
)

// wazero interprets where it has no compiler; nothing else may differ.
func TestTheInterpreterBehavesTheSame(t *testing.T) {
	e, err := engine.NewInterpreted(engine.Config{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	require.NoError(t, e.EnableWASI())

	i := instantiate(t, e, compile(t, e, "host"), engine.Bindings{Host: hostFunc(
		func(_ *engine.Instance, _ int, params, results []uint64) { results[0] = params[0] + 1 })})
	require.EqualValues(t, 8, call(t, i, "call", 7))

	i = instantiate(t, e, compile(t, e, "trap"), engine.Bindings{})
	_, err = i.Call(t.Context(), "div_zero", []uint64{0})
	var trap *engine.TrapError
	require.ErrorAs(t, err, &trap)
	require.Equal(t, engine.TrapDivZero, trap.Code)

	i = instantiate(t, e, compile(t, e, "wasi"), engine.Bindings{Host: silent})
	_, err = i.Call(t.Context(), "exit", []uint64{4})
	require.Equal(t, &engine.ExitError{Code: 4}, err)

	ctx, cancel := context.WithCancel(context.Background())
	i = instantiate(t, e, compile(t, e, "host"), engine.Bindings{Host: hostFunc(
		func(*engine.Instance, int, []uint64, []uint64) { cancel() })})
	_, err = i.Call(ctx, "call_then_spin", []uint64{1})
	wantInterrupted(t, ctx, err)

	i = instantiate(t, e, compile(t, e, "table"), engine.Bindings{Host: silent})
	require.NoError(t, i.CallVoidTable(t.Context(), 0))
	wantTable(t, i.CheckVoidTable(1), 1, engine.TableWrongType)
	wantTable(t, i.CheckVoidTable(3), 3, engine.TableNull)
	wantTable(t, i.CheckVoidTable(4), 4, engine.TableImported)
	wantTable(t, i.CheckVoidTable(8), 8, engine.TableOutOfRange)
}
