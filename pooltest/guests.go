package pooltest

import _ "embed"

// The guests. Each exports "own", which calls its import own with the number of its usual entry, and "memory"; its table has
// the entries EntryWork to EntryNull. The source of each is in this package's folder.
var (
	// Loop calls one host function in a loop: step, without parameters, which returns an i32: -1 ends the worker. It is for
	// plugins whose host function does a whole task, or only takes one.
	//
	//go:embed loop.wasm
	Loop []byte

	// Echo asks for tasks and replies to each with what it got. Its imports are next, which takes an address and how many
	// bytes there are, and returns how many it has put there (-1 ends the worker), and done, which takes the address and the
	// length of the result. All are i32; there is room for 64 KiB.
	//
	//go:embed echo.wasm
	Echo []byte
)

// The entries of the guests' tables, as Create takes them.
const (
	EntryWork    uint32 = 0 // does what the guest is for
	EntryReturns uint32 = 1 // returns at once
	EntryTraps   uint32 = 2 // traps at once
	EntrySpins   uint32 = 3 // loops at once, without host calls
	EntryTyped   uint32 = 4 // has a parameter, so it can't be a worker's
	EntryNull    uint32 = 5 // is empty, so it can't either
)
