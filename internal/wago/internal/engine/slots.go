package engine

import "github.com/wago-org/wago/internal/engine/binfmt"

var valTypes = map[byte]ValType{
	binfmt.I32: ValI32, binfmt.I64: ValI64, binfmt.F32: ValF32, binfmt.F64: ValF64,
	binfmt.V128: ValV128, binfmt.FuncRef: ValFuncRef, binfmt.ExternRef: ValExternRef,
}

func typesOf(encoded []byte) []ValType {
	if len(encoded) == 0 {
		return nil
	}
	types := make([]ValType, len(encoded))
	for i, t := range encoded {
		types[i] = valTypes[t]
	}
	return types
}

// slotList says what the slots of a list of values hold.
type slotList struct {
	slots  int
	narrow []bool // by slot: only the low 32 bits count
	refs   []int  // the slots that hold references
}

func slotsOf(types []ValType) slotList {
	l := slotList{slots: slots(types)}
	for _, t := range types {
		if t.IsRef() {
			l.refs = append(l.refs, len(l.narrow))
		}
		narrow := t == ValI32 || t == ValF32
		for range t.Slots() {
			l.narrow = append(l.narrow, narrow)
		}
	}
	return l
}

// copy copies the list's slots and clears the high half of 32-bit values, where
// wazero leaves whatever was on the guest's stack.
func (l *slotList) copy(dst, src []uint64) {
	for i, narrow := range l.narrow {
		v := src[i]
		if narrow {
			v = uint64(uint32(v))
		}
		dst[i] = v
	}
}

// forges reports whether a reference among the values isn't null. The engine has
// no way to know whether such bits are a reference it gave out, and a wrong one
// would crash the process.
func (l *slotList) forges(values []uint64) bool {
	for _, i := range l.refs {
		if values[i] != 0 {
			return true
		}
	}
	return false
}

// signature is a function's two lists.
type signature struct{ params, results slotList }

func signatureOf(params, results []ValType) *signature {
	return &signature{params: slotsOf(params), results: slotsOf(results)}
}
