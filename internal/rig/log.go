package rig

import (
	"cmp"
	"slices"
	"sync"

	"github.com/JairusSW/pool"
)

// Entry is a task that a guest had in hand, and what the guest made of it.
type Entry struct {
	Worker   pool.WorkerID
	Turn     uint32 // how often this instance had asked for a task: it counts in its own memory
	Task     pool.Task
	Act      Act
	Finished bool // its last step was done before any verdict
}

// log is what the guests did, as they know it.
type log struct {
	mu       sync.Mutex
	entries  []Entry // guarded by mu, as what follows
	finished uint64
}

// Log returns what the guests did so far, in the order in which they did it.
func (r *Rig) Log() []Entry {
	r.log.mu.Lock()
	defer r.log.mu.Unlock()
	return slices.Clone(r.log.entries)
}

// EventsLost is how many events the rig's own observer was told it missed: last ledgers may be among them.
func (r *Rig) EventsLost() uint64 { return r.eventsLost.Load() }

// Done is the number of tasks that guests finished, as they know it; a quiet rig counts them, too.
func (r *Rig) Done() uint64 {
	r.log.mu.Lock()
	defer r.log.mu.Unlock()
	return r.log.finished
}

// Missed is how often a worker was handed a message and then had no task to look at, because a verdict or the end of the service
// came first: such tasks are in no log. Messages that were sent past Pool count, too.
func (r *Rig) Missed() uint64 { return r.missed.Load() }

// Finished returns the tags of the tasks that guests finished, ascending.
func (r *Rig) Finished() []uint64 {
	var tags []uint64
	for _, e := range r.Log() {
		if e.Finished {
			tags = append(tags, e.Task.Tag)
		}
	}
	slices.SortFunc(tags, cmp.Compare[uint64])
	return tags
}
