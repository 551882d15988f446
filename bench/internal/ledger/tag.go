package ledger

import "github.com/JairusSW/pool"

// Tag names a task: the pool, the task's number in it from 1 on, and what guests do with it the first time and later. 0 is no
// task's.
type Tag uint64

// The parts of a tag, from its low end.
const (
	actBits    = 8
	serialBits = 28
	poolBits   = 64 - serialBits - 2*actBits
)

// MaxPool is the highest pool id that fits into a tag.
const MaxPool pool.PoolID = 1<<poolBits - 1

func newTag(id pool.PoolID, serial uint32, first, later uint8) Tag {
	return Tag(id)<<(serialBits+2*actBits) | Tag(serial)<<(2*actBits) | Tag(later)<<actBits | Tag(first)
}

// Pool is the pool that the task was meant for.
func (t Tag) Pool() pool.PoolID { return pool.PoolID(t >> (serialBits + 2*actBits)) }

// Serial is the task's number in its pool.
func (t Tag) Serial() uint32 { return uint32(t>>(2*actBits)) & (1<<serialBits - 1) }

// broadcast stands where a broadcast's tag has no act: each leg has one attempt.
const broadcast = 1<<actBits - 1

// Broadcast reports whether the task has a leg for each worker that took it.
func (t Tag) Broadcast() bool { return uint8(t>>actBits) == broadcast }

// Act is what a guest does at its nth attempt, from 1 on.
func (t Tag) Act(attempt uint32) uint8 {
	if attempt > 1 {
		return uint8(t >> actBits)
	}
	return uint8(t)
}
