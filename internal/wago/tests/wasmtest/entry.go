package wasmtest

import "slices"

// FuncType is an entry of the type section: a signature, one value type a byte.
//
// Safe for concurrent use.
func FuncType(params, results []byte) []byte {
	return slices.Concat([]byte{0x60}, sized(params), sized(results))
}

// FuncImportEntry is an entry of the import section: a function of the signature with that type index.
//
// Safe for concurrent use.
func FuncImportEntry(module, name string, typeIndex uint32) []byte {
	return slices.Concat(Name(module), Name(name), []byte{KindFunc}, ULEB(typeIndex))
}

// GlobalImportEntry is an entry of the import section: a global.
//
// Safe for concurrent use.
func GlobalImportEntry(module, name string, valType byte, mutable bool) []byte {
	return slices.Concat(Name(module), Name(name), []byte{KindGlobal}, globalType(valType, mutable))
}

// GlobalEntry is an entry of the global section. init is a constant expression with its End.
//
// Safe for concurrent use.
func GlobalEntry(valType byte, mutable bool, init []byte) []byte {
	return append(globalType(valType, mutable), init...)
}

// ExportEntry is an entry of the export section: what is exported, and its index among those of its kind.
//
// Safe for concurrent use.
func ExportEntry(name string, kind byte, index uint32) []byte {
	return slices.Concat(Name(name), []byte{kind}, ULEB(index))
}

// Code is an entry of the code section: a function without locals beside its parameters. body ends with End.
//
// Safe for concurrent use.
func Code(body []byte) []byte { return sized(append(ULEB(0), body...)) }

func globalType(valType byte, mutable bool) []byte {
	if mutable {
		return []byte{valType, 1}
	}
	return []byte{valType, 0}
}
