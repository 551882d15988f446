package countdown_test

import (
	"encoding/binary"
	"slices"

	"github.com/wago-org/wago/internal/engine/binfmt"
	"pgregory.net/rapid"
)

// program generates valid modules: functions that call each other and themselves,
// loops that may never end, and whatever traps.
type program struct {
	t     *rapid.T
	depth int // what is open around the code being written, functions aside
	loops int // how many of the innermost of these are loops of type ()->()
}

// What each generated module has: functions of these types, of which the first is
// imported, a local and a global of each type, and seven pages of memory at most.
var (
	numberTypes   = []byte{binfmt.I32, binfmt.I64, binfmt.F32, binfmt.F64, binfmt.V128}
	functionTypes = []binfmt.FuncType{
		{Params: []byte{binfmt.I32}, Results: []byte{binfmt.I32}},
		{Params: []byte{binfmt.I64, binfmt.F64}, Results: []byte{binfmt.I64}},
		{Params: []byte{binfmt.F32}, Results: []byte{binfmt.F64, binfmt.I32}},
		{Params: nil, Results: []byte{binfmt.V128}},
		{},
		// For blocks only: what loops may keep on the stack.
		{Params: []byte{binfmt.I32, binfmt.I64}, Results: []byte{binfmt.I32, binfmt.I64}},
	}
	functions = []int{0, 0, 1, 2, 3, 4, 4} // by type
)

const maxDepth = 5

func generate(t *rapid.T) []byte {
	p := &program{t: t}
	var types, globals, exports, bodies [][]byte
	for _, f := range functionTypes {
		types = append(types, f.Encode())
	}
	for _, typ := range numberTypes {
		globals = append(globals, slices.Concat([]byte{typ, 1}, zero(typ), []byte{0x0b}))
	}
	for i, typ := range numberTypes[:4] {
		exports = append(exports, slices.Concat(binfmt.Name(string(rune('g'))+string(rune(typ))), []byte{byte(binfmt.Global), byte(i)}))
	}
	var indices [][]byte
	for i, typ := range functions[1:] {
		indices = append(indices, []byte{byte(typ)})
		exports = append(exports, slices.Concat(binfmt.Name(string(rune('a'+i))), []byte{byte(binfmt.Func), byte(i + 1)}))
		body := p.function(functionTypes[typ])
		bodies = append(bodies, append(binfmt.ULEB(uint64(len(body))), body...))
	}
	offset := []byte{0x41, 0, 0x0b}
	return slices.Concat([]byte(binfmt.Header),
		binfmt.Section(binfmt.SectionType, types...),
		binfmt.Section(binfmt.SectionImport, slices.Concat(binfmt.Name("env"), binfmt.Name("f"), []byte{byte(binfmt.Func), 0})),
		binfmt.Section(binfmt.SectionFunction, indices...),
		binfmt.Section(binfmt.SectionTable, []byte{binfmt.FuncRef, 1, 8, 10}),
		binfmt.Section(binfmt.SectionMemory, []byte{1, 5, 7}),
		binfmt.Section(binfmt.SectionGlobal, globals...),
		binfmt.Section(binfmt.SectionExport, exports...),
		binfmt.Section(binfmt.SectionElement, slices.Concat([]byte{0}, offset, []byte{7, 0, 1, 2, 3, 4, 5, 6}), []byte{1, 0, 3, 1, 2, 3}),
		binfmt.RawSection{ID: binfmt.SectionDataCount, Body: []byte{1}}.AppendTo(nil),
		binfmt.Section(binfmt.SectionCode, bodies...),
		binfmt.Section(binfmt.SectionData, append([]byte{1, 9}, "some data"...)))
}

// zero is the constant 0 of a type.
func zero(typ byte) []byte {
	switch typ {
	case binfmt.I32:
		return []byte{0x41, 0}
	case binfmt.I64:
		return []byte{0x42, 0}
	case binfmt.F32:
		return append([]byte{0x43}, make([]byte, 4)...)
	case binfmt.F64:
		return append([]byte{0x44}, make([]byte, 8)...)
	}
	return append([]byte{0xfd, 12}, make([]byte, 16)...)
}

// function writes a body with a local of each type behind the parameters.
func (p *program) function(f binfmt.FuncType) []byte {
	body := []byte{byte(len(numberTypes))}
	for _, typ := range numberTypes {
		body = append(body, 1, typ)
	}
	locals := byte(len(f.Params))
	for i, typ := range f.Params { // so that they are used: into the locals
		body = append(body, 0x20, byte(i), 0x21, locals+byte(slices.Index(numberTypes, typ)))
	}
	p.depth, p.loops = 0, 0
	w := &writer{program: p, locals: locals}
	body = append(body, w.statements()...)
	for _, typ := range f.Results {
		body = append(body, w.expression(typ)...)
	}
	return append(body, 0x0b)
}

