package binfmt

import (
	"encoding/binary"
	"slices"
)

// ULEB encodes an unsigned number. Safe for concurrent use.
func ULEB(v uint64) []byte { return binary.AppendUvarint(nil, v) }

// SLEB encodes a signed number. Safe for concurrent use.
func SLEB(v int64) []byte {
	var out []byte
	for {
		b := byte(v & 0x7f)
		v >>= 7
		if v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}

// Name encodes a name with its length. Safe for concurrent use.
func Name(s string) []byte { return append(ULEB(uint64(len(s))), s...) }

// Section encodes a section whose content is a vector. Safe for concurrent use.
func Section(id byte, items ...[]byte) []byte {
	body := slices.Concat(ULEB(uint64(len(items))), slices.Concat(items...))
	return slices.Concat([]byte{id}, ULEB(uint64(len(body))), body)
}

// Encode returns the type as it stands in a type section. Safe for concurrent
// use.
func (f FuncType) Encode() []byte {
	return slices.Concat([]byte{funcForm},
		ULEB(uint64(len(f.Params))), f.Params, ULEB(uint64(len(f.Results))), f.Results)
}

// Encode returns the type as it stands in a table section. Safe for concurrent
// use.
func (t TableType) Encode() []byte { return append([]byte{t.Elem}, t.Limits.encode()...) }

func (l Limits) encode() []byte {
	flags := byte(0)
	if l.HasMax {
		flags |= limitsMax
	}
	if l.Shared {
		flags |= limitsShared
	}
	out := append([]byte{flags}, ULEB(uint64(l.Min))...)
	if l.HasMax {
		out = append(out, ULEB(uint64(l.Max))...)
	}
	return out
}

// WithTables returns the module with other types for its own tables, of which
// there must be as many; wasm is the binary that o is the outline of, and is not
// changed. Without a table section it returns wasm. Safe for concurrent use.
func (o *Outline) WithTables(wasm []byte, tables []TableType) []byte {
	start, end := o.tableSection[0], o.tableSection[1]
	if end == 0 {
		return wasm
	}
	items := make([][]byte, len(tables))
	for i, t := range tables {
		items[i] = t.Encode()
	}
	return slices.Concat(wasm[:start], Section(SectionTable, items...), wasm[end:])
}
