package service

import (
	"context"
	"unsafe"
)

// MemberBytes is how large a member is.
const MemberBytes = unsafe.Sizeof(member{})

// SubmitBytes is where in a member ends what a submit needs.
const SubmitBytes = unsafe.Offsetof(member{}.hand)

// CallBytes is how large a call is.
const CallBytes = unsafe.Sizeof(call{})

// HoldWorker takes a member's lock until release.
func (s *Pools) HoldWorker(id WorkerID) (release func()) {
	m := s.index.get(id)
	m.mu.Lock()
	return m.mu.Unlock
}

// RejectedAtDoor is what a pool counts as rejected, whatever locks are held.
func (s *Pools) RejectedAtDoor(id ID) uint64 {
	p, err := s.find(id)
	if err != nil {
		return 0
	}
	p.doorMu.Lock()
	defer p.doorMu.Unlock()
	return p.door.rejected
}

// Index finds members.
type Index struct{ index index }

// Put adds a member that is this worker.
func (x *Index) Put(id WorkerID) { x.index.put(&member{id: id}) }

// Remove takes it out.
func (x *Index) Remove(id WorkerID) { x.index.remove(id) }

// Get returns which worker the member is that is found under an id; 0 for none.
func (x *Index) Get(id WorkerID) WorkerID { return x.index.get(id).worker() }

// NewWait is what a Call does after its submit: to wait until ctx ends or the task does; and how many tokens are left then.
func NewWait() (wait func(ctx context.Context) bool, finish func(), left func() int) {
	s, c := New(nil, Limits{}), &call{}
	return func(ctx context.Context) bool { return s.wait(ctx, c) }, func() { c.finish(outcome{}) }, func() int { return len(c.done) }
}

// Fifo is a mailbox's mirror, of entries that are told apart by their tags.
type Fifo struct{ queue fifo }

// Push appends an entry.
func (q *Fifo) Push(tag uint64) { q.queue.push(&entry{tag: tag}) }

// Pop takes the oldest out; there must be one.
func (q *Fifo) Pop() uint64 { return q.queue.pop().tag }

// Drain takes all out.
func (q *Fifo) Drain() (tags []uint64) {
	for _, e := range q.queue.drain() {
		tags = append(tags, e.tag)
	}
	return tags
}

// Len is how many there are.
func (q *Fifo) Len() int { return q.queue.len() }
