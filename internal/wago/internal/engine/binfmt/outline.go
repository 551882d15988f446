package binfmt

// Error is a constant error of this package. Safe for concurrent use.
type Error string

// Error returns the text of the constant.
func (e Error) Error() string { return string(e) }

// ErrMalformed is wrapped by every error of [Parse], with the place.
const ErrMalformed = Error("malformed module")

// Kind says what an import or an export is, numbered as in the binary format.
// Safe for concurrent use.
type Kind byte

const (
	Func   Kind = 0
	Table  Kind = 1
	Memory Kind = 2
	Global Kind = 3
	Tag    Kind = 4
)

// Value types, as encoded.
const (
	I32       byte = 0x7f
	I64       byte = 0x7e
	F32       byte = 0x7d
	F64       byte = 0x7c
	V128      byte = 0x7b
	FuncRef   byte = 0x70
	ExternRef byte = 0x6f
)

// FuncType is a function's signature in encoded value types.
type FuncType struct{ Params, Results []byte }

// Limits are those of a memory (pages) or a table (entries).
type Limits struct {
	Min, Max uint32
	HasMax   bool
	Shared   bool
}

// TableType is a table's element type and limits.
type TableType struct {
	Elem   byte
	Limits Limits
}

// GlobalType is a global's value type and mutability.
type GlobalType struct {
	Type    byte
	Mutable bool
}

// Import is one import; the field that its Kind names is set.
type Import struct {
	Module, Name string
	Kind         Kind
	Func         FuncType
	Table        TableType
	Memory       Limits
	Global       GlobalType
}

// Export is one export; Index counts in the index space of its kind, imports
// first.
type Export struct {
	Name  string
	Kind  Kind
	Index uint32
}

// Outline is what a module imports, exports and declares. Not safe for
// concurrent use while it is being changed.
type Outline struct {
	// Types is the type section.
	Types []FuncType
	// Imports is the import section, in its order.
	Imports []Import
	// Funcs, Tables, Memories and Globals are index spaces: imports first.
	Funcs    []FuncType
	Tables   []TableType
	Memories []Limits
	Globals  []GlobalType
	// Exports is the export section, in its order.
	Exports []Export
	// HasStart and HasTags report a start and a tag section.
	HasStart, HasTags bool

	tableSection [2]int // where it begins and ends, in bytes
}
