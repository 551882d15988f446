package workers

import "sync/atomic"

// table finds workers by ID. Reads take no lock and look at one cache line, as a rule: a worker's place is its ID, less the upper
// bits, or the next free one behind that. A removed worker's place is used again by none but itself, until the table is full by
// half and made anew.
//
// get is safe for concurrent use with everything; put and remove are not, their owner guards them.
type table struct {
	places atomic.Pointer[[]place] // length a power of two
	used   int                     // places that have an ID
	live   int                     // and a worker
}

// place holds a worker from when its ID is set until its removal. ID 0, which no worker has, is a place that was never used.
type place struct {
	id     atomic.Uint64
	worker atomic.Pointer[worker]
}

const tableFirst = 64 // places of the first table

// get returns the worker or nil.
func (t *table) get(id WorkerID) *worker {
	if p := t.find(id); p != nil {
		return p.worker.Load()
	}
	return nil
}

// find returns the place that the ID has, nil if it has none.
func (t *table) find(id WorkerID) *place {
	places := t.places.Load()
	if places == nil || id == 0 {
		return nil
	}
	if p, found := seek(*places, uint64(id)); found {
		return p
	}
	return nil
}

// seek returns the place of an ID, or the one that it would get, and which it is.
func seek(places []place, id uint64) (p *place, found bool) {
	mask := uint64(len(places) - 1)
	for at := id & mask; ; at = (at + 1) & mask {
		p := &places[at]
		switch p.id.Load() {
		case id:
			return p, true
		case 0: // if somebody takes it now, that is another
			return p, false
		}
	}
}

func (t *table) put(w *worker) {
	if t.find(w.id) == nil {
		t.makeRoom()
		t.used++
	}
	p, _ := seek(*t.places.Load(), uint64(w.id))
	if p.worker.Swap(w) == nil {
		t.live++
	}
	p.id.Store(uint64(w.id)) // from here on it can be found
}

func (t *table) remove(id WorkerID) {
	if p := t.find(id); p != nil && p.worker.Swap(nil) != nil {
		t.live--
	}
}

// makeRoom sees to it that at most half of the places are used when there is one more.
func (t *table) makeRoom() {
	old := t.places.Load()
	if old != nil && 2*(t.used+1) <= len(*old) {
		return
	}
	length := tableFirst
	for length < 4*(t.live+1) {
		length *= 2
	}
	fresh := make([]place, length)
	if old != nil {
		for i := range *old {
			move(fresh, &(*old)[i])
		}
	}
	t.used = t.live
	t.places.Store(&fresh)
}

// move copies a place into a table that nobody else sees yet.
func move(fresh []place, p *place) {
	if w := p.worker.Load(); w != nil {
		to, _ := seek(fresh, p.id.Load())
		to.worker.Store(w)
		to.id.Store(p.id.Load())
	}
}
