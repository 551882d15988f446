package engine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
)

func TestEveryValueHasANameOfItsOwn(t *testing.T) {
	var values []fmt.Stringer
	for c := engine.TrapNone; c <= engine.TrapTableOutOfBounds+1; c++ {
		values = append(values, c)
	}
	for v := engine.ValI32; v <= engine.ValExternRef+1; v++ {
		values = append(values, v)
	}
	for k := engine.ImportFunc; k <= engine.ImportTable+1; k++ {
		values = append(values, k)
	}
	for r := range engine.EndAborted + 1 {
		values = append(values, r)
	}
	for r := engine.TableMissing; r <= engine.TableUnreadable+1; r++ {
		values = append(values, r)
	}
	seen := make(map[string]bool)
	for _, v := range values {
		key := fmt.Sprintf("%T %s", v, v)
		require.NotEmpty(t, v.String())
		require.False(t, seen[key], key)
		seen[key] = true
	}
}

func TestErrorsNameWhatTheyAreAbout(t *testing.T) {
	for _, tc := range []struct {
		err  error
		want []string
	}{
		{&engine.ExitError{Code: 3}, []string{"3"}},
		{&engine.HostPanicError{Value: "oh"}, []string{"oh"}},
		{&engine.EndedError{Reason: engine.EndExited}, []string{"exited"}},
		{&engine.EndedError{Reason: engine.EndTrapped, Cause: errReason}, []string{"trapped", "reason"}},
		{&engine.TableError{Index: 7, Reason: engine.TableNull}, []string{"7", "empty"}},
		{&engine.LimitError{Setting: "S", Subject: "it", Wanted: 2, Limit: 1}, []string{"S", "it", "2", "1"}},
		{&engine.TrapError{Code: engine.TrapDivZero}, []string{"divide by zero"}},
	} {
		for _, want := range tc.want {
			require.ErrorContains(t, tc.err, want)
		}
	}
}
