package service

// fifo is a growing ring of entries. The zero value is empty. Not safe for concurrent use; its owner guards it.
type fifo struct {
	ring []entry // length is a power of two, or zero
	head uint32
	size uint32
}

func (q *fifo) len() int { return int(q.size) }

func (q *fifo) at(i int) *entry { return &q.ring[(int(q.head)+i)&(len(q.ring)-1)] }

// push returns where the copy of e is; it stays there until the next push.
func (q *fifo) push(e *entry) *entry {
	if q.len() == len(q.ring) {
		q.grow()
	}
	slot := q.at(q.len())
	*slot = *e
	q.size++
	return slot
}

func (q *fifo) pop() entry {
	slot := q.at(0)
	e := *slot
	*slot = entry{}
	q.head = (q.head + 1) & uint32(len(q.ring)-1)
	if q.size--; q.size == 0 {
		q.head = 0 // a short queue stays where the cache has it
	}
	return e
}

// drain empties the queue and returns what was in it, oldest first.
func (q *fifo) drain() []entry {
	all := make([]entry, 0, q.size)
	for q.size > 0 {
		all = append(all, q.pop())
	}
	q.ring, q.head = nil, 0
	return all
}

// merge puts entries that were in a mailbox, in the mailbox's order, among those queued, by when they were accepted. Of one
// reading of the clock those from the mailbox come first: they had a place when the others had none.
func (q *fifo) merge(more []entry) {
	old := q.drain()
	for len(old) > 0 || len(more) > 0 {
		if len(more) == 0 || (len(old) > 0 && old[0].accepted < more[0].accepted) {
			q.push(&old[0])
			old = old[1:]
			continue
		}
		q.push(&more[0])
		more = more[1:]
	}
}

func (q *fifo) grow() {
	ring := make([]entry, max(8, 2*len(q.ring)))
	for i := range q.len() {
		ring[i] = *q.at(i)
	}
	q.ring, q.head = ring, 0
}
