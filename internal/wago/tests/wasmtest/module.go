package wasmtest

import "slices"

// Section ids, in the order in which a module has to have them; custom sections may stand anywhere.
const (
	SectionCustom   byte = 0
	SectionType     byte = 1
	SectionImport   byte = 2
	SectionFunction byte = 3
	SectionTable    byte = 4
	SectionMemory   byte = 5
	SectionGlobal   byte = 6
	SectionExport   byte = 7
	SectionStart    byte = 8
	SectionElement  byte = 9
	SectionCode     byte = 10
	SectionData     byte = 11
)

// Kinds of imports and exports.
const (
	KindFunc   byte = 0
	KindTable  byte = 1
	KindMemory byte = 2
	KindGlobal byte = 3
)

// Value types.
const (
	I32       byte = 0x7f
	I64       byte = 0x7e
	F32       byte = 0x7d
	F64       byte = 0x7c
	V128      byte = 0x7b
	FuncRef   byte = 0x70
	ExternRef byte = 0x6f
)

// End closes every expression: function bodies and initial values.
const End byte = 0x0b

// Module is the header of version 1 with the sections behind it.
//
// Safe for concurrent use.
func Module(sections ...[]byte) []byte {
	return append([]byte("\x00asm\x01\x00\x00\x00"), slices.Concat(sections...)...)
}

// Section frames a payload with its id and size.
//
// Safe for concurrent use.
func Section(id byte, payload []byte) []byte { return append([]byte{id}, sized(payload)...) }

// Vec is the number of items with the items behind it.
//
// Safe for concurrent use.
func Vec(items ...[]byte) []byte { return append(ULEB(uint32(len(items))), slices.Concat(items...)...) }

// Name is a text with its length.
//
// Safe for concurrent use.
func Name(name string) []byte { return sized([]byte(name)) }

// sized is a payload with its length.
func sized(payload []byte) []byte { return append(ULEB(uint32(len(payload))), payload...) }
