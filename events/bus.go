package events

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Bus hands each published event to every subscription, in one order. Make one with [New].
//
// Safe for concurrent use.
type Bus[E any] struct {
	// set once
	config Config[E]

	// failures has a lock of its own.
	failures failures

	// live is len(observers); Publish looks at it without the lock.
	live atomic.Int32

	// mu makes numbering an event and queueing it everywhere one step. It guards what follows.
	mu        sync.Mutex
	closed    bool
	seq       uint64                  // of the last event published
	event     E                       // the event being published: a local would be allocated for each
	issuer    *issuer                 // also the bus's identity in its tokens
	observers []*observer[E]          // that get events, in order of subscription
	running   map[uint64]*observer[E] // that have a goroutine, ended ones included, by id
}

// New returns a bus without subscriptions. It starts no goroutine; Close it when there were subscriptions.
//
// Safe for concurrent use.
func New[E any](c Config[E]) *Bus[E] {
	return &Bus[E]{
		config:  c.normalize(),
		issuer:  new(issuer),
		running: make(map[uint64]*observer[E]),
	}
}

// Active reports whether anybody is subscribed, at the price of one atomic load: ask before building an event that is
// costly to build.
//
// Safe for concurrent use.
func (b *Bus[E]) Active() bool { return b.live.Load() > 0 }

// Publish numbers e and queues a copy for every subscription. It never waits for an observer, calls none, and doesn't
// allocate, but for queues that fill further than ever before. It may be called with the caller's locks held, even
// those that observers take, and from observers.
//
// The numbers rise by one from 1 and count the events published while anybody was subscribed; any other costs one
// atomic load and gets no number. A subscription has every event whose Publish began after Subscribe had returned:
// received or, by number and place, reported lost.
//
// Safe for concurrent use.
func (b *Bus[E]) Publish(e E) {
	if b.Active() {
		b.publish(e)
	}
}

func (b *Bus[E]) publish(e E) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.observers) == 0 {
		return
	}
	b.seq++
	b.event = e
	if b.config.Stamp != nil {
		b.config.Stamp(&b.event, b.seq)
	}
	for _, o := range b.observers {
		o.offer(&b.event)
	}
	b.event = *new(E) // what the event points to isn't ours to keep
}

// Subscribe has fn called for every event published from now on, in order, one at a time, on a goroutine of the
// subscription. The event is reused for the next one: copy what is to be kept. fn may do what it likes: take its time,
// call the bus, panic or end its goroutine; the last two are counted, reported by Close, and the next event
// follows. The subscription lasts until Unsubscribe or Close.
//
// Errors: ErrNilObserver, ErrClosed.
//
// Safe for concurrent use.
func (b *Bus[E]) Subscribe(fn func(*E)) (Subscription, error) {
	if fn == nil {
		return Subscription{}, ErrNilObserver
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return Subscription{}, ErrClosed
	}
	o := newObserver(b, fn)
	b.running[o.token.id] = o
	b.observers = append(b.observers, o)
	b.live.Store(int32(len(b.observers)))
	go o.run()
	return o.token, nil
}

// find returns the observer of s while its goroutine runs, and after that nil. The token must be one of ours.
func (b *Bus[E]) find(s Subscription) (*observer[E], error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.issuer.issued(s) {
		return nil, ErrUnknownSubscription
	}
	return b.running[s.id], nil
}

// end takes o off the bus: no event reaches it any more. Ending it again changes nothing.
func (b *Bus[E]) end(o *observer[E]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.Index(b.observers, o); i >= 0 {
		b.observers = slices.Delete(b.observers, i, i+1)
		b.live.Store(int32(len(b.observers)))
	}
	o.end()
}

// gone is the last thing that the goroutine of o does.
func (b *Bus[E]) gone(o *observer[E]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.running, o.token.id)
	close(o.done)
}
