package service

import (
	"sync/atomic"

	"github.com/JairusSW/pool/strategy"
)

// snapshot is all that a submit looks at before it reserves: the members, how to choose among them, and whether the pool
// takes tasks. It is immutable.
type snapshot struct {
	closed  error // nil: open; else what a submit returns
	picker  strategy.Picker
	view    *strategy.View
	members []*member // by position in view; nil for a slot without a worker
}

// noLoad is the load of a slot without a worker, and of all where no picker looks at loads.
var noLoad atomic.Int64

// showLocked publishes a worker that has joined while more may be on their way: at once, or with a later one while few of all
// are unseen; of those that Create starts, whose caller has no id yet, the first. Whoever starts workers publishes the last of
// them at the end, and who finds no room without them before (catchUp).
func (p *pool) showLocked() {
	unseen, seen := int(p.unseen.Add(1)), p.snap.Load().view.Eligible()
	if seen == 0 || (!p.filling && 8*unseen > seen) {
		p.publishLocked()
	}
}

// catchUp publishes the workers that have joined and are in no snapshot yet; false: there are none.
func (p *pool) catchUp() bool {
	if p.unseen.Load() == 0 {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.publishLocked()
	return true
}

// publishLocked makes a snapshot of what the pool is now, and wakes Supervise.
func (p *pool) publishLocked() {
	old := p.snap.Load()
	next := &snapshot{closed: p.closedLocked(), picker: old.picker, members: make([]*member, 0, len(p.slots))}
	entries := make([]strategy.Entry, 0, len(p.slots))
	for i, place := range p.slots {
		if place.member == nil && !place.held {
			continue
		}
		entry := strategy.Entry{Slot: uint32(i), Weight: 1, Load: &noLoad}
		if m := place.member; m != nil {
			m.mu.Lock()
			entry.Load, entry.Eligible = m.load, m.routableLocked()
			m.mu.Unlock()
		}
		entries = append(entries, entry)
		next.members = append(next.members, place.member)
	}
	next.view = next.picker.View(old.view, entries)
	p.snap.Store(next)
	p.unseen.Store(0)
	p.nudge()
}

func (p *pool) closedLocked() error {
	switch {
	case p.isEnded:
		return ErrPoolNotFound
	case p.draining:
		return ErrPoolDraining
	}
	return nil
}
