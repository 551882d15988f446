package rig

import _ "embed"

// The guests. All of them import env.run and do what it answers.
var (
	//go:embed guest.wasm
	guest []byte

	// Named is the rig's guest with a name section: every instance of it carries the module's own name.
	//go:embed named.wasm
	Named []byte

	// Starts is the rig's guest with a start section, which does what Rig.OnStart says, and without a maximum of its memory.
	//go:embed starts.wasm
	Starts []byte

	// Image is a guest that scribbles over its whole memory, 3 pages that grow to 16, with each task it takes. It knows the acts
	// Next and Return and takes every other for Trap. Image16 is the same with 16 MiB of memory that grow by 4 pages.
	//go:embed image.wasm
	Image []byte
	//go:embed image16.wasm
	Image16 []byte
)

// InitialImage is what the memory of Image and Image16 begins with, but for zeros up to its size.
func InitialImage() []byte {
	image := make([]byte, 3<<16)
	copy(image, "the first bytes")
	copy(image[65530:], "across the border")
	copy(image[196594:], "the last bytes")
	return image
}

// What a guest calls run for.
const (
	opStep   = 0 // the next task, through Pool
	opOwn    = 1 // to park
	opRaw    = 2 // the next message, through Workers
	opStart  = 3 // a start section asks what to do
	opSubmit = 4 // submit the bytes at an address, with a length
	opGrown  = 5 // the memory has been grown until refused
)
