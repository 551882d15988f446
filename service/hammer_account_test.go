package service_test

import (
	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/assert"
)

// legsTag marks the tag of a task that more than one worker gets.
const legsTag = 1 << 39

// tag is a tag that no other task has, and that tells its pool.
func (h *hammer) tag(id pool.PoolID) uint64 { return uint64(id)<<40 | h.tags.Add(1) }

// reckon holds the last ledger of every pool against what its guests did; the rig has held it against what submits returned.
func (h *hammer) reckon(sum *account) {
	t := h.T
	t.Helper()
	books := make(map[pool.PoolID]*account)
	for _, final := range h.Service.Finals() {
		book := new(account)
		book.ledger(final)
		books[final.Pool] = book
	}
	complete := h.readLog(books)
	for id := range h.made {
		complete = complete && books[id] != nil
	}
	if h.EventsLost() == 0 {
		assert.True(t, complete, "every pool's last ledger came")
	}
	var all account
	for id, book := range books {
		all.add(*book)
		assert.LessOrEqual(t, book.seen, book.settled(), "pool %d: %+v", id, *book)
		assert.LessOrEqual(t, book.done, book.finished+book.clean+h.Missed(), "pool %d: %+v", id, *book)
		if s, ok := h.made[id]; ok && !s.raw { // whether a raw worker finished only its next dispatch tells
			assert.GreaterOrEqual(t, book.done, book.finished, "pool %d: %+v", id, *book)
		}
	}
	if complete {
		assert.Equal(t, all.seen+h.Missed(), all.settled(), "every delivery came to one end: %+v", all)
	}
	sum.add(all)
}

// readLog counts what guests did, by pool, and holds what is true of every task. It reports whether every task's pool has a book.
func (h *hammer) readLog(books map[pool.PoolID]*account) (complete bool) {
	complete = true
	attempts, finished := make(map[uint64]uint32), make(map[uint64]bool)
	for _, e := range h.Log() {
		tag, id := e.Task.Tag, pool.PoolID(e.Task.Tag>>40)
		book := books[id]
		if book == nil {
			complete = false
			continue
		}
		book.attempt(e)
		if s, ok := h.made[id]; !ok || s.raw || s.legs || tag&legsTag != 0 { // other pools' Create failed
			continue
		}
		if e.Task.Attempt <= attempts[tag] || e.Task.Attempt > h.made[id].retries+1 || finished[tag] {
			assert.Fail(h.T, "an attempt too many", "%+v, after %d, finished %t", e, attempts[tag], finished[tag])
		}
		attempts[tag], finished[tag] = e.Task.Attempt, e.Finished
	}
	return complete
}
