package service

import (
	"sync"
	"sync/atomic"
)

// index finds the member that is a given worker. Reads take no lock and look at one cache line, as a rule: a worker's place is its
// id, less the upper bits, or the next free one behind that. The place of a worker that has gone stays taken until the index is
// full by half and made anew.
//
// Safe for concurrent use.
type index struct {
	places atomic.Pointer[[]place] // length a power of two

	mu   sync.Mutex // excludes other changes; guards what follows
	used int        // places that have an id
	live int        // and a member
}

// place holds a member from when its id is set until its removal. Id 0, which no worker has, is a place that was never used.
type place struct {
	id     atomic.Uint64
	member atomic.Pointer[member]
}

const firstPlaces = 64 // of an index

func (x *index) get(id WorkerID) *member {
	if p := x.find(id); p != nil {
		return p.member.Load()
	}
	return nil
}

// find returns the place that id has, nil if it has none.
func (x *index) find(id WorkerID) *place {
	places := x.places.Load()
	if places == nil || id == 0 {
		return nil
	}
	if p, found := seek(*places, uint64(id)); found {
		return p
	}
	return nil
}

// seek returns the place of an id, or the one that it would get, and which it is.
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

// put makes m known. Workers gives no id twice.
func (x *index) put(m *member) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.makeRoomLocked()
	p, _ := seek(*x.places.Load(), uint64(m.id))
	p.member.Store(m)
	p.id.Store(uint64(m.id)) // from here on it can be found
	x.used++
	x.live++
}

func (x *index) remove(id WorkerID) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if p := x.find(id); p != nil && p.member.Swap(nil) != nil {
		x.live--
	}
}

// makeRoomLocked sees to it that at most half of the places are used when there is one more.
func (x *index) makeRoomLocked() {
	old := x.places.Load()
	if old != nil && 2*(x.used+1) <= len(*old) {
		return
	}
	length := firstPlaces
	for length < 4*(x.live+1) {
		length *= 2
	}
	fresh := make([]place, length)
	if old != nil {
		for i := range *old {
			move(fresh, &(*old)[i])
		}
	}
	x.used = x.live
	x.places.Store(&fresh)
}

// move copies a place into an index that nobody else sees yet.
func move(fresh []place, p *place) {
	if m := p.member.Load(); m != nil {
		to, _ := seek(fresh, p.id.Load())
		to.member.Store(m)
		to.id.Store(p.id.Load())
	}
}
