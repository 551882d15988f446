package binfmt

import "bytes"

// The ids of the sections of a module.
const (
	SectionCustom    = 0
	SectionType      = 1
	SectionImport    = 2
	SectionFunction  = 3
	SectionTable     = 4
	SectionMemory    = 5
	SectionGlobal    = 6
	SectionExport    = 7
	SectionStart     = 8
	SectionElement   = 9
	SectionCode      = 10
	SectionData      = 11
	SectionDataCount = 12
	SectionTag       = 13
)

// Header begins every module of version 1.
const Header = "\x00asm\x01\x00\x00\x00"

// Parse reads the outline of a binary. Names and types are copied, so that the
// bytes may be changed afterwards. Its errors wrap [ErrMalformed]. Safe for
// concurrent use.
func Parse(wasm []byte) (*Outline, error) {
	r := &Reader{b: wasm}
	if !bytes.Equal(r.Take(uint32(len(Header))), []byte(Header)) {
		r.fail("no header of version 1")
	}
	o := &Outline{}
	var seen [SectionTag + 1]bool
	for !r.Done() {
		start := r.pos
		id := r.Byte()
		body := r.sub(r.U32())
		if id > SectionTag || id != SectionCustom && seen[id] {
			r.fail("unknown or repeated section")
		}
		if r.err != nil {
			break
		}
		seen[id] = true
		if o.section(id, body); body.finish() != nil {
			return nil, body.err
		}
		if id == SectionTable {
			o.tableSection = [2]int{start, r.pos}
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return o, nil
}

func (o *Outline) section(id byte, r *Reader) {
	switch id {
	case SectionCustom:
		r.custom()
	case SectionType:
		r.vec(func() { o.Types = append(o.Types, r.funcType()) })
	case SectionImport:
		r.vec(func() { o.addImport(r) })
	case SectionFunction:
		r.vec(func() { o.Funcs = append(o.Funcs, o.typeAt(r)) })
	case SectionTable:
		r.vec(func() { o.Tables = append(o.Tables, r.tableType()) })
	case SectionMemory:
		r.vec(func() { o.Memories = append(o.Memories, r.limits()) })
	case SectionGlobal:
		r.vec(func() { o.addGlobal(r) })
	case SectionExport:
		r.vec(func() { o.Exports = append(o.Exports, Export{r.name(), Kind(r.Byte()), r.U32()}) })
	case SectionStart:
		o.HasStart = true
		r.U32()
	case SectionElement:
		r.vec(r.element)
	case SectionCode:
		r.vec(r.code)
	case SectionData:
		r.vec(r.data)
	case SectionDataCount:
		r.U32()
	case SectionTag:
		o.HasTags = true
		r.rest()
	}
}

func (o *Outline) addGlobal(r *Reader) {
	o.Globals = append(o.Globals, r.globalType())
	r.skipConstant()
}

func (o *Outline) addImport(r *Reader) {
	imp := Import{Module: r.name(), Name: r.name(), Kind: Kind(r.Byte())}
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
		r.Byte()
		r.U32()
	default:
		r.fail("unknown import kind")
	}
	o.Imports = append(o.Imports, imp)
}

func (o *Outline) typeAt(r *Reader) FuncType {
	i := r.U32()
	if uint64(i) >= uint64(len(o.Types)) {
		r.fail("type index out of range")
		return FuncType{}
	}
	return o.Types[i]
}