// writer writes the code of one function.
type writer struct {
	*program
	locals byte // where the locals of each type begin
}

func (w *writer) pick(n int) int { return rapid.IntRange(0, n-1).Draw(w.t, "choice") }

// in writes what is inside of one more block.
func (w *writer) in(loop bool, write func() []byte) []byte {
	before := w.loops
	w.depth++
	w.loops = 0
	if loop {
		w.loops = before + 1
	}
	defer func() { w.depth--; w.loops = before }()
	return write()
}

func (w *writer) statements() (code []byte) {
	for range w.pick(4) {
		code = append(code, w.statement()...)
	}
	return code
}

func (w *writer) i32() []byte { return w.expression(binfmt.I32) }

// address is one that is seldom out of bounds.
func (w *writer) address() []byte {
	return slices.Concat(w.i32(), []byte{0x41}, binfmt.SLEB(0x3ffff), []byte{0x71})
}

// length is one for a bulk operation, of more than a piece at times.
func (w *writer) length() []byte {
	n := rapid.SampledFrom([]int64{0, 1, 100, 65535, 65536, 65537, 200_000, 400_000, -1}).Draw(w.t, "length")
	return append([]byte{0x41}, binfmt.SLEB(n)...)
}

func (w *writer) statement() []byte {
	if w.depth >= maxDepth {
		return []byte{0x01}
	}
	typ := rapid.SampledFrom(numberTypes).Draw(w.t, "type")
	at := byte(slices.Index(numberTypes, typ))
	switch w.pick(16) {
	case 0:
		return append(w.expression(typ), 0x21, w.locals+at)
	case 1:
		return append(w.expression(typ), 0x24, at)
	case 2:
		return append(w.expression(typ), 0x1a)
	case 3:
		return slices.Concat(w.address(), w.expression(typ), store(typ))
	case 4:
		return slices.Concat(w.i32(), []byte{0x04, 0x40}, w.in(false, w.statements), []byte{0x05}, w.in(false, w.statements), []byte{0x0b})
	case 5, 6:
		return slices.Concat([]byte{0x03, 0x40}, w.in(true, func() []byte {
			return slices.Concat(w.statements(), w.i32(), []byte{0x0d, 0})
		}), []byte{0x0b})
	case 7:
		return slices.Concat([]byte{0x02, 0x40}, w.in(false, func() []byte {
			return slices.Concat(w.statements(), w.i32(), []byte{0x0d, 0}, w.statements())
		}), []byte{0x0b})
	case 8:
		return slices.Concat(w.address(), w.i32(), w.length(), []byte{0xfc, 11, 0})
	case 9:
		return slices.Concat(w.address(), w.address(), w.length(), []byte{0xfc, 10, 0, 0})
	case 10:
		return slices.Concat(w.address(), []byte{0x41, byte(w.pick(12)), 0x41, byte(w.pick(12)), 0xfc, 8, 0, 0})
	case 11:
		return w.table()
	case 12:
		return w.branchTable()
	case 13:
		return w.call(rapid.SampledFrom([]int{5, 6}).Draw(w.t, "procedure"))
	case 14:
		return w.stackLoop()
	}
	return w.leaving()
}

// table changes the table.
func (w *writer) table() []byte {
	index := func() []byte { return []byte{0x41, byte(w.pick(9))} }
	switch w.pick(5) {
	case 0:
		return slices.Concat(index(), index(), index(), []byte{0xfc, 14, 0, 0}) // copy
	case 1:
		return slices.Concat(index(), index(), index(), []byte{0xfc, 12, 0, 0}) // init
	case 2:
		return slices.Concat(index(), []byte{0xd0, 0x70}, index(), []byte{0xfc, 17, 0}) // fill
	case 3:
		return slices.Concat([]byte{0xd2, 1}, index(), []byte{0xfc, 15, 0, 0x1a}) // grow
	}
	return slices.Concat(index(), index(), []byte{0x25, 0, 0x26, 0}) // get, set
}

// branchTable is a switch: three blocks, left for one or the other.
func (w *writer) branchTable() []byte {
	const block, void, end = 0x02, 0x40, 0x0b
	code := slices.Concat([]byte{block, void, block, void, block, void}, w.i32(), []byte{0x0e, 2, 0, 1, 2, end})
	code = append(code, w.in(false, func() []byte { return w.in(false, w.statements) })...)
	code = append(code, end)
	return append(append(code, w.in(false, w.statements)...), end)
}

// stackLoop is a loop that keeps two values on the stack.
func (w *writer) stackLoop() []byte {
	return slices.Concat(w.i32(), w.expression(binfmt.I64),
		[]byte{0x03, 5},
		w.in(false, func() []byte { return slices.Concat(w.statements(), w.i32(), []byte{0x0d, 0}) }),
		[]byte{0x0b, 0x24, 1, 0x24, 0})
}

