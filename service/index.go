package service

import (
	"sync"
	"sync/atomic"
)

// index finds the member that is a given worker. Reads take no lock and look at one cache line, as a rule: a worker's cell is its
// id, less the upper bits, or the next free one behind that. The cell of a worker that has gone stays taken until the index is
// full by half and made anew.
//
// Safe for concurrent use.
type index struct {
	cells atomic.Pointer[[]cell] // length a power of two

	mu   sync.Mutex // excludes other changes; guards what follows
	used int        // cells that have an id
	live int        // and a member
}

// cell holds a member from when its id is set until its removal. Id 0, which no worker has, is a cell that was never used.
type cell struct {
	id     atomic.Uint64
	member atomic.Pointer[member]
}

const firstCells = 64 // of an index

func (x *index) get(id WorkerID) *member {
	if c := x.find(id); c != nil {
		return c.member.Load()
	}
	return nil
}

// find returns the cell that id has, nil if it has none.
func (x *index) find(id WorkerID) *cell {
	cells := x.cells.Load()
	if cells == nil || id == 0 {
		return nil
	}
	if c, found := seek(*cells, uint64(id)); found {
		return c
	}
	return nil
}

// seek returns the cell of an id, or the one that it would get, and which it is.
func seek(cells []cell, id uint64) (c *cell, found bool) {
	mask := uint64(len(cells) - 1)
	for at := id & mask; ; at = (at + 1) & mask {
		c := &cells[at]
		switch c.id.Load() {
		case id:
			return c, true
		case 0: // if somebody takes it now, that is another
			return c, false
		}
	}
}

// put makes m known. Workers gives no id twice.
func (x *index) put(m *member) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.makeRoomLocked()
	c, _ := seek(*x.cells.Load(), uint64(m.id))
	c.member.Store(m)
	c.id.Store(uint64(m.id)) // from here on it can be found
	x.used++
	x.live++
}

func (x *index) remove(id WorkerID) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if c := x.find(id); c != nil && c.member.Swap(nil) != nil {
		x.live--
	}
}

// makeRoomLocked sees to it that at most half of the cells are used when there is one more.
func (x *index) makeRoomLocked() {
	old := x.cells.Load()
	if old != nil && 2*(x.used+1) <= len(*old) {
		return
	}
	length := firstCells
	for length < 4*(x.live+1) {
		length *= 2
	}
	fresh := make([]cell, length)
	if old != nil {
		for i := range *old {
			move(fresh, &(*old)[i])
		}
	}
	x.used = x.live
	x.cells.Store(&fresh)
}

// move copies a cell into an index that nobody else sees yet.
func move(fresh []cell, c *cell) {
	if m := c.member.Load(); m != nil {
		to, _ := seek(fresh, c.id.Load())
		to.member.Store(m)
		to.id.Store(c.id.Load())
	}
}
