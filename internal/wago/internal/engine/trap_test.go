package engine_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
)

func TestEachTrapHasItsCode(t *testing.T) {
	nan := f32(float32(math.NaN()))
	for _, tc := range []struct {
		name, export string
		args         []uint64
		code         engine.TrapCode
	}{
		{"unreachable", "unreachable", nil, engine.TrapUnreachable},
		{"load past the end", "load", nil, engine.TrapLinMemOutOfBounds},
		{"store past the end", "store", nil, engine.TrapLinMemOutOfBounds},
		{"copy past the end", "copy", nil, engine.TrapLinMemOutOfBounds},
		{"division by zero", "div_zero", []uint64{0}, engine.TrapDivZero},
		{"remainder by zero", "rem_zero", []uint64{0}, engine.TrapDivZero},
		{"overflow of a division", "div_overflow", []uint64{i32(-1)}, engine.TrapDivOverflow},
		{"overflow of a conversion", "trunc_overflow", []uint64{f32(1e30)}, engine.TrapDivOverflow},
		{"conversion of NaN", "trunc_overflow", []uint64{nan}, engine.TrapTruncOverflow},
		{"call of an empty entry", "indirect", []uint64{3}, engine.TrapIndirectOutOfBounds},
		{"call past the table's end", "indirect", []uint64{9}, engine.TrapIndirectOutOfBounds},
		{"call of another type", "indirect", []uint64{0}, engine.TrapIndirectWrongSig},
		{"read past the table's end", "table_get", []uint64{4}, engine.TrapIndirectOutOfBounds},
		{"endless recursion", "recurse", []uint64{0}, engine.TrapStackFenceBreached},
	} {
		t.Run(tc.name, func(t *testing.T) {
			i := open(t, "trap", engine.Bindings{})
			_, err := i.Call(t.Context(), tc.export, tc.args)
			var trap *engine.TrapError
			require.ErrorAs(t, err, &trap)
			require.Equal(t, tc.code, trap.Code)

			require.True(t, i.Ended())
			_, err = i.Call(t.Context(), "fine", nil)
			var ended *engine.EndedError
			require.ErrorAs(t, err, &ended)
			require.ErrorIs(t, err, engine.ErrInstanceEnded)
			require.Equal(t, engine.EndTrapped, ended.Reason)
			require.Equal(t, error(trap), ended.Cause)
			require.False(t, errorAs[*engine.TrapError](err), "a refused call did not trap")
		})
	}
}
