package binfmt

import "bytes"

const funcForm = 0x60

// The flags of limits.
const (
	limitsMax    = 1
	limitsShared = 2
)

func (r *Reader) funcType() FuncType {
	if r.Byte() != funcForm {
		r.fail("not a function type")
	}
	return FuncType{Params: r.valTypes(), Results: r.valTypes()}
}

func (r *Reader) valTypes() []byte {
	types := bytes.Clone(r.Take(r.U32()))
	for _, t := range types {
		r.checkValType(t)
	}
	return types
}

func (r *Reader) valType() byte {
	t := r.Byte()
	r.checkValType(t)
	return t
}

func (r *Reader) checkValType(t byte) {
	switch t {
	case I32, I64, F32, F64, V128, FuncRef, ExternRef:
	default:
		r.fail("unknown value type")
	}
}

func (r *Reader) tableType() TableType {
	return TableType{Elem: r.valType(), Limits: r.limits()}
}

func (r *Reader) globalType() GlobalType {
	g := GlobalType{Type: r.valType()}
	switch r.Byte() {
	case 0:
	case 1:
		g.Mutable = true
	default:
		r.fail("unknown mutability")
	}
	return g
}

func (r *Reader) limits() Limits {
	flags := r.Byte()
	if flags > limitsMax|limitsShared {
		r.fail("unknown limits")
	}
	l := Limits{HasMax: flags&limitsMax != 0, Shared: flags&limitsShared != 0, Min: r.U32()}
	if l.HasMax {
		l.Max = r.U32()
	}
	return l
}
