package inspect

import (
	"maps"
	"slices"
)

// Opcodes of constant expressions.
const (
	opEnd       = 0x0b
	opGlobalGet = 0x23
	opI32Const  = 0x41
	opI64Const  = 0x42
	opF32Const  = 0x43
	opF64Const  = 0x44
	opRefNull   = 0xd0
	opRefFunc   = 0xd2
)

// element reads a segment of functions. Its flags: bit 0 it is not put into a table by itself; bit 1 it names a table, or is only
// declared; bit 2 it holds expressions instead of function numbers.
func (r *reader) element(d *decoder) {
	flags := d.uint()
	active := flags&1 == 0
	var table, offset uint64
	known := true
	if active {
		if flags&2 != 0 {
			table = d.uint()
		}
		offset, known = d.constant()
	}
	if flags&3 != 0 {
		d.byte() // the kind of the elements
	}
	into := active && table == 0
	if into && !known {
		r.module.Partial = true
	}
	for i := range d.count() {
		function, ok := r.elementAt(d, flags&4 != 0)
		if into && known && ok {
			r.put(offset+uint64(i), function)
		}
	}
	if !active && flags&2 == 0 {
		r.module.Partial = true // table.init may put it anywhere
	}
}

func (r *reader) elementAt(d *decoder, expression bool) (function uint64, ok bool) {
	if !expression {
		return d.uint(), d.err == nil
	}
	switch d.byte() {
	case opRefFunc:
		function, ok = d.uint(), true
	case opRefNull:
		d.byte()
	case opGlobalGet:
		d.uint()
		r.module.Partial = true
	default:
		d.fail("unknown element")
	}
	if d.byte() != opEnd {
		d.fail("element without end")
	}
	return function, ok && d.err == nil
}

func (r *reader) put(slot, function uint64) {
	if r.slots == nil {
		r.slots = make(map[uint64]uint64)
	}
	r.slots[slot] = function
}

// constant reads a constant expression; it is known when it is one number.
func (d *decoder) constant() (value uint64, known bool) {
	if d.more() && d.data[d.at] == opI32Const {
		d.byte()
		value = uint64(uint32(d.int()))
		if d.byte() == opEnd {
			return value, true
		}
		d.at--
	}
	d.skipExpression()
	return 0, false
}

// skipExpression reads on behind the end of a constant expression.
func (d *decoder) skipExpression() {
	for d.err == nil {
		switch d.byte() {
		case opEnd:
			return
		case opI32Const, opI64Const:
			d.int()
		case opF32Const:
			d.bytes(4)
		case opF64Const:
			d.bytes(8)
		case opGlobalGet, opRefFunc:
			d.uint()
		case opRefNull:
			d.byte()
		}
	}
}

// finish lists the entries that can be workers. A slot beyond the table makes the module invalid: the engine says so.
func (r *reader) finish() {
	if len(r.tables) > 0 {
		r.module.Table = &r.tables[0]
	}
	for _, slot := range slices.Sorted(maps.Keys(r.slots)) {
		function := r.slots[slot]
		if s, ok := r.signatureOf(function); ok && s.IsVoid() {
			r.module.Entries = append(r.module.Entries, Entry{Index: slot, Name: r.names[function]})
		}
	}
}
