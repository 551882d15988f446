package binfmt

// MaxLocals is the most locals a function may declare: the limit of the
// WebAssembly JavaScript interface. A few bytes can ask for billions, and the
// compiler makes a list of them.
const MaxLocals = 50_000

// code passes over a function's body and counts its locals.
func (r *Reader) code() {
	body := r.sub(r.U32())
	locals := uint64(0)
	body.vec(func() {
		locals += uint64(body.U32())
		body.valType()
	})
	if locals > MaxLocals {
		body.fail("too many locals")
	}
	if r.err == nil {
		r.err = body.err
	}
}
