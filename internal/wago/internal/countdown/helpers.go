package countdown

import "slices"

const (
	// pieceBytes is how much memory is filled or copied at once.
	pieceBytes = 1 << 16
	// unitShift makes units of bytes that are filled or copied.
	unitShift = 2
	// pageShift makes bytes of pages.
	pageShift = 16
)

// The parameters of the helpers: those of memory.fill and memory.copy.
const paramTo, paramFrom, paramLength = 0, 1, 2

var (
	getTo, getFrom, getLength = ins(opLocalGet, paramTo), ins(opLocalGet, paramFrom), ins(opLocalGet, paramLength)

	noLocals = []byte{0}
	doFill   = ins(opMemoryFill, 0)
	doCopy   = ins(opMemoryCopy, 0, 0)
)

// leaveBody fills the counter, and asks for memory of a size that no guest can
// have: generated code can't do that itself.
func (x *extension) leaveBody() []byte {
	return slices.Concat(noLocals,
		ins(opI32Const, int64(x.full)), ins(opGlobalSet, x.counter),
		ins(opI32Const, gatePages), ins(opMemorySize, 0), ins(opI32Sub), ins(opMemoryGrow, 0), ins(opDrop),
		ins(opEnd))
}

// fillBody is memory.fill in pieces, between which it leaves guest code.
func (x *extension) fillBody() []byte {
	return slices.Concat(noLocals,
		x.atOnce(doFill), trapIfPast(getTo, doFill),
		ins(opLoop, blockVoid),
		getTo, getFrom, ins(opI32Const, pieceBytes), doFill,
		move(paramTo, pieceBytes), move(paramLength, -pieceBytes),
		x.again(),
		getTo, getFrom, getLength, doFill,
		ins(opEnd))
}

// copyBody is memory.copy in pieces: from the front if it moves bytes down, else
// from the back, so that nothing is overwritten before it is copied.
func (x *extension) copyBody() []byte {
	forwards := slices.Concat(
		ins(opLoop, blockVoid),
		getTo, getFrom, ins(opI32Const, pieceBytes), doCopy,
		move(paramTo, pieceBytes), move(paramFrom, pieceBytes), move(paramLength, -pieceBytes),
		x.again())
	backwards := slices.Concat(
		ins(opLoop, blockVoid),
		move(paramLength, -pieceBytes),
		getTo, getLength, ins(opI32Add), getFrom, getLength, ins(opI32Add), ins(opI32Const, pieceBytes), doCopy,
		x.again())
	return slices.Concat(noLocals,
		x.atOnce(doCopy), trapIfPast(getTo, doCopy), trapIfPast(getFrom, doCopy),
		getTo, getFrom, ins(opI32LeU), ins(opIf, blockVoid), forwards, ins(opElse), backwards, ins(opEnd),
		getTo, getFrom, getLength, doCopy,
		ins(opEnd))
}

// atOnce does the whole of a short operation, pays for it and returns.
func (x *extension) atOnce(operation []byte) []byte {
	return slices.Concat(
		getLength, ins(opI32Const, pieceBytes), ins(opI32LeU), ins(opIf, blockVoid),
		ins(opGlobalGet, x.counter), getLength, ins(opI32Const, unitShift), ins(opI32ShrU), ins(opI32Sub),
		ins(opGlobalSet, x.counter),
		getTo, getFrom, getLength, operation, ins(opReturn),
		ins(opEnd))
}

// trapIfPast does the whole of an operation that reaches past the end of memory:
// it traps and changes nothing, as it must.
func trapIfPast(start, operation []byte) []byte {
	return slices.Concat(
		start, ins(opI64ExtendU), getLength, ins(opI64ExtendU), ins(opI64Add),
		ins(opMemorySize, 0), ins(opI64ExtendU), ins(opI64Const, pageShift), ins(opI64Shl),
		ins(opI64GtU), ins(opIf, blockVoid), getTo, getFrom, getLength, operation, ins(opEnd))
}

func move(param, by int64) []byte {
	return slices.Concat(ins(opLocalGet, param), ins(opI32Const, by), ins(opI32Add), ins(opLocalSet, param))
}

// again ends a loop over pieces: it leaves guest code and goes on while there is
// more than a piece.
func (x *extension) again() []byte {
	return slices.Concat(
		ins(opCall, x.leave),
		getLength, ins(opI32Const, pieceBytes), ins(opI32GtU), ins(opBrIf, 0),
		ins(opEnd))
}
