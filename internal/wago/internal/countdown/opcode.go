package countdown

// opcode is an instruction's byte; for one with a prefix, the prefix and the
// number behind it.
type opcode uint32

const (
	opUnreachable  opcode = 0x00
	opNop          opcode = 0x01
	opBlock        opcode = 0x02
	opLoop         opcode = 0x03
	opIf           opcode = 0x04
	opElse         opcode = 0x05
	opEnd          opcode = 0x0b
	opBr           opcode = 0x0c
	opBrIf         opcode = 0x0d
	opBrTable      opcode = 0x0e
	opReturn       opcode = 0x0f
	opCall         opcode = 0x10
	opCallIndirect opcode = 0x11
	opDrop         opcode = 0x1a
	opSelect       opcode = 0x1b
	opSelectTyped  opcode = 0x1c
	opLocalGet     opcode = 0x20
	opLocalSet     opcode = 0x21
	opLocalTee     opcode = 0x22
	opGlobalGet    opcode = 0x23
	opGlobalSet    opcode = 0x24
	opTableGet     opcode = 0x25
	opTableSet     opcode = 0x26
	opI32Load      opcode = 0x28 // the first that names an address
	opI64Store32   opcode = 0x3e // the last that does
	opMemorySize   opcode = 0x3f
	opMemoryGrow   opcode = 0x40
	opI32Const     opcode = 0x41
	opI64Const     opcode = 0x42
	opF32Const     opcode = 0x43
	opF64Const     opcode = 0x44
	opI32Eqz       opcode = 0x45 // the first that only computes
	opI32GtU       opcode = 0x4b
	opI32LeU       opcode = 0x4d
	opI32GeS       opcode = 0x4e
	opI64GtU       opcode = 0x56
	opI32Add       opcode = 0x6a
	opI32Sub       opcode = 0x6b
	opI32ShrU      opcode = 0x76
	opI64Add       opcode = 0x7c
	opI64Shl       opcode = 0x86
	opI64ExtendU   opcode = 0xad
	opI64Extend32S opcode = 0xc4 // the last that only computes
	opRefNull      opcode = 0xd0
	opRefIsNull    opcode = 0xd1
	opRefFunc      opcode = 0xd2

	prefixMisc            = 0xfc
	miscOp         opcode = prefixMisc << 16
	opTruncSatLast        = miscOp | 7
	opMemoryInit          = miscOp | 8
	opDataDrop            = miscOp | 9
	opMemoryCopy          = miscOp | 10
	opMemoryFill          = miscOp | 11
	opTableInit           = miscOp | 12
	opElemDrop            = miscOp | 13
	opTableCopy           = miscOp | 14
	opTableGrow           = miscOp | 15
	opTableSize           = miscOp | 16
	opTableFill           = miscOp | 17

	prefixVector        = 0xfd
	vectorOp     opcode = prefixVector << 16
)
