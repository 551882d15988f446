package service

import (
	"errors"

	"github.com/wago-org/workers"
)

// verdict is what became of an offer.
type verdict uint8

const (
	accepted verdict = iota
	full             // no room in the mailbox
	going            // the worker takes no more tasks, or there is none
	shut             // the pool stopped taking tasks meanwhile
)

// place offers e to the workers that the snapshot's picker names, in its order, until one takes it. With spill it goes on
// past full workers. Next hop: offer, below, then Workers' Send.
func (p *pool) place(w port, snap *snapshot, e *entry, spill bool) (*member, verdict) {
	result := going
	pos, walk := snap.picker.First(snap.view, e.key)
	for pos >= 0 {
		m := snap.members[pos]
		switch v := m.offer(w, snap, e); {
		case v == accepted || v == shut:
			return m, v
		case v == full && !spill:
			return m, full
		case v == full:
			result = full
		}
		pos, walk = snap.picker.Next(snap.view, walk)
	}
	return nil, result
}

// offer sends e to m if there is room, and then mirrors it. The lock is held over both, so that the mirror and the mailbox
// have one order; Send never blocks and calls no observer.
func (m *member) offer(w port, snap *snapshot, e *entry) verdict {
	if m == nil {
		return going
	}
	if e.size > smallCopy && !e.owned {
		if v := m.look(e); v != accepted {
			return v
		}
		e.own()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if v := m.takesLocked(e); v != accepted {
		return v
	}
	if latest := m.pool.snap.Load(); latest != snap && latest.closed != snap.closed {
		return shut
	}
	e.own()
	if err := w.send(m.id, e.tag, e.payload()); err != nil {
		return refusal(err)
	}
	mirrored := m.queue.push(e) // the worker may have the message already: it waits for the lock before it looks here
	now := m.pool.s.now()       // read here it costs least: meanwhile push's writes end, for which an unlock would wait
	if mirrored.queued = now; !e.counted {
		mirrored.accepted = now
	}
	m.bytes += e.size
	m.routedLocked(e) // before anybody is woken for it
	m.updateLocked()
	if e.call != nil && !e.counted {
		e.call.first = m.burden == 1
	}
	return accepted
}

// smallCopy is the size (bytes) up to which a payload is copied under the member's lock. A larger one is copied before, with
// the mailbox free, once a look has found room for it: what is refused is not copied.
const smallCopy = 512

func (m *member) look(e *entry) verdict {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.takesLocked(e)
}

// takesLocked reports whether e could be put into m's mailbox: accepted, full or going.
func (m *member) takesLocked(e *entry) verdict {
	opts := &m.pool.opts.Worker
	switch {
	case !m.routableLocked():
		return going
	case m.queue.len() >= int(opts.QueueCapacity), uint64(m.bytes)+uint64(e.size) > uint64(opts.MaxQueueBytes):
		return full
	}
	return accepted
}

// routedLocked counts and reports the acceptance of e, or its redelivery.
func (m *member) routedLocked(e *entry) {
	if e.counted {
		m.counts.recounted++
	}
	kind := PoolTaskRouted
	switch {
	case e.redeliver:
		kind = PoolTaskRedelivered
		m.counts.redelivered++
	case e.counted:
		return
	case e.leg:
		m.counts.legs++
	}
	if !m.pool.s.bus.Active() {
		return // spares building the event
	}
	m.pool.emit(Event{Kind: kind, Worker: m.id, Tag: e.tag, Key: e.key, Attempt: e.attempt})
}

// refusal says what Workers' refusal of a message means. A mailbox can be full of messages that were sent past Pool.
func refusal(err error) verdict {
	if errors.Is(err, workers.ErrWorkerQueueFull) {
		return full
	}
	return going
}
