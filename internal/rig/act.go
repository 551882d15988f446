package rig

import "github.com/JairusSW/pool"

// Act is what a worker does with the task it was given, after the behaviour that chose it has returned.
type Act int32

// The acts, by the numbers the guest knows.
const (
	Next         Act = 0 // finish the task and take the next
	Return       Act = 1 // return from the entry with the task in hand
	Trap         Act = 2 // execute unreachable
	Spin         Act = 3 // loop without host calls
	Recurse      Act = 4 // exhaust the stack
	OutOfBounds  Act = 5 // load outside the memory
	DivideByZero Act = 6
	WrongType    Act = 7 // call a table entry of another type
	GrowToLimit  Act = 8 // grow the memory until refused, write to every page, then do what Worker.Then said
	Submit       Act = 9 // have the guest submit what Worker.Submits said, then finish the task
	exitBase     Act = 1 << 20
)

// Exit ends the guest with an exit code.
func Exit(code int32) Act { return exitBase + Act(code) }

// comesBack reports whether the guest calls the host once more before the task is over.
func (a Act) comesBack() bool { return a == GrowToLimit || a == Submit }

// Behaviour decides what a worker does with a task. It runs inside the worker's host call and may block.
type Behaviour func(w *Worker, task pool.Task) Act

// Finish is the default behaviour: every task is done at once.
func Finish(*Worker, pool.Task) Act { return Next }

// TrapOn traps on the given tags and finishes all others.
func TrapOn(tags ...uint64) Behaviour { return ActOn(Trap, tags...) }

// ActOn ends in the given way on the given tags and finishes all others.
func ActOn(how Act, tags ...uint64) Behaviour {
	return func(_ *Worker, task pool.Task) Act {
		for _, tag := range tags {
			if task.Tag == tag {
				return how
			}
		}
		return Next
	}
}

// HoldUntil has workers keep each task in hand until the gate opens, or until they are told to stop.
func HoldUntil(gate <-chan struct{}) Behaviour {
	return func(w *Worker, _ pool.Task) Act {
		if !w.Hold(gate) {
			return Return
		}
		return Next
	}
}

// The entries of the guest's table.
const (
	EntryLoop    uint32 = 0 // takes tasks through Pool's DispatchNext
	EntryReturns uint32 = 1 // returns at once
	EntryTraps   uint32 = 2 // traps at once
	EntrySpins   uint32 = 3 // loops at once, without host calls
	EntryTyped   uint32 = 4 // has a parameter: no worker
	EntryNull    uint32 = 5 // is empty
	EntryRaw     uint32 = 6 // takes messages through Workers' own DispatchNext
	EntryOutside uint32 = 99
)
