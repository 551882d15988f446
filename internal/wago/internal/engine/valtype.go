package engine

import "fmt"

// ValType is the type of a WebAssembly value. The numbers are those of the host's
// interface, not of the binary format. Safe for concurrent use.
type ValType uint8

const (
	ValI32       ValType = 0 // 32-bit integer, in the low half of a slot
	ValI64       ValType = 1 // 64-bit integer
	ValF32       ValType = 2 // float, IEEE 754 bits in the low half of a slot
	ValF64       ValType = 3 // double, IEEE 754 bits
	ValV128      ValType = 4 // vector, two slots, low half first
	ValFuncRef   ValType = 5 // function reference, opaque
	ValExternRef ValType = 6 // host reference, opaque
)

// String returns the type's name in the text format.
func (t ValType) String() string {
	switch t {
	case ValI32:
		return "i32"
	case ValI64:
		return "i64"
	case ValF32:
		return "f32"
	case ValF64:
		return "f64"
	case ValV128:
		return "v128"
	case ValFuncRef:
		return "funcref"
	case ValExternRef:
		return "externref"
	}
	return fmt.Sprintf("valtype(%d)", uint8(t))
}

// Slots returns how many 64-bit slots a value of the type takes: two for a
// vector, one for everything else.
func (t ValType) Slots() int {
	if t == ValV128 {
		return 2
	}
	return 1
}

// IsRef reports whether the type is a reference.
func (t ValType) IsRef() bool { return t == ValFuncRef || t == ValExternRef }

func slots(types []ValType) int {
	n := 0
	for _, t := range types {
		n += t.Slots()
	}
	return n
}
