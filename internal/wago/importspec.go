package wago

import (
	"slices"

	"github.com/wago-org/wago/internal/engine"
)

// ImportKind says what an import is.
type ImportKind = engine.ImportKind

// The kinds of imports.
const (
	ImportFunc   = engine.ImportFunc
	ImportGlobal = engine.ImportGlobal
	ImportMemory = engine.ImportMemory
	ImportTable  = engine.ImportTable
)

// ImportSpec describes an import of a module, or one that plugins provide.
type ImportSpec struct {
	Module, Name    string
	Kind            ImportKind
	Index           int       // among the module's imports of the kind
	Params, Results []ValType // of a function: the module's own signature, or the declared one
	Type            ValType   // of a global
	Mutable         bool      // of a global
	Min, Max        int       // of a memory (pages) or table (entries)
	HasMax          bool
	Capability      Capability // what a guest needs for it
	HasCapability   bool
	Docs            string
	Provided        bool // a plugin of the runtime defines it
}

// Key returns "module.name".
func (s ImportSpec) Key() string { return s.Module + "." + s.Name }

func (h *hostImport) spec() ImportSpec {
	return ImportSpec{
		Module: h.module, Name: h.name, Kind: ImportFunc,
		Params: slices.Clone(h.params), Results: slices.Clone(h.results),
		Capability: h.capability, HasCapability: h.capability != "", Docs: h.docs, Provided: true,
	}
}

// describe joins a module's import with what plugins say about it.
func (rt *Runtime) describe(imp engine.Import) ImportSpec {
	spec := ImportSpec{
		Module: imp.Module, Name: imp.Name, Kind: imp.Kind, Index: imp.Index,
		Params: slices.Clone(imp.Params), Results: slices.Clone(imp.Results),
		Type: imp.Type, Mutable: imp.Mutable, Min: int(imp.Min), Max: int(imp.Max), HasMax: imp.HasMax,
		Provided: imp.WASI,
	}
	if imp.Kind != ImportFunc {
		return spec
	}
	if provided, ok := rt.imports[spec.Key()]; ok {
		spec.Capability, spec.HasCapability = provided.capability, provided.capability != ""
		spec.Docs, spec.Provided = provided.docs, true
	}
	return spec
}
