package service

import (
	"sync"
	"sync/atomic"

	"github.com/JairusSW/pool/supervise"
	"github.com/wago-org/wago"
)

// pool is one pool. Its parts live in the files named after what they do.
type pool struct {
	// set once
	s          *Pools
	id         ID
	opts       Options // normalised
	owner      wago.InstanceIdentity
	tableIndex uint32             // the workers' function: its table index
	wake       chan struct{}      // for Supervise
	closing    <-chan struct{}    // closes when the creator's instance begins to close; nil when Workers can't tell
	elastic    *elastic           // nil: a fixed size; what it points to is guarded by mu
	machine    *supervise.Machine // what it points to is guarded by mu
	poked      chan struct{}      // for the keeper

	drained chan struct{} // closed when a drain is over; drainNo is constant then
	ended   chan struct{} // closed when the pool is gone for callers
	gone    chan struct{} // closed when its last worker has gone too

	// atomics; what changes with every other task stands apart from what every task only reads
	snap    atomic.Pointer[snapshot] // published under mu
	_       [64]byte
	crew    [standings]atomic.Int32 // members by standing; each member keeps its share under its own mu
	roomy   atomic.Int64            // routable workers whose mailbox has room; likewise
	parkedN atomic.Int64            // parked tasks; written under mu
	waitN   atomic.Int64            // waiting submits; written under mu

	unseen   atomic.Int32 // workers that have joined since the last snapshot; written under mu
	stalled  atomic.Bool  // halted without workers: nothing moves until Rearm; written under mu
	timing   atomic.Bool  // the keeper watches tasks' clocks, or is about to
	load     atomic.Int64 // of elastic pools: queued, parked, waiting and running
	peak     atomic.Int64 // the highest load since the last decision
	growAt   atomic.Int64 // a load above this asks for a worker more
	shrinkAt atomic.Int64 // a load of this or below asks for one less
	_        [64]byte

	mu sync.Mutex // guards what follows; taken before members' locks

	// size
	base     uint32 // what Create and Scale asked for, or load
	givenUp  uint32 // places that supervision gave up since
	slots    []slot
	held     int    // slots that wait for a replacement
	vacant   int    // slots that wait for nobody
	filling  bool   // Create starts its first workers
	spawning uint32 // spawns on their way
	bodies   uint32 // workers that are not gone, and spawns on their way
	limit    error  // why the pool is smaller than it should be; nil when it isn't

	// life
	supervised bool
	draining   bool
	isEnded    bool
	isGone     bool
	endCause   error
	drainDrops uint64
	drainNo    uint64 // how many drains were over, this one included

	// tasks without a worker
	parked  fifo
	waiting waitList
	pass    uint64 // numbers the passes over waiting

	// ledger: what is not in a member
	past     memberCounts // of members that have gone
	ledger   ledger
	lastExit WorkerExit

	doorMu sync.Mutex // guards door; innermost
	door   doorCounts
}

// slot is a place in the pool. A worker that is to be replaced leaves its slot held.
type slot struct {
	member *member
	held   bool
}

// setSlotLocked changes a slot, and the counts of those without a worker.
func (p *pool) setSlotLocked(i uint32, s slot) {
	p.countSlotLocked(p.slots[i], -1)
	p.slots[i] = s
	p.countSlotLocked(s, 1)
}

func (p *pool) countSlotLocked(s slot, by int) {
	switch {
	case s.member != nil:
	case s.held:
		p.held += by
	default:
		p.vacant += by
	}
}

// ledger counts what happens to tasks and workers under the pool's lock.
type ledger struct {
	routed, dropped                uint64 // tasks parked when they were accepted; tasks that ended in no hand
	retried                        uint64
	restarted, exited, failedExits uint64
}

// doorCounts count calls that were not routed to a member.
type doorCounts struct {
	submitted, rejected, shed uint64
	closed                    bool // the final ledger has been drawn up: nothing is counted any more
}

// isClosed reports whether c is closed.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// nudge wakes Supervise, now or at its next look.
func (p *pool) nudge() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// eachLocked calls visit with every member, in slot order, under the pool's lock.
func (p *pool) eachLocked(visit func(*member)) {
	for _, place := range p.slots {
		if place.member != nil {
			visit(place.member)
		}
	}
}

// live is the number of members that can be sent to. Without the lock it is a look at what changes.
func (p *pool) live() uint32 { return uint32(p.crew[routable].Load()) }
