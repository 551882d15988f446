package events

// firstSlots is how many events a queue holds before it first grows.
const firstSlots = 8

// queue is what waits for one observer: events, and how many are missing between them. It numbers its entries itself,
// from the number of the last event before it: every event of the bus is offered once.
//
// Not safe for concurrent use; its observer guards it.
type queue[E any] struct {
	capacity int
	slots    []slot[E] // a ring
	head     int       // the oldest
	size     int       // slots in use
	lost     uint64    // events lost since the newest in the ring
	seq      uint64    // of the last event taken or reported lost
}

type slot[E any] struct {
	lost  uint64 // events lost right before this one
	event E
}

// offer queues a copy of e, or loses it. At 7/8 (rounded up) it loses what is expendable, when full anything.
func (q *queue[E]) offer(e *E, expendable func(*E) bool) {
	if q.refuses(e, expendable) {
		q.lost++
		return
	}
	if q.size == len(q.slots) {
		q.grow()
	}
	s := &q.slots[q.wrap(q.head+q.size)]
	s.lost, s.event = q.lost, *e
	q.lost = 0
	q.size++
}

func (q *queue[E]) refuses(e *E, expendable func(*E) bool) bool {
	switch {
	case q.size < q.capacity-q.capacity/8:
		return false
	case q.size == q.capacity:
		return true
	}
	return expendable != nil && expendable(e)
}

// wrap brings an index that has run past the end of the ring back into it.
func (q *queue[E]) wrap(i int) int {
	if i >= len(q.slots) {
		i -= len(q.slots)
	}
	return i
}

func (q *queue[E]) grow() {
	larger := make([]slot[E], min(q.capacity, max(firstSlots, 2*len(q.slots))))
	n := copy(larger, q.slots[q.head:])
	copy(larger[n:], q.slots[:q.head])
	q.slots, q.head = larger, 0
}

// take moves the oldest entry out and reports whether there was one. If it was a gap, lost says how many events are
// missing there, the last numbered q.seq, and e is as before; else e is the event.
func (q *queue[E]) take(e *E) (lost uint64, ok bool) {
	if lost = q.takeGap(); lost > 0 {
		return lost, true
	}
	if q.size == 0 {
		return 0, false
	}
	s := &q.slots[q.head]
	*e = s.event
	*s = slot[E]{} // what the event points to isn't ours to keep
	q.head = q.wrap(q.head + 1)
	q.size--
	q.seq++
	return 0, true
}

// takeGap removes the gap at the front, if there is one, and returns its size.
func (q *queue[E]) takeGap() uint64 {
	gap := &q.lost
	if q.size > 0 {
		gap = &q.slots[q.head].lost
	}
	lost := *gap
	*gap = 0
	q.seq += lost
	return lost
}
