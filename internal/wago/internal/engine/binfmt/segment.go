package binfmt

// element passes over an element segment. The bits of its flags are: not active;
// an explicit table, or declarative; expressions in place of indices.
func (r *reader) element() {
	const passive, explicit, expressions = 1, 2, 4
	flags := r.u32()
	if flags > passive|explicit|expressions {
		r.fail("unknown element segment")
	}
	if flags&passive == 0 {
		if flags&explicit != 0 {
			r.u32() // the table
		}
		r.skipConstant()
	}
	if flags&(passive|explicit) != 0 {
		r.byte() // the elements' kind or type
	}
	if flags&expressions != 0 {
		r.vec(r.skipConstant)
	} else {
		r.vec(func() { r.u32() })
	}
}

// data passes over a data segment.
func (r *reader) data() {
	const passive, explicit = 1, 2
	switch r.u32() {
	case passive:
	case explicit:
		r.u32() // the memory
		r.skipConstant()
	case 0:
		r.skipConstant()
	default:
		r.fail("unknown data segment")
	}
	r.take(r.u32())
}
