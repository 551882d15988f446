package binfmt

const (
	opEnd       = 0x0b
	opGlobalGet = 0x23
	opI32Const  = 0x41
	opI64Const  = 0x42
	opF32Const  = 0x43
	opF64Const  = 0x44
	opRefNull   = 0xd0
	opRefFunc   = 0xd2
	opVector    = 0xfd
)

// skipConstant passes over a constant expression, its end included.
func (r *Reader) skipConstant() {
	for r.err == nil {
		switch r.Byte() {
		case opEnd:
			return
		case opGlobalGet, opI32Const, opI64Const, opRefFunc, opRefNull:
			r.SkipLEB()
		case opF32Const:
			r.Take(4)
		case opF64Const:
			r.Take(8)
		case opVector:
			r.SkipLEB()
			r.Take(16)
		default:
			r.fail("not a constant instruction")
		}
	}
}
