package binfmt

// element passes over an element segment. The bits of its flags are: not active;
// an explicit table, or declarative; expressions in place of indices.
func (r *Reader) element() {
	const passive, explicit, expressions = 1, 2, 4
	flags := r.U32()
	if flags > passive|explicit|expressions {
		r.fail("unknown element segment")
	}
	if flags&passive == 0 {
		if flags&explicit != 0 {
			r.U32() // the table
		}
		r.skipConstant()
	}
	if flags&(passive|explicit) != 0 {
		r.Byte() // the elements' kind or type
	}
	if flags&expressions != 0 {
		r.vec(r.skipConstant)
	} else {
		r.vec(func() { r.U32() })
	}
}

// data passes over a data segment.
func (r *Reader) data() {
	const passive, explicit = 1, 2
	switch r.U32() {
	case passive:
	case explicit:
		r.U32() // the memory
		r.skipConstant()
	case 0:
		r.skipConstant()
	default:
		r.fail("unknown data segment")
	}
	r.Take(r.U32())
}
