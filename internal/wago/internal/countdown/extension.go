package countdown

import (
	"bytes"
	"slices"

	"github.com/wago-org/wago/internal/engine/binfmt"
)

// extension is what a module is given at the end of its index spaces.
type extension struct {
	full int32 // what the counter begins with and is filled up to

	counter    int64  // the global
	leave      int64  // the function that fills the counter and leaves guest code
	fill, copy int64  // the helpers; 0 while there is no use for them
	plain      uint32 // the type of leave
	bulk       uint32 // the type of the helpers

	bodies [][]byte // of the functions, in their order
}

// The counter is written all the time, and read by the core that writes it. wazero
// keeps an instance's globals, 16 bytes each, between what every access to memory
// reads, in an object that another instance's may follow directly. Idle globals on
// both sides see to it that instances on two cores never have a cache line in
// common, the one that processors fetch along with it included: without them,
// guests took up to a seventh longer beside others.
const (
	apart        = 128 / 16 // idle globals on each side
	addedGlobals = apart + 1 + apart
)

func newExtension(o *binfmt.Outline, full int32) *extension {
	x := &extension{
		full:    full,
		counter: int64(len(o.Globals)) + apart,
		leave:   int64(len(o.Funcs)),
		plain:   uint32(len(o.Types)),
		bulk:    uint32(len(o.Types)) + 1,
	}
	x.bodies = [][]byte{x.leaveBody()}
	return x
}

// helper returns the index of a helper, which is made when it is first used.
func (x *extension) helper(index *int64, body func() []byte) int64 {
	if *index == 0 {
		*index = x.leave + int64(len(x.bodies))
		x.bodies = append(x.bodies, body())
	}
	return *index
}

// types, functionTypes and globals encode the additions to their sections.
func (x *extension) types() []byte {
	bulk := binfmt.FuncType{Params: []byte{binfmt.I32, binfmt.I32, binfmt.I32}}
	return append(binfmt.FuncType{}.Encode(), bulk.Encode()...)
}

func (x *extension) functionTypes() []byte {
	types := binfmt.ULEB(uint64(x.plain))
	for range x.bodies[1:] {
		types = append(types, binfmt.ULEB(uint64(x.bulk))...)
	}
	return types
}

func (x *extension) globals() []byte {
	const constant, variable = 0, 1 // wazero reads variables again after every call
	one := func(mutability byte, value int32) []byte {
		return slices.Concat([]byte{binfmt.I32, mutability}, ins(opI32Const, int64(value)), ins(opEnd))
	}
	idle := bytes.Repeat(one(constant, 0), apart)
	return slices.Concat(idle, one(variable, x.full), idle)
}
