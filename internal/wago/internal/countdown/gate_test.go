package countdown_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/wago-org/wago/internal/countdown"
)

func TestMemoryGrowsAsFarAsBefore(t *testing.T) {
	for _, w := range []way{plain, every(1)} {
		t.Run(w.name, func(t *testing.T) {
			g := open(t, w, wasm(t, "kernels"))
			for _, step := range []struct{ by, want, size uint64 }{
				{0, 1, 1},
				{memoryPages, 0xffffffff, 1},
				{65535, 0xffffffff, 1}, // to the last page of all
				{65536, 0xffffffff, 1},
				{0xffffffff, 0xffffffff, 1},
				{1, 1, 2},
				{memoryPages - 2, 2, memoryPages},
				{1, 0xffffffff, memoryPages},
			} {
				got, err := g.call("grow", step.by)
				require.NoError(t, err)
				require.Equal(t, []uint64{step.want}, got, "growing by %d", step.by)
				size, err := g.call("size")
				require.NoError(t, err)
				require.Equal(t, []uint64{step.size}, size)
				require.EqualValues(t, step.size*65536, g.mod.Memory().Size())
			}
		})
	}
}

func TestADeclaredMaximumStays(t *testing.T) {
	for _, w := range []way{plain, counted} {
		g := open(t, w, wasm(t, "families"))
		_, ok := g.mod.Memory().Grow(6)
		require.True(t, ok, w.name)
		_, ok = g.mod.Memory().Grow(1)
		require.False(t, ok, w.name)
	}
}

func TestAModuleWithoutMemoryGetsNone(t *testing.T) {
	g := open(t, every(1), function(append(nops(100), 0x0b)...))
	_, ok := g.mod.Memory().Grow(1)
	require.False(t, ok)
	require.Zero(t, g.mod.Memory().Size())
	require.NoError(t, g.mod.Close(context.Background()))
}

// asked is an allocator that notes what it is asked for.
type asked struct {
	slab
	capacity, maximum uint64
}

func (a *asked) Allocate(capacity, maximum uint64) experimental.LinearMemory {
	a.capacity, a.maximum = capacity, maximum
	return a
}

func TestTheGateLimitsWhatTheAllocatorIsAskedFor(t *testing.T) {
	a := &asked{}
	gate := &countdown.Gate{Memory: a, MaxPages: 2, Check: func() { t.Error("no guest has come by") }}
	m := gate.Allocate(8*65536, 65536*65536)
	require.EqualValues(t, 2*65536, a.capacity)
	require.EqualValues(t, 2*65536, a.maximum)
	require.Len(t, m.Reallocate(65536), 65536)
	require.Nil(t, m.Reallocate(3*65536))
	require.Len(t, a.buf, 65536, "nothing was asked for")
}
