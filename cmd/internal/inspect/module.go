package inspect

import (
	"strings"

	"github.com/wago-org/wago"
)

// PageSize is the size of a page of memory (bytes).
const PageSize = 64 << 10

// Signature is the type of a function.
type Signature struct{ Params, Results []ValType }

// ValType is a value type's byte in the binary format.
type ValType byte

// IsVoid reports whether the function takes and returns nothing.
func (s Signature) IsVoid() bool { return len(s.Params) == 0 && len(s.Results) == 0 }

// String writes the signature as in "(i32, i32) -> i64".
func (s Signature) String() string {
	text := "(" + join(s.Params) + ")"
	if len(s.Results) > 0 {
		text += " -> " + join(s.Results)
	}
	return text
}

// Of returns the signature of a host's function.
func Of(params, results []wago.ValType) Signature {
	return Signature{Params: fromHost(params), Results: fromHost(results)}
}

func fromHost(types []wago.ValType) []ValType {
	out := make([]ValType, len(types))
	for i, t := range types {
		out[i] = hostTypes[t]
	}
	return out
}

var hostTypes = map[wago.ValType]ValType{
	wago.ValI32: 0x7f, wago.ValI64: 0x7e, wago.ValF32: 0x7d, wago.ValF64: 0x7c,
	wago.ValV128: 0x7b, wago.ValFuncRef: 0x70, wago.ValExternRef: 0x6f,
}

var typeNames = map[ValType]string{
	0x7f: "i32", 0x7e: "i64", 0x7d: "f32", 0x7c: "f64", 0x7b: "v128", 0x70: "funcref", 0x6f: "externref",
}

// String returns the type's name in the text format.
func (t ValType) String() string {
	if name, ok := typeNames[t]; ok {
		return name
	}
	return "unknown"
}

func join(types []ValType) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.String()
	}
	return strings.Join(names, ", ")
}

// Kind is what an import or export is.
type Kind byte

// The kinds, with the numbers of the binary format.
const (
	KindFunc   Kind = 0
	KindTable  Kind = 1
	KindMemory Kind = 2
	KindGlobal Kind = 3
)

// String returns the kind's name in the text format.
func (k Kind) String() string {
	switch k {
	case KindFunc:
		return "func"
	case KindTable:
		return "table"
	case KindMemory:
		return "memory"
	case KindGlobal:
		return "global"
	}
	return "unknown"
}

// Limits is the size of a memory (pages) or of a table (entries).
type Limits struct {
	Min, Max uint64
	HasMax   bool
}

// Import is what a module wants from its host.
type Import struct {
	Module, Name string
	Kind         Kind
	Signature    Signature // of a function
}

// Key returns "module.name".
func (i Import) Key() string { return i.Module + "." + i.Name }

// Export is what a module offers to its host.
type Export struct {
	Name      string
	Kind      Kind
	Signature Signature // of a function
}

// Entry is a table entry that a worker can run.
type Entry struct {
	Index uint64
	Name  string // of the function, empty when the module doesn't say
}

// Module is what a module says of itself. Safe for concurrent use: it never changes.
type Module struct {
	Imports  []Import
	Exports  []Export
	Memory   *Limits // the module's own; nil: it has none
	Table    *Limits // the first; nil: it has none
	HasStart bool    // a start section runs in every instance and fork
	Entries  []Entry // of the first table, in ascending order
	// Partial: some table entries are known only when an instance exists, so Entries may not be all.
	Partial bool
}

// Export returns the export with that name.
func (m *Module) Export(name string) (Export, bool) {
	for _, e := range m.Exports {
		if e.Name == name {
			return e, true
		}
	}
	return Export{}, false
}
