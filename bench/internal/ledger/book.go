package ledger

import (
	"fmt"
	"sync/atomic"

	"github.com/JairusSW/pool"
)

// Shape is what a book has to know of its pool's options.
//
// Safe for concurrent use while nobody changes it.
type Shape struct {
	Retries uint32
	Queue   uint32 // each mailbox's capacity (messages)
	Max     uint32 // the most workers (workers)
	Legs    bool   // the strategy is Broadcast: a submit is a task for each worker
	Sheds   bool   // the overflow policy is OverflowShed
}

// Book is what callers and guests know of one pool.
//
// Safe for concurrent use.
type Book struct {
	ID    pool.PoolID
	Shape Shape

	serial atomic.Uint32
	tasks  tasks
	counts counters
}

// NewBook opens a book for a pool that nobody has submitted to.
func NewBook(id pool.PoolID, shape Shape) *Book { return &Book{ID: id, Shape: shape} }

// counters are the live form of Counts.
type counters struct {
	begun, accepted, maybeShed, refused, unclear, away, broadcasts atomic.Uint64
	takes, skipped, soft, strays, finished, failed                 atomic.Uint64
}

// Counts are a book's counters at some moment. Those of callers count tasks; a broadcast, while it is under way, as many as
// workers there can be.
type Counts struct {
	Begun      uint64 // what submits that were begun can have become
	Accepted   uint64 // accepted, as callers were told
	MaybeShed  uint64 // answered with nil and no worker by a pool that sheds
	Away       uint64 // not accepted, as callers were told
	Refused    uint64 // calls that were refused and count as rejected
	Unclear    uint64 // calls that were refused and may count as rejected
	Broadcasts uint64 // calls of Broadcast

	Takes    uint64 // attempts that guests began
	Skipped  uint64 // attempts that guests did not see, by the number that a later one was told
	Soft     uint64 // those of them that are done when their worker goes on or returns, unless it was told to stop
	Strays   uint64 // messages that were handed out to guests without a task that they saw
	Finished uint64 // settled by Complete
	Failed   uint64 // settled by Fail
}

// Counts returns the counters. Each is at least what it was when Counts was called, and at most what it is when it returns.
func (b *Book) Counts() Counts {
	c := &b.counts
	return Counts{
		Begun: c.begun.Load(), Accepted: c.accepted.Load(), MaybeShed: c.maybeShed.Load(), Refused: c.refused.Load(),
		Unclear: c.unclear.Load(), Away: c.away.Load(), Broadcasts: c.broadcasts.Load(),
		Takes: c.takes.Load(), Skipped: c.skipped.Load(), Soft: c.soft.Load(), Strays: c.strays.Load(),
		Finished: c.finished.Load(), Failed: c.failed.Load(),
	}
}

// Take notes that a worker has the task in hand: attempt is the number that the guest was told, 0 when it isn't told any; soft
// tells whether the task is done when the worker goes on or returns. It returns the number of the attempt and who made the one
// before.
func (b *Book) Take(tag Tag, attempt uint32, worker pool.WorkerID, soft func(uint32) bool) (uint32, pool.WorkerID, error) {
	if b.legs(tag) { // one word stands for all of them
		return b.takeLeg(tag, attempt, worker, soft)
	}
	was := b.tasks.take(tag, worker, attempt)
	now := max(was.attempts()+1, attempt)
	b.counts.skipped.Add(uint64(now - was.attempts() - 1))
	b.took(soft(now))
	return now, was.worker(), was.mayBegin(tag, attempt, b.Shape.Retries)
}

func (b *Book) takeLeg(tag Tag, attempt uint32, worker pool.WorkerID, soft func(uint32) bool) (uint32, pool.WorkerID, error) {
	was := b.tasks.take(tag, worker, 0)
	b.took(soft(1))
	switch {
	case attempt > 1:
		return 1, 0, fmt.Errorf("a leg of task %#x is tried for the %d. time", uint64(tag), attempt)
	case was&refused != 0:
		return 1, 0, fmt.Errorf("a leg of task %#x runs, which was refused", uint64(tag))
	}
	return 1, 0, nil
}

// legs reports whether several workers may have the task.
func (b *Book) legs(tag Tag) bool { return b.Shape.Legs || tag.Broadcast() }

func (b *Book) took(soft bool) {
	b.counts.takes.Add(1)
	if soft {
		b.counts.soft.Add(1)
	}
}

// Stray notes that a worker was handed a message and found no task in its hand.
func (b *Book) Stray() { b.counts.strays.Add(1) }

// Finish notes that Complete has settled the task in the worker's hand.
func (b *Book) Finish(tag Tag, worker pool.WorkerID) error {
	b.counts.finished.Add(1)
	return b.settle(tag, worker, finished)
}

// Fail notes that Fail has settled the task in the worker's hand.
func (b *Book) Fail(tag Tag, worker pool.WorkerID) error {
	b.counts.failed.Add(1)
	return b.settle(tag, worker, over)
}

func (b *Book) settle(tag Tag, worker pool.WorkerID, how word) error {
	if b.legs(tag) {
		return nil
	}
	switch was := b.tasks.mark(tag, how); {
	case was&finished != 0:
		return fmt.Errorf("task %#x is settled again by worker %d, after worker %d", uint64(tag), worker, was.worker())
	case was.worker() != worker:
		return fmt.Errorf("task %#x is settled by worker %d, and worker %d has it", uint64(tag), worker, was.worker())
	}
	return nil
}
