package countdown

import (
	"fmt"

	"github.com/wago-org/wago/internal/engine/binfmt"
)

// next passes over one instruction, its immediates included.
func next(r *binfmt.Reader) (opcode, error) {
	at := r.Pos()
	op := opcode(r.Byte())
	var known bool
	switch op {
	case prefixMisc:
		op = miscOp | opcode(r.U32())
		known = skipMisc(r, op)
	case prefixVector:
		number := r.U32()
		op = vectorOp | opcode(number)
		known = skipVector(r, number)
	default:
		known = skipPlain(r, op)
	}
	if r.Err() != nil {
		return 0, fmt.Errorf("%w: %w", ErrMalformed, r.Err())
	}
	if !known {
		return 0, fmt.Errorf("%w: 0x%x, %d bytes into its function", ErrUnknownInstruction, uint32(op), at)
	}
	return op, nil
}

// skipPlain passes over the immediates of an instruction without a prefix. The
// types of blocks and of null references are numbers like others.
func skipPlain(r *binfmt.Reader, op opcode) bool {
	switch op {
	case opUnreachable, opNop, opElse, opEnd, opReturn, opDrop, opSelect, opRefIsNull:
	case opBlock, opLoop, opIf, opBr, opBrIf, opCall, opRefNull, opRefFunc,
		opLocalGet, opLocalSet, opLocalTee, opGlobalGet, opGlobalSet, opTableGet, opTableSet,
		opMemorySize, opMemoryGrow, opI32Const, opI64Const:
		r.SkipLEB()
	case opCallIndirect:
		skipTwo(r)
	case opBrTable:
		skipVec(r)
		r.SkipLEB()
	case opSelectTyped:
		skipVec(r)
	case opF32Const:
		r.Take(4)
	case opF64Const:
		r.Take(8)
	default:
		if op >= opI32Load && op <= opI64Store32 {
			skipTwo(r)
			return true
		}
		return op >= opI32Eqz && op <= opI64Extend32S
	}
	return true
}

func skipMisc(r *binfmt.Reader, op opcode) bool {
	switch op {
	case opMemoryInit, opMemoryCopy, opTableInit, opTableCopy:
		skipTwo(r)
	case opMemoryFill, opDataDrop, opElemDrop, opTableGrow, opTableSize, opTableFill:
		r.SkipLEB()
	default:
		return op <= opTruncSatLast
	}
	return true
}

// skipVector passes over the immediates of a vector instruction.
func skipVector(r *binfmt.Reader, number uint32) bool {
	switch {
	case number <= 11, number == 92, number == 93: // loads and stores
		skipTwo(r)
	case number == 12, number == 13: // v128.const, i8x16.shuffle
		r.Take(16)
	case number >= 21 && number <= 34: // extract_lane, replace_lane
		r.Byte()
	case number >= 84 && number <= 91: // loads and stores of a lane
		skipTwo(r)
		r.Byte()
	}
	return number <= 0xff // those above are "relaxed", a later feature
}

func skipTwo(r *binfmt.Reader) {
	r.SkipLEB()
	r.SkipLEB()
}

func skipVec(r *binfmt.Reader) {
	for n := r.U32(); n > 0 && r.Err() == nil; n-- {
		r.SkipLEB()
	}
}
