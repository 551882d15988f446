package countdown_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/api"
	"github.com/wago-org/wago/internal/countdown"
	"github.com/wago-org/wago/internal/engine/binfmt"
)

// double is what families.wasm imports.
func double(_ context.Context, _ api.Module, stack []uint64) { stack[0] *= 2 }

func openFamilies(t tb, w way) *guest {
	g := &guest{hosts: map[string]api.GoModuleFunc{"env.double": double}}
	require.NoError(t, g.open(t, w, wasm(t, "families")))
	return g
}

// ways is each way once, and a countdown that leaves guest code at every point.
var ways = []way{plain, watched, counted, every(1)}

func TestEachFamilyOfInstructionsComputesTheSame(t *testing.T) {
	minusOne := uint64(math.MaxUint32)
	for _, tc := range []struct {
		export string
		args   []uint64
		want   []uint64
		trap   string
	}{
		{export: "recursion", args: []uint64{10}, want: []uint64{3628800}},
		{export: "integers", args: []uint64{1000}, want: []uint64{2000}},
		{export: "longs", args: []uint64{100}, want: []uint64{2552}},
		{export: "floats", args: []uint64{math.Float64bits(8)}, want: []uint64{math.Float64bits(3.5)}},
		{export: "sign_extension", args: []uint64{0x80}, want: []uint64{0}},
		{export: "saturation", args: []uint64{math.Float64bits(-3)}, want: []uint64{0, uint64(math.MaxUint64 - 2)}},
		{export: "branch_table", args: []uint64{0}, want: []uint64{10}},
		{export: "branch_table", args: []uint64{1}, want: []uint64{20}},
		{export: "branch_table", args: []uint64{9}, want: []uint64{30}},
		{export: "dead_code", args: []uint64{0}, want: []uint64{7}},
		{export: "loop_with_parameters", args: []uint64{5}, want: []uint64{243, 26}},
		{export: "block_with_parameters", args: []uint64{1}, want: []uint64{4}},
		{export: "block_with_parameters", args: []uint64{0}, want: []uint64{0}},
		{export: "indirect", args: []uint64{0, 9}, want: []uint64{81}},
		{export: "indirect", args: []uint64{1, 9}, want: []uint64{18}},
		{export: "indirect", args: []uint64{2, 4}, want: []uint64{24}},
		{export: "indirect", args: []uint64{3, 4}, trap: "invalid table access"},
		{export: "host", args: []uint64{100}, want: []uint64{10100}},
		{export: "unreachable", args: []uint64{1}, trap: "unreachable"},
		{export: "loads_and_stores", args: []uint64{200}, want: []uint64{uint64(0xfffffffe_00801234) - 128}},
		{export: "loads_and_stores", args: []uint64{minusOne}, trap: "out of bounds memory access"},
		{export: "sizes", want: []uint64{2, 3}},
		{export: "init", args: []uint64{9, 1, 3}, want: []uint64{'a'}},
		{export: "init", args: []uint64{9, 1, 5}, trap: "out of bounds memory access"},
		{export: "drop_data", args: []uint64{0}, want: []uint64{1}},
		{export: "tables", args: []uint64{3}, want: []uint64{508}},
		{export: "references", args: []uint64{0}, want: []uint64{0}},
		{export: "references", args: []uint64{1}, want: []uint64{1}},
		{export: "vectors", args: []uint64{7}, want: []uint64{0x1e0000001d, 29}},
	} {
		for _, w := range ways {
			t.Run(tc.export+"/"+w.name, func(t *testing.T) {
				g := openFamilies(t, w)
				got, err := g.call(tc.export, tc.args...)
				if tc.trap != "" {
					require.ErrorContains(t, err, tc.trap)
					return
				}
				require.NoError(t, err)
				require.Equal(t, tc.want, narrow(g.mod, tc.export, got))
				require.Equal(t, "countdown", string(view(g)[16:25]))
			})
		}
	}
}

