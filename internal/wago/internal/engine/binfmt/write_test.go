package binfmt_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine/binfmt"
	"pgregory.net/rapid"
)

// decodeSLEB is the specification's definition, read out.
func decodeSLEB(b []byte) (v int64, n int) {
	shift := uint(0)
	for {
		c := b[n]
		n++
		v |= int64(c&0x7f) << shift
		shift += 7
		if c < 0x80 {
			if shift < 64 && c&0x40 != 0 {
				v |= -1 << shift
			}
			return v, n
		}
	}
}

func TestNumbersSurviveEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Int64().Draw(t, "v")
		signed := binfmt.SLEB(v)
		got, n := decodeSLEB(signed)
		require.Equal(t, v, got)
		require.Len(t, signed, n)
		unsigned := binfmt.ULEB(uint64(v))
		u, n := binary.Uvarint(unsigned)
		require.Equal(t, uint64(v), u)
		require.Len(t, unsigned, n)
	})
}

func TestKnownEncodings(t *testing.T) {
	require.Equal(t, []byte{0x7f}, binfmt.SLEB(-1))
	require.Equal(t, []byte{0x3f}, binfmt.SLEB(63))
	require.Equal(t, []byte{0xc0, 0x00}, binfmt.SLEB(64))
	require.Equal(t, []byte{0x40}, binfmt.SLEB(-64))
	require.Equal(t, []byte{0x02, 'a', 'b'}, binfmt.Name("ab"))
	require.Equal(t, []byte{5, 3, 1, 0, 1}, binfmt.Section(5, []byte{0, 1}))
}

// A table that is shared was written as one that isn't.
func TestLimitsAreWrittenAsTheyWereRead(t *testing.T) {
	for _, table := range [][]byte{
		{binfmt.FuncRef, 0, 1}, {binfmt.FuncRef, 1, 1, 2}, {binfmt.FuncRef, 2, 1}, {binfmt.ExternRef, 3, 1, 2},
	} {
		o, err := binfmt.Parse(slices.Concat([]byte(binfmt.Header), binfmt.Section(binfmt.SectionTable, table)))
		require.NoError(t, err)
		require.Equal(t, table, o.Tables[0].Encode())
	}
}
