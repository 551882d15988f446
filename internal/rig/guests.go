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
)

// What a guest calls run for.
const (
	opStep   = 0 // the next task, through Pool
	opOwn    = 1 // to park
	opRaw    = 2 // the next message, through Workers
	opStart  = 3 // a start section asks what to do
	opSubmit = 4 // submit the bytes at an address, with a length
	opGrown  = 5 // the memory has been grown until refused
)
