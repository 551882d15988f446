package engine

import (
	"encoding/binary"
	"slices"

	"github.com/wago-org/wago/internal/engine/binfmt"
)

// constantsModule writes a module that imports the given functions, exports them
// again under their names, and exports the given constants.
func constantsModule(functions, globals []Import, values map[int]uint64) []byte {
	var types, imports, consts, exports [][]byte
	for i, f := range functions {
		index := binfmt.ULEB(uint64(i))
		types = append(types, binfmt.FuncType{Params: encode(f.Params), Results: encode(f.Results)}.Encode())
		imports = append(imports, slices.Concat(binfmt.Name(f.Module), binfmt.Name(f.Name), []byte{byte(binfmt.Func)}, index))
		exports = append(exports, slices.Concat(binfmt.Name(f.Name), []byte{byte(binfmt.Func)}, index))
	}
	for i, g := range globals {
		consts = append(consts, constant(g.Type, values[g.Index]))
		exports = append(exports, slices.Concat(binfmt.Name(g.Name), []byte{byte(binfmt.Global)}, binfmt.ULEB(uint64(i))))
	}
	const secType, secImport, secGlobal, secExport = 1, 2, 6, 7
	return slices.Concat([]byte(binfmt.Header),
		binfmt.Section(secType, types...), binfmt.Section(secImport, imports...),
		binfmt.Section(secGlobal, consts...), binfmt.Section(secExport, exports...))
}

// constant is a global's type, immutable, and its value.
func constant(t ValType, bits uint64) []byte {
	const i32Const, i64Const, f32Const, f64Const, end = 0x41, 0x42, 0x43, 0x44, 0x0b
	var value []byte
	switch t {
	case ValI32:
		value = append([]byte{i32Const}, binfmt.SLEB(int64(int32(uint32(bits))))...)
	case ValI64:
		value = append([]byte{i64Const}, binfmt.SLEB(int64(bits))...)
	case ValF32:
		value = binary.LittleEndian.AppendUint32([]byte{f32Const}, uint32(bits))
	default:
		value = binary.LittleEndian.AppendUint64([]byte{f64Const}, bits)
	}
	return slices.Concat([]byte{encodings[t], 0}, value, []byte{end})
}
