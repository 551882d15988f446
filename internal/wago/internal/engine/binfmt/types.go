package binfmt

import "bytes"

const funcForm = 0x60

func (r *reader) funcType() FuncType {
	if r.byte() != funcForm {
		r.fail("not a function type")
	}
	return FuncType{Params: r.valTypes(), Results: r.valTypes()}
}

func (r *reader) valTypes() []byte {
	types := bytes.Clone(r.take(r.u32()))
	for _, t := range types {
		r.checkValType(t)
	}
	return types
}

func (r *reader) valType() byte {
	t := r.byte()
	r.checkValType(t)
	return t
}

func (r *reader) checkValType(t byte) {
	switch t {
	case I32, I64, F32, F64, V128, FuncRef, ExternRef:
	default:
		r.fail("unknown value type")
	}
}

func (r *reader) tableType() TableType {
	return TableType{Elem: r.valType(), Limits: r.limits()}
}

func (r *reader) globalType() GlobalType {
	return GlobalType{Type: r.valType(), Mutable: r.byte() != 0}
}

func (r *reader) limits() Limits {
	flags := r.byte()
	if flags > 3 {
		r.fail("unknown limits")
	}
	l := Limits{HasMax: flags&1 != 0, Shared: flags&2 != 0, Min: r.u32()}
	if l.HasMax {
		l.Max = r.u32()
	}
	return l
}
