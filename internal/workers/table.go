package workers

import "sync/atomic"

// table finds workers by ID. Reads take no lock and look at one cache line, as a rule: a worker's cell is its ID, less the upper
// bits, or the next free one behind that. The cell of a worker that was removed stays taken until the table is full by half
// and made anew.
//
// get is safe for concurrent use with everything; put and remove are not, their owner guards them.
type table struct {
	cells atomic.Pointer[[]cell] // length a power of two
	used  int                    // cells that have an ID
	live  int                    // and a worker
}

// cell holds a worker from when its ID is set until its removal. ID 0, which no worker has, is a cell that was never used.
type cell struct {
	id     atomic.Uint64
	worker atomic.Pointer[worker]
}

const tableFirst = 64 // cells of the first table

// get returns the worker or nil.
func (t *table) get(id WorkerID) *worker {
	if c := t.find(id); c != nil {
		return c.worker.Load()
	}
	return nil
}

// find returns the cell that the ID has, nil if it has none.
func (t *table) find(id WorkerID) *cell {
	cells := t.cells.Load()
	if cells == nil || id == 0 {
		return nil
	}
	if c, found := seek(*cells, uint64(id)); found {
		return c
	}
	return nil
}

// seek returns the cell of an ID, or the one that it would get, and which it is.
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

// put adds a worker, whose ID was in no table before.
func (t *table) put(w *worker) {
	t.makeRoom()
	c, _ := seek(*t.cells.Load(), uint64(w.id))
	c.worker.Store(w)
	c.id.Store(uint64(w.id)) // from here on it can be found
	t.used++
	t.live++
}

func (t *table) remove(id WorkerID) {
	if c := t.find(id); c != nil && c.worker.Swap(nil) != nil {
		t.live--
	}
}

// makeRoom sees to it that at most half of the cells are used when there is one more.
func (t *table) makeRoom() {
	old := t.cells.Load()
	if old != nil && 2*(t.used+1) <= len(*old) {
		return
	}
	length := tableFirst
	for length < 4*(t.live+1) {
		length *= 2
	}
	fresh := make([]cell, length)
	if old != nil {
		for i := range *old {
			move(fresh, &(*old)[i])
		}
	}
	t.used = t.live
	t.cells.Store(&fresh)
}

// move copies a cell into a table that nobody else sees yet.
func move(fresh []cell, c *cell) {
	if w := c.worker.Load(); w != nil {
		to, _ := seek(fresh, c.id.Load())
		to.worker.Store(w)
		to.id.Store(c.id.Load())
	}
}
