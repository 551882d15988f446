package soak

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"

	"github.com/JairusSW/pool/bench/internal/ledger"
)

// act is what a worker does with the task in its hand.
type act uint8

// The acts that guests know, by the numbers they know them by.
const (
	actReply     act = iota // reply, and take the next
	actQuiet                // take the next
	actReturn               // return from the entry
	actTrap                 // execute unreachable
	actSpin                 // loop for ever, without a host call
	actRecurse              // exhaust the stack
	actOutside              // load from outside the memory
	actDivide               // divide by zero
	actWrongType            // call a table entry of another type
	actFill                 // grow the memory until refused, write to all of it, reply
	actFillTrap             // the same, and trap
	actSubmit               // submit bytes of its own memory, reply
	actLate                 // reply, and trap
	actTwice                // reply twice
	actWork                 // compute, reply
	actPointer              // reply with bytes that are outside the memory
	actsOfGuests            // how many there are
)

// The acts of the host function that the guest is in.
const (
	actFail     act = 32 + iota // fail the task, and take the next
	actExit                     // exit with code 3
	actExitOK                   // exit with code 0
	actPanic                    // panic
	actGoexit                   // end the goroutine
	actHold                     // stay for a while, whatever happens, reply
	actAwait                    // stay for a while or until told to stop, reply
	actDrain                    // drain its own pool, reply
	actDestroy                  // destroy its own pool, reply
	actKill                     // kill itself, reply
	actAsk                      // submit to some pool, reply
	actCreate                   // create a pool, which ends with the worker, reply
	actOversize                 // complete the task with more than may be, which is refused; reply
)

var actNames = map[act]string{
	actReply: "reply", actQuiet: "go on", actReturn: "return", actTrap: "trap", actSpin: "spin", actRecurse: "exhaust the stack",
	actOutside: "load outside the memory", actDivide: "divide by zero", actWrongType: "call another type",
	actFill: "exhaust the memory", actFillTrap: "exhaust the memory and trap", actSubmit: "submit", actLate: "reply and trap",
	actTwice: "reply twice", actWork: "compute", actPointer: "reply from outside the memory", actFail: "fail",
	actExit: "exit with 3", actExitOK: "exit with 0", actPanic: "panic in the host", actGoexit: "Goexit in the host",
	actHold: "stay in the host, deaf", actAwait: "stay in the host", actDrain: "drain the own pool",
	actDestroy: "destroy the own pool", actKill: "kill itself", actAsk: "submit from the host",
	actCreate: "create a pool", actOversize: "complete with too much",
}

// ending is what becomes of a task with a given act.
type ending uint8

const (
	settles ending = iota // done exactly when the reply was taken
	soft                  // done, unless the worker was told to stop
	never                 // not done
)

// ends returns what becomes of a task.
func (a act) ends() ending {
	switch a {
	case actReply, actFill, actSubmit, actLate, actTwice, actWork, actHold, actAwait, actDrain, actDestroy, actKill, actAsk,
		actCreate, actOversize:
		return settles
	case actQuiet, actReturn, actExitOK:
		return soft
	}
	return never
}

// chance is how often an act is drawn, beside the others of its list.
type chance struct {
	act    act
	weight int
}

// good acts leave the worker alive and well, bad ones don't.
var (
	good = []chance{
		{actReply, 700}, {actQuiet, 120}, {actWork, 30}, {actFail, 60}, {actTwice, 30}, {actSubmit, 40}, {actAsk, 20}, {actAwait, 10},
		{actHold, 10}, {actFill, 5}, {actCreate, 1}, {actOversize, 20},
	}
	bad = []chance{
		{actReturn, 30}, {actTrap, 40}, {actSpin, 20}, {actOutside, 10}, {actDivide, 10}, {actWrongType, 10}, {actFillTrap, 8},
		{actLate, 15}, {actPointer, 10}, {actExit, 20}, {actExitOK, 15}, {actPanic, 10}, {actGoexit, 10}, {actKill, 10},
		{actRecurse, 2}, {actDrain, 1}, {actDestroy, 1},
	}
)

// draw draws an act; evil of a thousand are bad ones.
func draw(dice *rand.Rand, evil int) act {
	if dice.IntN(1000) < evil {
		return pick(dice, bad)
	}
	return pick(dice, good)
}

// tame draws an act that sets off nothing else.
func tame(dice *rand.Rand) act { return [...]act{actReply, actQuiet, actWork}[dice.IntN(3)] }

func pick(dice *rand.Rand, from []chance) act {
	total := 0
	for _, c := range from {
		total += c.weight
	}
	at := dice.IntN(total)
	for _, c := range from {
		if at -= c.weight; at < 0 {
			return c.act
		}
	}
	panic("weights don't add up")
}

// payload writes the bytes of a task into buffer, whose length they have: both sides make them from the tag.
func payload(tag ledger.Tag, buffer []byte) {
	dice := rand.NewPCG(uint64(tag), 1)
	var word [8]byte
	for at := 0; at < len(buffer); at += len(word) {
		binary.LittleEndian.PutUint64(word[:], dice.Uint64())
		copy(buffer[at:], word[:])
	}
}

// length is how many bytes a task has: mostly few, sometimes all that its pool allows, once in a while one too many.
func length(tag ledger.Tag, most uint32) int {
	switch dice := rand.New(rand.NewPCG(uint64(tag), 2)); dice.IntN(64) {
	case 0:
		return int(most) + 1
	case 1:
		return int(most)
	case 2, 3:
		return dice.IntN(int(most) + 1)
	default:
		return dice.IntN(min(int(most), 48) + 1)
	}
}

// answer is what guests reply to a task with these bytes.
func answer(bytes []byte) uint32 {
	hash := fnv.New32a()
	_, _ = hash.Write(bytes) // it never fails
	return hash.Sum32()
}
