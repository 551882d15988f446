package strategy

import (
	"fmt"
	"sync/atomic"
)

// Entry describes one slot of a pool: a place a worker stands in, or stood in and will again.
//
// Safe for concurrent use while nobody changes it; Load is shared and changes all the time.
type Entry struct {
	// Slot names the place. A replacement takes the slot of the worker it replaces.
	Slot uint32
	// Weight 0 takes the slot out of routing, as if it weren't eligible. All other weights count the same.
	Weight uint32
	// Load is what the slot's worker has to do, kept up to date by the owner and read when a choice is
	// made; by LeastLoaded and PowerOfTwo only. Nil counts as a load of 0.
	Load *atomic.Int64
	// Eligible says that the slot may be chosen now. A slot without a live worker is listed with Eligible
	// false, so that it keeps its place on the ring of ConsistentHash.
	Eligible bool
}

// View is what a picker chooses from: the entries at one moment, prepared. Only [Picker.View] makes one.
//
// Safe for concurrent use.
type View struct {
	entries  []Entry
	eligible []uint32        // positions that may be chosen, ascending
	loads    []*atomic.Int64 // of the eligible, in the same order
	last     int64           // slot chosen last before this view; none: -1
	start    uint64          // index into eligible of the successor of last
	seed     uint64          // of this view's own pseudo-random sequence
	picks    uint64          // what the cursors of the views before it came to
	all      shuffler        // of the eligible
	others   shuffler        // of the eligible but one
	ring     *ring

	// The one word that picks write stands apart from what they read.
	_      [64]byte
	cursor atomic.Uint64
	_      [64]byte
}

// Len returns the number of entries, eligible or not.
//
// Safe for concurrent use.
func (v *View) Len() int { return len(v.entries) }

// Eligible returns how many of the entries can be chosen.
//
// Safe for concurrent use.
func (v *View) Eligible() int { return len(v.eligible) }

// newView copies and prepares what every strategy needs.
func newView(prev *View, entries []Entry) *View {
	v := &View{
		entries:  make([]Entry, len(entries)),
		eligible: make([]uint32, 0, len(entries)),
		loads:    make([]*atomic.Int64, 0, len(entries)),
		last:     -1,
	}
	copy(v.entries, entries)
	for i := range v.entries {
		v.prepare(i)
	}
	if prev != nil {
		v.picks = prev.picks + prev.cursor.Load()
	}
	return v
}

func (v *View) prepare(pos int) {
	e := &v.entries[pos]
	if pos > 0 && v.entries[pos-1].Slot >= e.Slot {
		panic(fmt.Sprintf("strategy: slot %d at position %d follows slot %d: entries must ascend by slot",
			e.Slot, pos, v.entries[pos-1].Slot))
	}
	if e.Load == nil {
		e.Load = new(atomic.Int64)
	}
	e.Eligible = e.Eligible && e.Weight > 0
	if e.Eligible {
		v.eligible = append(v.eligible, uint32(pos))
		v.loads = append(v.loads, e.Load)
	}
}

// resumeAfter makes the view start at the first eligible slot behind slot, in circular order.
func (v *View) resumeAfter(slot int64) {
	v.last, v.start = slot, 0
	for i, pos := range v.eligible {
		if int64(v.entries[pos].Slot) > slot {
			v.start = uint64(i)
			return
		}
	}
}

// slotAt returns the slot of the i-th eligible entry.
func (v *View) slotAt(i uint64) int64 { return int64(v.entries[v.eligible[i]].Slot) }

// choose turns an index into the eligible positions into the first answer of a pick.
func (v *View) choose(at uint32) (int, Walk) {
	return int(v.eligible[at]), Walk{at: at, step: 1, left: uint32(len(v.eligible)) - 1}
}

// around continues a walk that takes the eligible positions in circular order.
func (v *View) around(w Walk) (int, Walk) {
	if w.left == 0 {
		return -1, w
	}
	at := v.wrap(w.at + w.step)
	w.step++
	w.left--
	return int(v.eligible[at]), w
}

// wrap brings an index that has gone past the eligible positions, by less than one round, back among them.
func (v *View) wrap(at uint32) uint32 {
	if n := uint32(len(v.eligible)); at >= n {
		at -= n
	}
	return at
}
