package events_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/JairusSW/pool/events"
)

// The model is the documentation of the bus in its plainest words, for observers that return when they are told to. A
// machine does the same to both and compares what each observer was called with.

func TestBusBehavesAsItsModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rapid.Check(struct{ rapid.TB }{t}, checkModel) // rapid asks a *testing.T for its deadline, which a bubble refuses
	})
}

// FuzzBusBehavesAsItsModel has the fuzzer choose what is done: a byte is a choice.
func FuzzBusBehavesAsItsModel(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 16 {
		text := make([]byte, 20*(n+1))
		for i := range text {
			text[i] = byte(random.Uint32())
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		synctest.Test(t, func(t *testing.T) { rapid.MakeFuzz(checkModel)(t, drawn(text)) })
	})
}

// drawn makes bytes what rapid draws: a word of eight for each choice, large where the byte is. Where the same byte comes again
// and again the choice changes now and then, because rapid gives up where nothing can be done. Zeros at the end are the
// plainest choices, among them that it is enough.
func drawn(text []byte) []byte {
	var words []byte
	for i, b := range text {
		words = append(words, bytes.Repeat([]byte{b + 37*byte(i/8)}, 8)...)
	}
	return append(words, make([]byte, 8*60)...)
}

func checkModel(t *rapid.T) {
	capacity := rapid.IntRange(1, 20).Draw(t, "capacity")
	m := &machine{bus: newBus(capacity), model: model{capacity: capacity}}
	defer m.stop(t)
	t.Repeat(map[string]func(*rapid.T){
		"":            m.compare,
		"publish":     m.publish,
		"subscribe":   m.subscribe,
		"return":      m.letReturn,
		"drain":       m.drain,
		"unsubscribe": m.unsubscribe,
	})
}

// model is the bus without its goroutines.
type model struct {
	capacity int
	seq      uint64
	subs     []*modelSub
}

type modelSub struct {
	pending []event // what waits, gaps included
	got     []event // what the observer was called with
	busy    bool    // it hasn't returned
	ended   bool
}

func (m *model) publish(minor bool) {
	if !slices.ContainsFunc(m.subs, func(s *modelSub) bool { return !s.ended }) {
		return
	}
	m.seq++
	for _, s := range m.subs {
		if !s.ended {
			s.offer(event{Seq: m.seq, Minor: minor}, m.capacity)
			s.take()
		}
	}
}

func (s *modelSub) offer(e event, capacity int) {
	waiting := 0
	for _, p := range s.pending {
		if p.Lost == 0 {
			waiting++
		}
	}
	full, nearlyFull := waiting == capacity, 8*waiting >= 7*capacity
	switch last := len(s.pending) - 1; {
	case !full && !(nearlyFull && e.Minor):
		s.pending = append(s.pending, e)
	case last >= 0 && s.pending[last].Lost > 0:
		s.pending[last].Lost++
		s.pending[last].Seq = e.Seq
	default:
		s.pending = append(s.pending, event{Seq: e.Seq, Lost: 1})
	}
}

func (s *modelSub) take() {
	if !s.busy && len(s.pending) > 0 {
		s.got = append(s.got, s.pending[0])
		s.pending = s.pending[1:]
		s.busy = true
	}
}

// machine drives a bus and its model.
type machine struct {
	bus   *bus
	model model
	subs  []*realSub // beside model.subs
}

type realSub struct {
	*gated
	token  events.Subscription
	ending []chan error // calls of Unsubscribe that must not have returned
}

func (m *machine) publish(t *rapid.T) {
	minor := rapid.Bool().Draw(t, "minor")
	for range rapid.IntRange(1, 6).Draw(t, "times") {
		m.bus.Publish(event{Minor: minor})
		m.model.publish(minor)
		synctest.Wait() // an observer that was idle has taken the event
	}
}

func (m *machine) subscribe(t *rapid.T) {
	if len(m.subs) == 6 {
		t.Skip("enough")
	}
	s := &realSub{gated: newGated()}
	s.token = subscribe(t, m.bus, s.observe)
	m.subs = append(m.subs, s)
	m.model.subs = append(m.model.subs, &modelSub{})
}

func (m *machine) letReturn(t *rapid.T) { m.step(t, m.draw(t)) }

func (m *machine) drain(t *rapid.T) {
	for i := m.draw(t); m.model.subs[i].busy; {
		m.step(t, i)
	}
}

func (m *machine) draw(t *rapid.T) int {
	if len(m.subs) == 0 {
		t.Skip("nobody")
	}
	return rapid.IntRange(0, len(m.subs)-1).Draw(t, "subscription")
}

// step lets the callback in flight return.
func (m *machine) step(t *rapid.T, i int) {
	real, plain := m.subs[i], m.model.subs[i]
	if !plain.busy {
		return
	}
	real.permit <- struct{}{}
	plain.busy = false
	plain.take()
	synctest.Wait()
	for _, returned := range real.ending {
		require.Len(t, returned, 1, "Unsubscribe still waits")
		require.NoError(t, <-returned)
	}
	real.ending = nil
}

func (m *machine) unsubscribe(t *rapid.T) {
	i := m.draw(t)
	real, plain := m.subs[i], m.model.subs[i]
	plain.ended, plain.pending = true, nil
	returned := make(chan error, 1)
	go func() { returned <- m.bus.Unsubscribe(real.token) }()
	synctest.Wait()
	if plain.busy {
		real.ending = append(real.ending, returned)
		return
	}
	require.Len(t, returned, 1, "Unsubscribe waits for nothing")
	require.NoError(t, <-returned)
}

func (m *machine) compare(t *rapid.T) {
	live := false
	for i, s := range m.subs {
		plain := m.model.subs[i]
		live = live || !plain.ended
		require.Equal(t, plain.got, s.events(), "subscription %d", i)
		for _, returned := range s.ending {
			require.Empty(t, returned, "Unsubscribe returned before the callback")
		}
	}
	require.Equal(t, live, m.bus.Active())
}

// stop leaves no goroutine behind, also after a failure.
func (m *machine) stop(t *rapid.T) {
	for _, s := range m.subs {
		s.open()
	}
	if err := m.bus.Close(context.Background()); err != nil {
		panic(fmt.Sprint("closing an idle bus: ", err))
	}
}