// leaving goes where code behind it is dead, or grows memory.
func (w *writer) leaving() []byte {
	switch {
	case w.loops > 0 && w.pick(2) == 0:
		return slices.Concat(w.i32(), []byte{0x04, 0x40, 0x0c, byte(1 + w.pick(w.loops))}, w.statements(), []byte{0x0b})
	case w.pick(4) == 0:
		return slices.Concat(w.i32(), []byte{0x04, 0x40, 0x00, 0x0b})
	}
	return []byte{0x41, byte(w.pick(3)), 0x40, 0, 0x1a}
}

func (w *writer) call(function int) (code []byte) {
	f := functionTypes[functions[function]]
	for _, typ := range f.Params {
		code = append(code, w.in(false, func() []byte { return w.expression(typ) })...)
	}
	if w.pick(3) == 0 {
		return append(code, 0x41, byte(w.pick(9)), 0x11, byte(functions[function]), 0)
	}
	return append(code, 0x10, byte(function))
}

// expression leaves a value of the type.
func (w *writer) expression(typ byte) []byte {
	at := byte(slices.Index(numberTypes, typ))
	if w.depth >= maxDepth {
		return []byte{0x20, w.locals + at}
	}
	deeper := func(typ byte) []byte { return w.in(false, func() []byte { return w.expression(typ) }) }
	switch w.pick(7) {
	case 0:
		return []byte{0x20, w.locals + at}
	case 1:
		return []byte{0x23, at}
	case 2:
		return w.constant(typ)
	case 3:
		return slices.Concat(w.in(false, w.address), load(typ))
	case 4:
		return slices.Concat(deeper(binfmt.I32), []byte{0x04, typ}, deeper(typ), []byte{0x05}, deeper(typ), []byte{0x0b})
	}
	return w.compute(typ, deeper)
}

func (w *writer) constant(typ byte) []byte {
	bits := rapid.Uint64().Draw(w.t, "bits")
	switch typ {
	case binfmt.I32:
		return append([]byte{0x41}, binfmt.SLEB(int64(int32(bits)))...)
	case binfmt.I64:
		return append([]byte{0x42}, binfmt.SLEB(int64(bits))...)
	case binfmt.F32:
		return binary.LittleEndian.AppendUint32([]byte{0x43}, uint32(bits))
	case binfmt.F64:
		return binary.LittleEndian.AppendUint64([]byte{0x44}, bits)
	}
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64([]byte{0xfd, 12}, bits), ^bits)
}

// compute calls a function or applies an operator.
func (w *writer) compute(typ byte, deeper func(byte) []byte) []byte {
	between := func(low, high int) byte { return byte(rapid.IntRange(low, high).Draw(w.t, "operator")) }
	two := func(typ byte) []byte { return append(deeper(typ), deeper(typ)...) }
	switch typ {
	case binfmt.I32:
		switch w.pick(6) {
		case 0:
			return w.call(w.pick(2))
		case 1:
			return append(two(binfmt.I64), between(0x51, 0x5a))
		case 2:
			return append(two(binfmt.F64), between(0x61, 0x66))
		case 3:
			return append(deeper(binfmt.F64), 0xfc, between(2, 3))
		case 4:
			return append(deeper(binfmt.I32), between(0xc0, 0xc1))
		}
		return append(two(binfmt.I32), between(0x6a, 0x78))
	case binfmt.I64:
		switch w.pick(4) {
		case 0:
			return w.call(2)
		case 1:
			return append(deeper(binfmt.I32), between(0xac, 0xad))
		case 2:
			return append(deeper(binfmt.V128), 0xfd, 29, 1) // i64x2.extract_lane
		}
		return append(two(binfmt.I64), between(0x7c, 0x8a))
	case binfmt.F32:
		return append(two(binfmt.F32), between(0x92, 0x97))
	case binfmt.F64:
		if w.pick(2) == 0 {
			return append(w.call(3), 0x1a)
		}
		return append(two(binfmt.F64), between(0xa0, 0xa5))
	}
	if w.pick(2) == 0 {
		return w.call(4)
	}
	return append(two(binfmt.V128), 0xfd, 0xae, 1) // i32x4.add
}

// load and store access memory at a small offset.
func load(typ byte) []byte {
	return map[byte][]byte{
		binfmt.I32: {0x28, 2, 4}, binfmt.I64: {0x29, 0, 9}, binfmt.F32: {0x2a, 2, 0}, binfmt.F64: {0x2b, 3, 1},
		binfmt.V128: {0xfd, 0, 4, 3},
	}[typ]
}

func store(typ byte) []byte {
	return map[byte][]byte{
		binfmt.I32: {0x36, 2, 4}, binfmt.I64: {0x37, 0, 9}, binfmt.F32: {0x38, 2, 0}, binfmt.F64: {0x39, 3, 1},
		binfmt.V128: {0xfd, 11, 4, 3},
	}[typ]
}
