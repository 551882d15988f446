package inspect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/JairusSW/pool/cmd/internal/guest"
	"github.com/JairusSW/pool/cmd/internal/host"
	"github.com/wago-org/wago"
)

// Examination is what is known of a guest before it runs.
type Examination struct {
	Module   *Module      // nil when the bytes are no module
	Compiled *wago.Module // nil when the engine refuses it
	Problems []string     // what would stop it from running; none: nothing is known
}

// Examine reads and compiles a guest whose start function is the export start, without running any of its code. Rt has the
// command's plugins loaded.
func Examine(rt *wago.Runtime, wasm []byte, start string) *Examination {
	x := &Examination{}
	var err error
	if x.Module, err = Read(wasm); err != nil {
		x.problem("%v", err)
		return x
	}
	x.checkMemory(rt.Config().MemoryLimitPages())
	if x.compile(rt, wasm); x.Compiled != nil {
		x.checkImports()
	}
	x.checkStart(start)
	x.checkEntries()
	return x
}

func (x *Examination) problem(format string, args ...any) {
	x.Problems = append(x.Problems, fmt.Sprintf(format, args...))
}

func (x *Examination) compile(rt *wago.Runtime, wasm []byte) {
	compiled, err := rt.Compile(wasm)
	if err == nil {
		x.Compiled = compiled
	} else if len(x.Problems) == 0 {
		x.problem("%v", err)
	}
}

func (x *Examination) checkMemory(limit uint32) {
	if memory := x.Module.Memory; memory != nil && memory.Min > uint64(limit) {
		x.problem("its memory begins with %s, over the limit of %s: raise --memory-limit",
			host.Size(memory.Min*PageSize), host.Size(uint64(limit)*PageSize))
	}
}

func (x *Examination) checkImports() {
	served := make(map[string]Signature)
	for _, f := range guest.Functions() {
		served[f.Key()] = Of(f.Params, f.Results)
	}
	compiled := x.Compiled.Imports()
	for i, imp := range x.Module.Imports {
		wanted, known := served[imp.Key()]
		switch {
		case imp.Kind != KindFunc:
			x.problem("it imports the %s %s: only functions are served", imp.Kind, imp.Key())
		case known && imp.Signature.String() != wanted.String():
			x.problem("%s is %s, the guest imports it as %s", imp.Key(), wanted, imp.Signature)
		case !known && !compiled[i].Provided:
			x.problem("it imports %s, which is not served: %s", imp.Key(), instead(imp))
		}
	}
}

func (x *Examination) checkStart(start string) {
	export, ok := x.Module.Export(start)
	switch {
	case !ok:
		x.problem("it has no export %q to start with%s", start, x.startHint())
	case export.Kind != KindFunc:
		x.problem("its export %q is a %s, not a function", start, export.Kind)
	case !export.Signature.IsVoid():
		x.problem("its start function %q is %s: it has to take and return nothing", start, export.Signature)
	}
}

// startHint names what could be meant.
func (x *Examination) startHint() string {
	var names []string
	for _, e := range x.Module.Exports {
		if e.Kind == KindFunc && e.Signature.IsVoid() {
			names = append(names, e.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return ": --start could name " + strings.Join(names, ", ")
}

func (x *Examination) checkEntries() {
	if !slices.ContainsFunc(x.Module.Imports, func(i Import) bool { return i.Key() == "pool.serve" }) {
		x.problem("it doesn't import pool.serve, so it can't have workers")
		return
	}
	if len(x.Module.Entries) > 0 || x.Module.Partial {
		return
	}
	if x.Module.Table == nil {
		x.problem("it has no table, so pool.serve can't name an entry (AssemblyScript: --exportTable)")
		return
	}
	x.problem("no entry of its table is a function without parameters and results, so none can be a worker")
}
