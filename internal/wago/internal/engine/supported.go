package engine

import (
	"fmt"

	"github.com/wago-org/wago/internal/engine/binfmt"
)

// checkSupported says whether the engine can do what a module asks for. It runs
// before the compiler, so that the error names the thing and not a feature flag.
func checkSupported(o *binfmt.Outline, limitPages uint32, wasi *wasiModule) error {
	if o.HasTags {
		return fmt.Errorf("%w: exception tags", ErrUnsupported)
	}
	seen := make(map[[2]string]binfmt.Import)
	for _, imp := range o.Imports {
		if err := checkImport(imp, wasi); err != nil {
			return err
		}
		key := [2]string{imp.Module, imp.Name}
		if first, ok := seen[key]; ok && !sameType(first, imp) {
			return fmt.Errorf("%w: %q.%q is imported with two types", ErrUnsupported, imp.Module, imp.Name)
		}
		seen[key] = imp
	}
	for _, mem := range o.Memories {
		if mem.Shared {
			return fmt.Errorf("%w: shared memory", ErrUnsupported)
		}
		if mem.Min > limitPages {
			return &LimitError{
				Setting: "Config.MemoryLimitPages", Subject: "the guest's initial memory (pages)",
				Wanted: uint64(mem.Min), Limit: uint64(limitPages),
			}
		}
	}
	return checkTables(o.Tables)
}

func checkImport(imp binfmt.Import, wasi *wasiModule) error {
	switch {
	case imp.Kind == binfmt.Memory, imp.Kind == binfmt.Table, imp.Kind == binfmt.Tag:
		return unsupportedImport(imp, "imported memories, tables and tags")
	case imp.Kind == binfmt.Global && wasi.owns(imp.Module):
		return unsupportedImport(imp, "a global of WASI")
	case imp.Kind == binfmt.Global:
		return checkGlobalImport(imp)
	case wasi.owns(imp.Module):
		return wasi.check(imp)
	}
	return checkFuncImport(imp)
}

func checkGlobalImport(imp binfmt.Import) error {
	if imp.Global.Mutable {
		return unsupportedImport(imp, "imported mutable globals")
	}
	if t := valTypes[imp.Global.Type]; t.IsRef() || t == ValV128 {
		return unsupportedImport(imp, "imported globals of type "+t.String())
	}
	return nil
}

func checkFuncImport(imp binfmt.Import) error {
	params, results := typesOf(imp.Func.Params), typesOf(imp.Func.Results)
	for _, t := range append(params[:len(params):len(params)], results...) {
		if t.IsRef() {
			return unsupportedImport(imp, "imported functions with a "+t.String())
		}
	}
	wanted := max(slots(params), slots(results))
	if wanted > MaxHostSlots {
		return &LimitError{
			Setting: "engine.MaxHostSlots", Subject: fmt.Sprintf("the slots of import %q.%q", imp.Module, imp.Name),
			Wanted: uint64(wanted), Limit: MaxHostSlots,
		}
	}
	return nil
}

func unsupportedImport(imp binfmt.Import, what string) error {
	return fmt.Errorf("%w: %s (%q.%q)", ErrUnsupported, what, imp.Module, imp.Name)
}

func sameType(a, b binfmt.Import) bool {
	return a.Kind == b.Kind && a.Global == b.Global &&
		string(a.Func.Params) == string(b.Func.Params) && string(a.Func.Results) == string(b.Func.Results)
}
