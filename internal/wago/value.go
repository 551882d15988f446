package wago

import (
	"fmt"
	"math"

	"github.com/wago-org/wago/internal/engine"
)

// ValType is the type of a WebAssembly value.
type ValType = engine.ValType

// The value types.
const (
	ValI32       = engine.ValI32
	ValI64       = engine.ValI64
	ValF32       = engine.ValF32
	ValF64       = engine.ValF64
	ValV128      = engine.ValV128
	ValFuncRef   = engine.ValFuncRef
	ValExternRef = engine.ValExternRef
)

// I32 returns the slot of an i32.
func I32(v int32) uint64 { return uint64(uint32(v)) }

// I64 returns the slot of an i64.
func I64(v int64) uint64 { return uint64(v) }

// F32 returns the slot of an f32.
func F32(v float32) uint64 { return uint64(math.Float32bits(v)) }

// F64 returns the slot of an f64.
func F64(v float64) uint64 { return math.Float64bits(v) }

// AsI32 reads a slot as an i32.
func AsI32(slot uint64) int32 { return int32(uint32(slot)) }

// AsI64 reads a slot as an i64.
func AsI64(slot uint64) int64 { return int64(slot) }

// AsF32 reads a slot as an f32.
func AsF32(slot uint64) float32 { return math.Float32frombits(uint32(slot)) }

// AsF64 reads a slot as an f64.
func AsF64(slot uint64) float64 { return math.Float64frombits(slot) }

// Value is a value of one slot with its type, as [Instance.Call] takes and returns it. It is comparable (by its bits, so a
// NaN equals itself). The zero Value is the i32 0.
//
// Safe for concurrent use.
type Value struct {
	typ  ValType
	bits uint64
}

// ValueOf returns the value of a type with the bits of a slot. A v128 takes two slots and so is no Value: use
// [Instance.Invoke] for it.
func ValueOf(t ValType, bits uint64) Value { return Value{typ: t, bits: bits} }

// ValueI32 returns an i32.
func ValueI32(v int32) Value { return Value{ValI32, I32(v)} }

// ValueI64 returns an i64.
func ValueI64(v int64) Value { return Value{ValI64, I64(v)} }

// ValueF32 returns an f32.
func ValueF32(v float32) Value { return Value{ValF32, F32(v)} }

// ValueF64 returns an f64.
func ValueF64(v float64) Value { return Value{ValF64, F64(v)} }

// Type returns the value's type.
func (v Value) Type() ValType { return v.typ }

// Bits returns the value's slot.
func (v Value) Bits() uint64 { return v.bits }

// I32 reads the bits as an i32, whatever the type.
func (v Value) I32() int32 { return AsI32(v.bits) }

// I64 reads the bits as an i64, whatever the type.
func (v Value) I64() int64 { return AsI64(v.bits) }

// F32 reads the bits as an f32, whatever the type.
func (v Value) F32() float32 { return AsF32(v.bits) }

// F64 reads the bits as an f64, whatever the type.
func (v Value) F64() float64 { return AsF64(v.bits) }

// String returns the type and the value, such as "i32(-1)".
func (v Value) String() string {
	switch v.typ {
	case ValI32:
		return fmt.Sprintf("i32(%d)", v.I32())
	case ValI64:
		return fmt.Sprintf("i64(%d)", v.I64())
	case ValF32:
		return fmt.Sprintf("f32(%v)", v.F32())
	case ValF64:
		return fmt.Sprintf("f64(%v)", v.F64())
	default:
		return fmt.Sprintf("%s(%#x)", v.typ, v.bits)
	}
}
