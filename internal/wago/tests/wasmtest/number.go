package wasmtest

import "encoding/binary"

// ULEB encodes an unsigned number: an index, a size, a count.
//
// Safe for concurrent use.
func ULEB(value uint32) []byte { return binary.AppendUvarint(nil, uint64(value)) }

// SLEB32 encodes the immediate of i32.const.
//
// Safe for concurrent use.
func SLEB32(value int32) []byte { return SLEB64(int64(value)) }

// SLEB64 encodes the immediate of i64.const.
//
// Safe for concurrent use.
func SLEB64(value int64) []byte {
	const sign = 0x40
	var out []byte
	for {
		group := byte(value & 0x7f)
		value >>= 7
		if value == 0 && group&sign == 0 || value == -1 && group&sign != 0 {
			return append(out, group)
		}
		out = append(out, group|0x80)
	}
}
