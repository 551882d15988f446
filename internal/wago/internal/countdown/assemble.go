package countdown

import (
	"slices"

	"github.com/wago-org/wago/internal/engine/binfmt"
)

// blockVoid is the type of a block without parameters and results.
const blockVoid = 0x40

// ins encodes an instruction whose immediates are numbers.
func ins(op opcode, immediates ...int64) []byte {
	b := []byte{byte(op)}
	if prefix := op >> 16; prefix != 0 {
		b = append([]byte{byte(prefix)}, binfmt.ULEB(uint64(op&0xffff))...)
	}
	for _, n := range immediates {
		if op == opI32Const || op == opI64Const {
			b = append(b, binfmt.SLEB(n)...)
		} else {
			b = append(b, binfmt.ULEB(uint64(n))...)
		}
	}
	return b
}

// sized encodes bytes with their length in front.
func sized(b []byte) []byte { return append(binfmt.ULEB(uint64(len(b))), b...) }

// countDown takes the cost off the counter and leaves guest code if nothing is
// left. The branch that does nothing comes first: wazero's register allocator
// gives the code behind an if the registers of its first branch, so that only the
// other one, which is seldom taken, has to restore them.
func (x *extension) countDown(cost int32) []byte {
	return slices.Concat(
		ins(opGlobalGet, x.counter), ins(opI32Const, int64(cost)), ins(opI32Sub), ins(opGlobalSet, x.counter),
		ins(opGlobalGet, x.counter), ins(opI32Const, 0), ins(opI32GeS),
		ins(opIf, blockVoid), ins(opElse), ins(opCall, x.leave), ins(opEnd))
}

// rewriteBody returns a function's body with its edits done.
func (x *extension) rewriteBody(body []byte) ([]byte, error) {
	edits, err := plan(body)
	if err != nil {
		return nil, err
	}
	const perEdit = 20 // bytes, enough for most
	out := make([]byte, 0, len(body)+perEdit*len(edits))
	done := 0
	for _, e := range edits {
		out = append(out, body[done:e.at]...)
		out = append(out, x.do(e)...)
		done = e.at + e.length
	}
	return append(out, body[done:]...), nil
}

func (x *extension) do(e edit) []byte {
	switch {
	case e.act == actFill:
		return ins(opCall, x.helper(&x.fill, x.fillBody))
	case e.act == actCopy:
		return ins(opCall, x.helper(&x.copy, x.copyBody))
	case e.act == actLeave:
		return ins(opCall, x.leave)
	case e.cost == 0:
		return nil
	}
	return x.countDown(e.cost)
}
