package binfmt

import "bytes"

const funcForm = 0x60

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
	return GlobalType{Type: r.valType(), Mutable: r.Byte() != 0}
}

func (r *Reader) limits() Limits {
	flags := r.Byte()
	if flags > 3 {
		r.fail("unknown limits")
	}
	l := Limits{HasMax: flags&1 != 0, Shared: flags&2 != 0, Min: r.U32()}
	if l.HasMax {
		l.Max = r.U32()
	}
	return l
}
