package engine

import "github.com/wago-org/wago/internal/engine/binfmt"

// shape is what a module's outline says in this package's terms. It never
// changes.
type shape struct {
	imports   []Import
	exports   []Export
	functions map[string]*signature // exported functions
	globals   map[string]Export     // exported globals
	memory    *MemoryInfo
	tables    []TableInfo
	hasStart  bool
	// functionCount is how many functions the module has, imported ones included.
	functionCount int
	// voidImports are the imported functions of type ()->(), by function index.
	voidImports []uint32
}

func newShape(o *binfmt.Outline, limitPages uint32) *shape {
	s := &shape{
		functions: make(map[string]*signature),
		globals:   make(map[string]Export),
		hasStart:  o.HasStart,

		functionCount: len(o.Funcs),
	}
	s.addImports(o)
	for _, x := range o.Exports {
		s.addExport(o, x)
	}
	if len(o.Memories) > 0 {
		s.memory = memoryInfo(o.Memories[0], limitPages)
	}
	for _, t := range o.Tables {
		s.tables = append(s.tables, TableInfo{valTypes[t.Elem], t.Limits.Min, t.Limits.Max, t.Limits.HasMax})
	}
	return s
}

func (s *shape) addImports(o *binfmt.Outline) {
	var count [binfmt.Tag + 1]int
	for _, imp := range o.Imports {
		d := Import{Module: imp.Module, Name: imp.Name, Kind: kindOf(imp.Kind), Index: count[imp.Kind]}
		count[imp.Kind]++
		switch imp.Kind {
		case binfmt.Func:
			d.Params, d.Results = typesOf(imp.Func.Params), typesOf(imp.Func.Results)
			if len(d.Params)+len(d.Results) == 0 {
				s.voidImports = append(s.voidImports, uint32(d.Index))
			}
		case binfmt.Global:
			d.Type, d.Mutable = valTypes[imp.Global.Type], imp.Global.Mutable
		}
		s.imports = append(s.imports, d)
	}
}

func (s *shape) addExport(o *binfmt.Outline, x binfmt.Export) {
	d := Export{Name: x.Name, Kind: kindOf(x.Kind)}
	switch {
	case x.Kind == binfmt.Func && int(x.Index) < len(o.Funcs):
		f := o.Funcs[x.Index]
		d.Params, d.Results = typesOf(f.Params), typesOf(f.Results)
		s.functions[x.Name] = signatureOf(d.Params, d.Results)
	case x.Kind == binfmt.Global && int(x.Index) < len(o.Globals):
		g := o.Globals[x.Index]
		d.Type, d.Mutable = valTypes[g.Type], g.Mutable
		s.globals[x.Name] = d
	}
	s.exports = append(s.exports, d)
}

func kindOf(k binfmt.Kind) ImportKind {
	switch k {
	case binfmt.Global:
		return ImportGlobal
	case binfmt.Memory:
		return ImportMemory
	case binfmt.Table:
		return ImportTable
	}
	return ImportFunc
}

func memoryInfo(l binfmt.Limits, limitPages uint32) *MemoryInfo {
	info := &MemoryInfo{Min: l.Min, Max: limitPages, HasMax: l.HasMax}
	if l.HasMax && l.Max < limitPages {
		info.Max = l.Max
	}
	return info
}
