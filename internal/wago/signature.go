package wago

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wago-org/wago/internal/engine"
)

// FuncSig is the signature of a function.
//
// Safe for concurrent use while nobody changes it.
type FuncSig struct{ Params, Results []ValType }

// String writes the signature as in "(i32, i32) -> i64". An extra of this host.
func (s FuncSig) String() string {
	text := "(" + typeList(s.Params) + ")"
	switch len(s.Results) {
	case 0:
		return text
	case 1:
		return text + " -> " + s.Results[0].String()
	}
	return text + " -> (" + typeList(s.Results) + ")"
}

func typeList(types []ValType) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.String()
	}
	return strings.Join(names, ", ")
}

// ImportSignatureError says that a module imports a function with another signature than the plugin that defines it declares:
// the function would read parameters that are not there. Build the guest with the declared one. It matches
// [ErrImportSignature].
//
// Safe for concurrent use while nobody writes to it.
type ImportSignatureError struct {
	Module, Name string  // the import
	Imported     FuncSig // what the guest asks for
	Plugin       string  // ID of the plugin that defines the function
	Declared     FuncSig // what the plugin declares
}

// Error names the import and both signatures.
func (e *ImportSignatureError) Error() string {
	return fmt.Sprintf("%s: the guest imports %s.%s as %s, plugin %s declares it as %s", ErrImportSignature, e.Module, e.Name,
		e.Imported, e.Plugin, e.Declared)
}

// Unwrap returns [ErrImportSignature].
func (e *ImportSignatureError) Unwrap() error { return ErrImportSignature }

// check refuses an import of the function with another signature than the declared one, if one is declared.
func (h *hostImport) check(imp engine.Import) error {
	if !h.declared || slices.Equal(h.params, imp.Params) && slices.Equal(h.results, imp.Results) {
		return nil
	}
	return &ImportSignatureError{
		Module: h.module, Name: h.name, Plugin: h.unit.id(),
		Imported: FuncSig{Params: slices.Clone(imp.Params), Results: slices.Clone(imp.Results)},
		Declared: FuncSig{Params: slices.Clone(h.params), Results: slices.Clone(h.results)},
	}
}
