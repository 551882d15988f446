package inspect

import "bytes"

var header = []byte("\x00asm\x01\x00\x00\x00")

// Sections of the binary format, by number.
const (
	sectionCustom  = 0
	sectionType    = 1
	sectionImport  = 2
	sectionFunc    = 3
	sectionTable   = 4
	sectionMemory  = 5
	sectionExport  = 7
	sectionStart   = 8
	sectionElement = 9
)

// Read reads a module. Errors: *FormatError.
func Read(wasm []byte) (*Module, error) {
	if !bytes.HasPrefix(wasm, header) {
		return nil, &FormatError{What: whatElse(wasm)}
	}
	r := reader{module: &Module{}, names: make(map[uint64]string)}
	d := &decoder{data: wasm[len(header):], offset: len(header)}
	for d.more() {
		id := d.byte()
		section := d.section()
		r.section(id, section)
		if d.err == nil {
			d.err = section.err
		}
	}
	if d.err != nil {
		return nil, d.err
	}
	r.finish()
	return r.module, nil
}

// reader gathers a module section by section.
type reader struct {
	module *Module
	types  []Signature
	funcs  []uint64 // the type of each function, imported ones first
	tables []Limits
	slots  map[uint64]uint64 // of the first table: entry to function
	names  map[uint64]string
}

func (r *reader) section(id byte, d *decoder) {
	switch id {
	case sectionCustom:
		r.custom(d)
	case sectionType:
		r.list(d, r.typ)
	case sectionImport:
		r.list(d, r.imp)
	case sectionFunc:
		r.list(d, func(d *decoder) { r.funcs = append(r.funcs, d.uint()) })
	case sectionTable:
		r.list(d, r.table)
	case sectionMemory:
		r.list(d, r.memory)
	case sectionExport:
		r.list(d, r.export)
	case sectionStart:
		r.module.HasStart = true
	case sectionElement:
		r.list(d, r.element)
	}
}

func (r *reader) list(d *decoder, read func(*decoder)) {
	for range d.count() {
		read(d)
	}
}

func (r *reader) typ(d *decoder) {
	if form := d.byte(); form != 0x60 {
		d.fail("type that is no function's")
	}
	r.types = append(r.types, Signature{Params: d.types(), Results: d.types()})
}

func (r *reader) signature(index uint64) Signature {
	if index >= uint64(len(r.types)) {
		return Signature{}
	}
	return r.types[index]
}

func (r *reader) signatureOf(function uint64) (Signature, bool) {
	if function >= uint64(len(r.funcs)) {
		return Signature{}, false
	}
	return r.signature(r.funcs[function]), true
}

func (r *reader) imp(d *decoder) {
	i := Import{Module: d.name(), Name: d.name(), Kind: Kind(d.byte())}
	switch i.Kind {
	case KindFunc:
		index := d.uint()
		r.funcs = append(r.funcs, index)
		i.Signature = r.signature(index)
	case KindTable:
		d.byte()
		r.tables = append(r.tables, d.limits())
		r.module.Partial = true
	case KindMemory:
		d.limits()
	case KindGlobal:
		d.byte()
		d.byte()
	default:
		d.fail("unknown kind of import")
	}
	r.module.Imports = append(r.module.Imports, i)
}

func (r *reader) table(d *decoder) {
	if d.byte() == 0x40 { // a table with a first value for each entry
		d.byte()
		d.byte()
		r.tables = append(r.tables, d.limits())
		d.skipExpression()
		r.module.Partial = true
		return
	}
	r.tables = append(r.tables, d.limits())
}

func (r *reader) memory(d *decoder) {
	limits := d.limits()
	if r.module.Memory == nil {
		r.module.Memory = &limits
	}
}

func (r *reader) export(d *decoder) {
	e := Export{Name: d.name(), Kind: Kind(d.byte())}
	index := d.uint()
	if e.Kind == KindFunc {
		e.Signature, _ = r.signatureOf(index)
		if r.names[index] == "" {
			r.names[index] = e.Name
		}
	}
	r.module.Exports = append(r.module.Exports, e)
}

// custom reads the names of functions from a "name" section, whose mistakes don't matter.
func (r *reader) custom(d *decoder) {
	if d.name() != "name" {
		return
	}
	for d.more() {
		id := d.byte()
		sub := d.section()
		if id != 1 {
			continue
		}
		for range sub.count() {
			index, name := sub.uint(), sub.name()
			if sub.err == nil {
				r.names[index] = name
			}
		}
	}
	d.err = nil
}
