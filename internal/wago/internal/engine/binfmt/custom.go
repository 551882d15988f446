package binfmt

// The subsections of the name section that the compiler reads.
const (
	nameModule    = 0
	nameFunctions = 1
	nameLocals    = 2
)

// custom passes over a custom section, looking into the name section only.
func (r *Reader) custom() {
	if r.name() != "name" {
		r.rest()
		return
	}
	for !r.Done() {
		id := r.Byte()
		sub := r.sub(r.U32())
		switch id {
		case nameModule:
			sub.name()
		case nameFunctions:
			sub.names()
		case nameLocals:
			sub.vec(func() {
				sub.U32()
				sub.names()
			})
		default:
			sub.rest()
		}
		if err := sub.finish(); r.err == nil {
			r.err = err
		}
	}
}

func (r *Reader) names() {
	r.vec(func() {
		r.U32()
		r.name()
	})
}
