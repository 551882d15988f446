package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/JairusSW/pool/events"
	"github.com/wago-org/workers"
)

// Pools implements Service over the Workers plugin.
//
// Safe for concurrent use.
type Pools struct {
	// set once
	ref    Lease
	open   openLease // ref, if it can be entered without a callback; else nil
	limits Limits
	bus    *events.Bus[Event]
	epoch  time.Time

	// have locks of their own
	index   index   // the members by worker
	nursery nursery // workers that have been started and are no members yet

	tokens sync.Pool // channels of calls whose waiters slept; empty

	phase     atomic.Uint32
	pools     atomic.Pointer[map[ID]*pool] // replaced, never changed; written under mu
	exitCount atomic.Uint64                // workers of the process that have ended
	exitedAt  atomic.Int64                 // when a worker of the process ended last, on this service's clock; 0: none has
	drains    atomic.Uint64                // drains that are over
	hungry    atomic.Int32                 // pools that a ceiling keeps small, and elastic ones: a worker's end wakes them
	keepers   sync.WaitGroup               // one goroutine per pool

	shareMu sync.Mutex // makes the sizing of all elastic pools one decision; outermost

	mu        sync.Mutex   // guards what follows; innermost
	lingering map[ID]*pool // pools that are gone for callers, but for their last workers
	lastID    ID
	places    uint32 // pools that count under MaxPools
	workers   uint32 // workers that count under MaxTotalWorkers
	messages  workers.Subscription
	exits     workers.Subscription
}

var _ Service = (*Pools)(nil)

// The phases of a Pools.
const (
	phaseInactive uint32 = iota
	phaseActive
	phaseClosed
)

// New returns a service that answers ErrPoolsInactive until Start. Zero limits mean their defaults.
func New(ref Lease, limits Limits) *Pools {
	s := &Pools{ref: ref, limits: limits.normalize(), epoch: time.Now(), lingering: make(map[ID]*pool)}
	s.open, _ = ref.(openLease)
	s.pools.Store(&map[ID]*pool{})
	s.bus = events.New(events.Config[Event]{
		Stamp: func(e *Event, seq uint64) { e.Seq, e.Time = seq, time.Now() },
		Lost: func(count, lastSeq uint64) Event {
			return Event{Kind: PoolEventsLost, Count: count, Seq: lastSeq, Time: time.Now()}
		},
		Expendable: func(e *Event) bool { return e.Kind.expendable() },
	})
	return s
}

// Start subscribes to Workers and opens the service. Again it changes nothing; after Stop it returns ErrPoolsClosed. Not safe for
// concurrent use with itself.
func (s *Pools) Start(context.Context) error {
	if err := s.active(); err != ErrPoolsInactive {
		return err
	}
	return s.lease(func(w port) error {
		exits, err := w.ObserveExits(s.onExit)
		if err != nil {
			return fmt.Errorf("pool: observing exits: %w", err)
		}
		messages, err := w.ObserveMessages(s.onMessage)
		if err != nil {
			_ = w.Unsubscribe(exits) // the error that matters is the first
			return fmt.Errorf("pool: observing messages: %w", err)
		}
		if err := s.openWith(exits, messages); err != nil {
			return errors.Join(err, w.Unsubscribe(exits), w.Unsubscribe(messages))
		}
		return nil
	})
}

// openWith opens the service, unless it was stopped meanwhile.
func (s *Pools) openWith(exits, messages workers.Subscription) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.phase.CompareAndSwap(phaseInactive, phaseActive) {
		return ErrPoolsClosed
	}
	s.exits, s.messages = exits, messages
	return nil
}

// Stop destroys the pools that are left, ends every wait, and waits until ctx ends for their workers and for the observers to
// have what is queued; without a deadline 2 s and 1 s. What remains then is named in the error.
func (s *Pools) Stop(ctx context.Context) error {
	if s.shut() != phaseActive {
		return s.bus.Close(ctx)
	}
	s.endAll(ErrPoolsClosed, ReasonServiceStopped)
	err := waitGone(ctx, s.lingerers(), destroyWait)
	s.keepers.Wait()
	return errors.Join(err, s.unsubscribe(), s.closeBus(ctx))
}

// shut closes the service and returns the phase it was in. No pool is enlisted from then on.
func (s *Pools) shut() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.phase.Swap(phaseClosed)
}

// observerGrace is how long Stop waits for observers when its context has no deadline.
const observerGrace = time.Second

// closeBus lets the observers have what is queued, the ends of their pools, and then ends them.
func (s *Pools) closeBus(ctx context.Context) error {
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, observerGrace)
		defer cancel()
	}
	_ = s.bus.Flush(ctx) // Close names those that did not keep up
	return s.bus.Close(ctx)
}

func (s *Pools) unsubscribe() error {
	s.mu.Lock()
	subscriptions := [...]workers.Subscription{s.messages, s.exits}
	s.mu.Unlock()
	return s.lease(func(w port) error {
		var errs []error
		for _, subscription := range subscriptions {
			if err := w.Unsubscribe(subscription); err != nil {
				errs = append(errs, fmt.Errorf("pool: unsubscribing from Workers: %w", err))
			}
		}
		return errors.Join(errs...)
	})
}

// active is the preamble of every method.
func (s *Pools) active() error {
	switch s.phase.Load() {
	case phaseInactive:
		return ErrPoolsInactive
	case phaseClosed:
		return ErrPoolsClosed
	}
	return nil
}

// find is the preamble of every method that takes a pool's id.
func (s *Pools) find(id ID) (*pool, error) {
	if err := s.active(); err != nil {
		return nil, err
	}
	if p := (*s.pools.Load())[id]; p != nil {
		return p, nil
	}
	return nil, ErrPoolNotFound
}

// all returns every pool, by id.
func (s *Pools) all() []*pool {
	byID := func(a, b *pool) int { return cmp.Compare(a.id, b.id) }
	return slices.SortedFunc(maps.Values(*s.pools.Load()), byID)
}

// List implements Service.
func (s *Pools) List() []ID {
	if s.active() != nil {
		return nil
	}
	pools := s.all()
	ids := make([]ID, len(pools))
	for i, p := range pools {
		ids[i] = p.id
	}
	return ids
}

// ObserveEvents implements Service.
func (s *Pools) ObserveEvents(fn func(*Event)) (EventSubscription, error) {
	if err := s.active(); err != nil {
		return EventSubscription{}, err
	}
	sub, err := s.bus.Subscribe(fn)
	if err == events.ErrClosed {
		err = ErrPoolsClosed
	}
	return sub, err
}

// UnsubscribeEvents implements Service.
func (s *Pools) UnsubscribeEvents(sub EventSubscription) error {
	if err := s.active(); err != nil {
		return err
	}
	return s.bus.Unsubscribe(sub)
}

// now is the service's clock: nanoseconds since it was made, monotonic.
func (s *Pools) now() int64 { return int64(time.Since(s.epoch)) }

// emit publishes an event of p; callers hold the lock of what it reports.
func (p *pool) emit(e Event) {
	if p.s.bus.Active() {
		e.Pool = p.id
		p.s.bus.Publish(e)
	}
}
