package wago_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

func TestThinSlice(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	in := instantiate(t, rt, guestWasm)
	turns := 0
	h.run = func(m wago.HostModule, op, a, b int32) int32 {
		switch op {
		case 1:
			child, err := h.manager.Fork(context.Background(), m)
			require.NoError(t, err)
			require.NoError(t, child.ValidateVoidTableEntry(0))
			require.NoError(t, child.InvokeVoidTable(nil, 0))
			require.NoError(t, child.Close())
			return 42
		}
		turns++
		if turns == 3 {
			return 1
		}
		return 0
	}
	res, err := in.Invoke("call", 1, 0, 0)
	require.NoError(t, err)
	require.Equal(t, []uint64{42}, res)
	require.Equal(t, 3, turns)
}
