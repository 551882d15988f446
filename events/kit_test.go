package events_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/JairusSW/pool/events"
)

// event is what the buses of these tests carry.
type event struct {
	Seq   uint64
	Minor bool   // expendable
	Lost  uint64 // not 0: stands for that many
	Err   error
}

type bus = events.Bus[event]

func newBus(capacity int) *bus {
	return events.New(events.Config[event]{
		Capacity:   capacity,
		Stamp:      func(e *event, seq uint64) { e.Seq = seq },
		Lost:       func(count, lastSeq uint64) event { return event{Seq: lastSeq, Lost: count} },
		Expendable: func(e *event) bool { return e.Minor },
	})
}

// tester is what testing and rapid have in common.
type tester interface {
	require.TestingT
	Helper()
}

func subscribe(t tester, b *bus, fn func(*event)) events.Subscription {
	t.Helper()
	s, err := b.Subscribe(fn)
	require.NoError(t, err)
	return s
}

func closeBus(t testing.TB, b *bus) {
	t.Helper()
	require.NoError(t, b.Close(context.Background()))
}

func publish(b *bus, n int) {
	for range n {
		b.Publish(event{})
	}
}

// record keeps what an observer was called with.
type record struct {
	mu  sync.Mutex
	got []event
}

func (r *record) observe(e *event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = append(r.got, *e)
}

// events returns what has been recorded once the bubble is idle.
func (r *record) events() []event {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]event(nil), r.got...)
}

// gated is an observer that records an event as its callback begins, and returns once for each permit.
type gated struct {
	record
	permit chan struct{}
}

func newGated() *gated { return &gated{permit: make(chan struct{})} }

func (g *gated) observe(e *event) {
	g.record.observe(e)
	<-g.permit
}

// open lets all callbacks return, from now on.
func (g *gated) open() { close(g.permit) }

// run returns the events numbered first to last.
func run(first, last uint64) []event {
	var es []event
	for seq := first; seq <= last; seq++ {
		es = append(es, event{Seq: seq})
	}
	return es
}

// lost returns the event that stands for count missing ones.
func lost(count, lastSeq uint64) []event { return []event{{Seq: lastSeq, Lost: count}} }

func join(parts ...[]event) []event {
	var es []event
	for _, p := range parts {
		es = append(es, p...)
	}
	return es
}

// account checks that an observer is told of each number once and in order, as an event or as lost.
type account struct{ last, received, lost uint64 }

func (a *account) add(e *event) (ok bool) {
	if e.Lost > 0 {
		a.lost += e.Lost
		ok = e.Seq == a.last+e.Lost
	} else {
		a.received++
		ok = e.Seq == a.last+1
	}
	a.last = e.Seq
	return ok
}
