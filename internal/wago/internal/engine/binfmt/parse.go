package binfmt

import "bytes"

// The ids of the sections.
const (
	secCustom    = 0
	secType      = 1
	secImport    = 2
	secFunc      = 3
	secTable     = 4
	secMemory    = 5
	secGlobal    = 6
	secExport    = 7
	secStart     = 8
	secElement   = 9
	secCode      = 10
	secData      = 11
	secDataCount = 12
	secTag       = 13
)

// Header begins every module of version 1.
const Header = "\x00asm\x01\x00\x00\x00"

// Parse reads the outline of a binary. Names and types are copied, so that the
// bytes may be changed afterwards. Its errors wrap [ErrMalformed]. Safe for
// concurrent use.
func Parse(wasm []byte) (*Outline, error) {
	r := &reader{b: wasm}
	if !bytes.Equal(r.take(uint32(len(Header))), []byte(Header)) {
		r.fail("no header of version 1")
	}
	o := &Outline{}
	var seen [secTag + 1]bool
	for !r.done() {
		start := r.pos
		id := r.byte()
		body := r.sub(r.u32())
		if id > secTag || id != secCustom && seen[id] {
			r.fail("unknown or repeated section")
		}
		if r.err != nil {
			break
		}
		seen[id] = true
		if o.section(id, body); body.finish() != nil {
			return nil, body.err
		}
		if id == secTable {
			o.tableSection = [2]int{start, r.pos}
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return o, nil
}

func (o *Outline) section(id byte, r *reader) {
	switch id {
	case secCustom:
		r.custom()
	case secType:
		r.vec(func() { o.Types = append(o.Types, r.funcType()) })
	case secImport:
		r.vec(func() { o.addImport(r) })
	case secFunc:
		r.vec(func() { o.Funcs = append(o.Funcs, o.typeAt(r)) })
	case secTable:
		r.vec(func() { o.Tables = append(o.Tables, r.tableType()) })
	case secMemory:
		r.vec(func() { o.Memories = append(o.Memories, r.limits()) })
	case secGlobal:
		r.vec(func() { o.addGlobal(r) })
	case secExport:
		r.vec(func() { o.Exports = append(o.Exports, Export{r.name(), Kind(r.byte()), r.u32()}) })
	case secStart:
		o.HasStart = true
		r.u32()
	case secElement:
		r.vec(r.element)
	case secCode:
		r.vec(r.code)
	case secData:
		r.vec(r.data)
	case secDataCount:
		r.u32()
	case secTag:
		o.HasTags = true
		r.rest()
	}
}

func (o *Outline) addGlobal(r *reader) {
	o.Globals = append(o.Globals, r.globalType())
	r.skipConstant()
}

func (o *Outline) addImport(r *reader) {
	imp := Import{Module: r.name(), Name: r.name(), Kind: Kind(r.byte())}
	switch imp.Kind {
	case Func:
		imp.Func = o.typeAt(r)
		o.Funcs = append(o.Funcs, imp.Func)
	case Table:
		imp.Table = r.tableType()
		o.Tables = append(o.Tables, imp.Table)
	case Memory:
		imp.Memory = r.limits()
		o.Memories = append(o.Memories, imp.Memory)
	case Global:
		imp.Global = r.globalType()
		o.Globals = append(o.Globals, imp.Global)
	case Tag:
		r.byte()
		r.u32()
	default:
		r.fail("unknown import kind")
	}
	o.Imports = append(o.Imports, imp)
}

func (o *Outline) typeAt(r *reader) FuncType {
	i := r.u32()
	if uint64(i) >= uint64(len(o.Types)) {
		r.fail("type index out of range")
		return FuncType{}
	}
	return o.Types[i]
}
