package countdown_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/countdown"
	"github.com/wago-org/wago/internal/engine/binfmt"
)

func nops(n int) []byte { return slices.Repeat([]byte{0x01}, n) }

func TestWhereABodyCountsDownAndByHowMuch(t *testing.T) {
	const (
		block, loop, ifThen, otherwise, end = 0x02, 0x03, 0x04, 0x05, 0x0b
		br, call, void                      = 0x0c, 0x10, 0x40
		i32Const, drop                      = 0x41, 0x1a
	)
	noLocals, oneLocal := []byte{0}, []byte{1, 1, 0x7f}
	for _, tc := range []struct {
		name string
		body []byte
		want []countdown.Point
	}{
		{"a short function that calls nobody doesn't", slices.Concat(noLocals, nops(63), []byte{end}), nil},
		{"a longer one does at its entry", slices.Concat(noLocals, nops(64), []byte{end}), []countdown.Point{{1, 65}}},
		{"behind the locals", slices.Concat(oneLocal, nops(64), []byte{end}), []countdown.Point{{3, 65}}},
		{"one that calls pays for the callee", []byte{0, call, 0, end}, []countdown.Point{{1, 18}}},
		{
			"a loop at its head, and for what is in it", []byte{0, loop, void, br, 0, end, end},
			[]countdown.Point{{1, 2}, {3, 2}},
		},
		{
			"what is behind a loop is paid for before it", slices.Concat([]byte{0, loop, void, br, 0, end}, nops(9), []byte{end}),
			[]countdown.Point{{1, 11}, {3, 2}},
		},
		{
			"a loop in a loop", []byte{0, loop, void, 0x01, loop, void, br, 1, end, 0x01, end, end},
			[]countdown.Point{{1, 2}, {3, 4}, {6, 2}},
		},
		{
			"a long stretch is divided", slices.Concat(noLocals, nops(300), []byte{end}),
			[]countdown.Point{{1, 256}, {257, 45}},
		},
		{
			"code behind a branch isn't paid for in it",
			slices.Concat(noLocals, []byte{i32Const, 0, ifThen, void}, nops(300), []byte{otherwise}, nops(5), []byte{end}, nops(5), []byte{end}),
			[]countdown.Point{{1, 256}, {259, 47}, {306, 6}, {312, 6}},
		},
		{
			"code behind a block that may be left isn't paid for in it",
			slices.Concat(noLocals, []byte{block, void}, nops(300), []byte{end}, nops(5), []byte{end}),
			[]countdown.Point{{1, 256}, {258, 46}, {304, 6}},
		},
		{"dead code is code", []byte{0, loop, void, br, 0, i32Const, 1, drop, end, end}, []countdown.Point{{1, 2}, {3, 4}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := countdown.Points(tc.body)
			require.NoError(t, err)
			require.Equal(t, tc.want, got)
		})
	}
}

// Every byte of the immediates is one that is no instruction, so that reading too
// few is noticed; reading too many runs past the end.
func TestImmediatesArePassedOver(t *testing.T) {
	const strange = 0x06
	type form struct {
		name        string
		first, last uint32
		immediates  int
	}
	check := func(prefix []byte, f form) {
		t.Run(f.name, func(t *testing.T) {
			for number := f.first; number <= f.last; number++ {
				code := slices.Concat([]byte{0}, prefix, binfmt.ULEB(uint64(number)), slices.Repeat([]byte{strange}, f.immediates), []byte{0x0b})
				if prefix == nil {
					code = slices.Concat([]byte{0, byte(number)}, slices.Repeat([]byte{strange}, f.immediates), []byte{0x0b})
				}
				_, err := countdown.Points(code)
				require.NoError(t, err, "%#x", number)
			}
		})
	}
	for _, f := range []form{
		{"unreachable, nop", 0, 1, 0},
		{"br, br_if", 0x0c, 0x0d, 1},
		{"br_table", 0x0e, 0x0e, 8}, // its length is the strange byte too
		{"return", 0x0f, 0x0f, 0},
		{"call", 0x10, 0x10, 1},
		{"call_indirect", 0x11, 0x11, 2},
		{"drop, select", 0x1a, 0x1b, 0},
		{"typed select", 0x1c, 0x1c, 7},
		{"variables and tables", 0x20, 0x26, 1},
		{"loads and stores", 0x28, 0x3e, 2},
		{"memory.size, memory.grow, integers", 0x3f, 0x42, 1},
		{"f32.const", 0x43, 0x43, 4},
		{"f64.const", 0x44, 0x44, 8},
		{"numbers", 0x45, 0xc4, 0},
		{"ref.null", 0xd0, 0xd0, 1},
		{"ref.is_null", 0xd1, 0xd1, 0},
		{"ref.func", 0xd2, 0xd2, 1},
	} {
		check(nil, f)
	}
	for _, f := range []form{
		{"saturating conversions", 0, 7, 0},
		{"memory.init", 8, 8, 2},
		{"data.drop", 9, 9, 1},
		{"memory.copy", 10, 10, 2},
		{"memory.fill", 11, 11, 1},
		{"table.init", 12, 12, 2},
		{"elem.drop", 13, 13, 1},
		{"table.copy", 14, 14, 2},
		{"table.grow, table.size, table.fill", 15, 17, 1},
	} {
		check([]byte{0xfc}, f)
	}
	for _, f := range []form{
		{"vector loads and stores", 0x00, 0x0b, 2},
		{"v128.const, i8x16.shuffle", 0x0c, 0x0d, 16},
		{"swizzle and splats", 0x0e, 0x14, 0},
		{"lanes", 0x15, 0x22, 1},
		{"comparisons and bits", 0x23, 0x53, 0},
		{"loads and stores of a lane", 0x54, 0x5b, 3},
		{"loads with zeros", 0x5c, 0x5d, 2},
		{"the rest", 0x5e, 0xff, 0},
	} {
		check([]byte{0xfd}, f)
	}
}
