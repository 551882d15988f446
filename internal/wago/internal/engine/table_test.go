package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
)

func wantTable(t *testing.T, err error, index uint32, reason engine.TableReason) {
	t.Helper()
	var bad *engine.TableError
	require.ErrorAs(t, err, &bad)
	require.ErrorIs(t, err, engine.ErrTable)
	require.Equal(t, engine.TableError{Index: index, Reason: reason}, *bad)
}

func TestTableEntriesThatCanNotBeCalledSayWhy(t *testing.T) {
	i := open(t, "table", engine.Bindings{Host: silent})
	for _, tc := range []struct {
		name   string
		index  uint32
		reason engine.TableReason
	}{
		{"takes a parameter", 1, engine.TableWrongType},
		{"returns a result", 2, engine.TableWrongType},
		{"empty", 3, engine.TableNull},
		{"imported", 4, engine.TableImported},
		{"empty, the last", 7, engine.TableNull},
		{"the first past the end", 8, engine.TableOutOfRange},
		{"far past the end", 0xffffffff, engine.TableOutOfRange},
	} {
		t.Run(tc.name, func(t *testing.T) {
			wantTable(t, i.CheckVoidTable(tc.index), tc.index, tc.reason)
			wantTable(t, i.CallVoidTable(t.Context(), tc.index), tc.index, tc.reason)
			require.False(t, i.Ended())
		})
	}
	require.NoError(t, i.CheckVoidTable(0))
	require.NoError(t, i.CheckVoidTable(5))
}

func TestATableIsLookedAtAsItIsNow(t *testing.T) {
	i := open(t, "table", engine.Bindings{Host: silent})
	call := func(export string, args ...uint64) []uint64 {
		got, err := i.Call(t.Context(), export, args)
		require.NoError(t, err)
		return got
	}
	require.Equal(t, []uint64{8}, call("grow", 2))
	require.NoError(t, i.CheckVoidTable(9))
	call("clear", 9)
	wantTable(t, i.CheckVoidTable(9), 9, engine.TableNull)
	call("clear", 0)
	wantTable(t, i.CheckVoidTable(0), 0, engine.TableNull)
	call("move", 4, 0)
	wantTable(t, i.CheckVoidTable(0), 0, engine.TableImported)
}

func TestCallVoidTableRunsTheEntry(t *testing.T) {
	called := 0
	i := open(t, "table", engine.Bindings{Host: hostFunc(
		func(inst *engine.Instance, fn int, _, _ []uint64) {
			called++
			require.NoError(t, inst.CallVoidTable(context.Background(), 0), "nested")
		})})
	require.NoError(t, i.CallVoidTable(t.Context(), 0))
	require.NoError(t, i.CallVoidTable(t.Context(), 6))
	require.Equal(t, 1, called)
	_, bits, _, _ := i.Global("called")
	require.EqualValues(t, 2, bits)

	err := i.CallVoidTable(t.Context(), 5)
	var trap *engine.TrapError
	require.ErrorAs(t, err, &trap)
	require.Equal(t, engine.TrapUnreachable, trap.Code)
	require.ErrorIs(t, i.CallVoidTable(t.Context(), 0), engine.ErrInstanceEnded)
}

// The function that was looked up last is kept, for as long as the entry is that.
func TestAnEntryThatWasCalledMayBecomeAnother(t *testing.T) {
	i := open(t, "table", engine.Bindings{Host: silent})
	require.NoError(t, i.CallVoidTable(t.Context(), 0))
	_, err := i.Call(t.Context(), "move", []uint64{0, 1})
	require.NoError(t, err)
	require.NoError(t, i.CallVoidTable(t.Context(), 1), "the same function elsewhere")
	_, bits, _, _ := i.Global("called")
	require.EqualValues(t, 2, bits)
	_, err = i.Call(t.Context(), "move", []uint64{5, 0})
	require.NoError(t, err)
	require.True(t, errorAs[*engine.TrapError](i.CallVoidTable(t.Context(), 0)), "it is the one that traps")
}

func TestAnEntryMayCallItselfThroughTheHost(t *testing.T) {
	const calls, deep = 6, 5
	depth := 0
	i := open(t, "table", engine.Bindings{Host: hostFunc(
		func(inst *engine.Instance, _ int, _, _ []uint64) {
			if depth++; depth < deep {
				require.NoError(t, inst.CheckVoidTable(calls))
				require.NoError(t, inst.CallVoidTable(context.Background(), calls))
			}
		})})
	require.NoError(t, i.CallVoidTable(t.Context(), calls))
	require.Equal(t, deep, depth)
	_, bits, _, _ := i.Global("before")
	require.Zero(t, bits, "the outermost call has kept what it knew")
	require.NoError(t, i.CallVoidTable(t.Context(), calls), "and again")
}

func TestWithoutAFunctionTableNothingCanBeCalled(t *testing.T) {
	i := open(t, "memory", engine.Bindings{})
	wantTable(t, i.CheckVoidTable(0), 0, engine.TableMissing)
	require.NoError(t, i.Close())
	require.ErrorIs(t, i.CheckVoidTable(0), engine.ErrInstanceClosed)
	require.ErrorIs(t, i.CallVoidTable(t.Context(), 0), engine.ErrInstanceClosed)
}

func TestTablesAreDescribedAsDeclared(t *testing.T) {
	e := newEngine(t, engine.Config{})
	require.Equal(t,
		[]engine.TableInfo{{Type: engine.ValFuncRef, Min: 8, Max: 16, HasMax: true}},
		compile(t, e, "table").Tables())
	require.Equal(t,
		[]engine.TableInfo{{Type: engine.ValFuncRef, Min: 4}},
		compile(t, e, "trap").Tables())
}
