package engine

// ImportKind says what an import or an export is. Safe for concurrent use.
type ImportKind uint8

const (
	ImportFunc   ImportKind = 0
	ImportGlobal ImportKind = 1
	ImportMemory ImportKind = 2
	ImportTable  ImportKind = 3
)

// String returns the kind's name in the text format.
func (k ImportKind) String() string {
	switch k {
	case ImportFunc:
		return "func"
	case ImportGlobal:
		return "global"
	case ImportMemory:
		return "memory"
	case ImportTable:
		return "table"
	}
	return "unknown"
}

// Import describes one import. Only functions and constant globals are ever
// found in a compiled module: the other kinds are refused at Compile. Not safe
// for concurrent use while its slices are being changed.
type Import struct {
	// Module and Name are the import's two names.
	Module, Name string
	Kind         ImportKind
	// Index counts from 0 among the imports of the same kind. For a function it
	// is the fn that Host.CallHost receives, for a global the key in
	// Bindings.Globals.
	Index int
	// Params and Results are a function's signature.
	Params, Results []ValType
	// Type and Mutable describe a global.
	Type    ValType
	Mutable bool
	// Min, Max and HasMax would be the limits of a memory or a table.
	Min, Max uint32
	HasMax   bool
	// WASI reports that the engine answers this function itself.
	WASI bool
}

// Export describes one export. Not safe for concurrent use while its slices are
// being changed.
type Export struct {
	Name string
	Kind ImportKind
	// Params and Results are a function's signature.
	Params, Results []ValType
	// Type and Mutable describe a global.
	Type    ValType
	Mutable bool
}

// MemoryInfo describes a module's memory in pages of 64 KiB. Safe for
// concurrent use.
type MemoryInfo struct {
	// Min is how many pages an instance starts with.
	Min uint32
	// Max is how many it can reach: the declared maximum, or the engine's limit
	// where that is lower or nothing is declared.
	Max uint32
	// HasMax reports whether the module declares a maximum.
	HasMax bool
}

// TableInfo describes a table of a module, in entries. Safe for concurrent use.
type TableInfo struct {
	Type     ValType
	Min, Max uint32
	// HasMax reports whether Max was declared; without it Max is 0.
	HasMax bool
}