// narrow clears the high half of 32-bit results: wazero leaves there what was.
func narrow(mod api.Module, export string, results []uint64) []uint64 {
	slot := 0
	for _, typ := range mod.ExportedFunction(export).Definition().ResultTypes() {
		switch {
		case slot >= len(results): // a call that failed
		case typ == api.ValueTypeI32, typ == api.ValueTypeF32:
			results[slot] = uint64(uint32(results[slot]))
		case typ == binfmt.V128:
			slot++
		}
		slot++
	}
	return results
}

// view is the whole memory of a guest that has one.
func view(g *guest) []byte {
	b, _ := g.mod.Memory().Read(0, g.mod.Memory().Size())
	return b
}

// Both kinds of bulk operation, of every length around those at which something
// changes, up and down, within bounds and past them.
func TestMemoryIsFilledAndCopiedTheSameInPieces(t *testing.T) {
	const piece, pages, size = countdown.PieceBytes, 6, 6 * 65536
	lengths := []uint64{0, 1, piece - 1, piece, piece + 1, 2*piece - 1, 2 * piece, 2*piece + 1, 3 * piece, size - 1, size, size + 1, math.MaxUint32}
	places := []uint64{0, 1, piece - 1, piece, size - piece, size - 1, size, size + 1, math.MaxUint32}
	left, counting := openFamilies(t, plain), openFamilies(t, counted)
	for _, g := range []*guest{left, counting} {
		_, ok := g.mod.Memory().Grow(pages - 2)
		require.True(t, ok)
	}
	trapped, done := 0, 0
	same := func(export string, to, from, length uint64) {
		for _, g := range []*guest{left, counting} {
			for i, b := 0, view(g); i < len(b); i++ {
				b[i] = byte(i*7 + i>>8)
			}
		}
		_, want := left.call(export, to, from, length)
		_, got := counting.call(export, to, from, length)
		require.Equal(t, firstLine(want), firstLine(got), "%s %d %d %d", export, to, from, length)
		require.True(t, string(view(left)) == string(view(counting)), "%s %d %d %d", export, to, from, length)
		if want != nil {
			trapped++
		} else {
			done++
		}
	}
	for _, length := range lengths {
		for _, to := range places {
			same("fill", to, 0xa5, length)
			for _, from := range places {
				same("copy", to, from, length)
			}
		}
	}
	require.Positive(t, trapped)
	require.Positive(t, done)
}

func TestAVeryLongFillLeavesGuestCodeInBetween(t *testing.T) {
	g := openFamilies(t, counted)
	_, ok := g.mod.Memory().Grow(6)
	require.True(t, ok)
	for _, export := range []string{"fill", "copy"} {
		g.stopAfter(3)
		_, err := g.call(export, 0, 1, 8*65536-1)
		require.ErrorIs(t, err, errStopped)
		require.Equal(t, 3, g.exits)
	}
}

func TestAGuestLeavesItsCodeOncePerPieceAndOncePerFullCounter(t *testing.T) {
	g := openFamilies(t, counted)
	_, ok := g.mod.Memory().Grow(6)
	require.True(t, ok)
	for _, export := range []string{"fill", "copy"} {
		g.exits = 0
		_, err := g.call(export, 0, 0, 8*countdown.PieceBytes)
		require.NoError(t, err)
		require.Equal(t, 7, g.exits, export)
	}

	const turns, instructions = 1_000_000, 10
	g = open(t, counted, wasm(t, "kernels"))
	_, err := g.call("sum", turns)
	require.NoError(t, err)
	require.InDelta(t, turns*instructions/countdown.Full, g.exits, 1)
}

func TestTableOperationsLeaveGuestCode(t *testing.T) {
	g := openFamilies(t, counted)
	_, err := g.call("tables", 3)
	require.NoError(t, err)
	require.Equal(t, 3, g.exits, "init, copy and fill")
}
