package lease

import (
	"context"
	"sync"
	"sync/atomic"
	"unsafe"
)

// The states of a gate, in the order in which it goes through them.
const (
	stateNew uint32 = iota
	stateOpen
	stateClosing
	stateClosed
)

// Gate admits callers while it is open and tells when the last of them has left after it was closed. The zero Gate is new:
// it admits nobody until Open. A Gate must not be copied after first use.
//
// Safe for concurrent use.
type Gate struct {
	state atomic.Uint32

	once sync.Once // makes done
	done chan struct{}

	// Entries less leaves. Each goroutine counts in a stripe of its own, as a rule, so that cores that enter and leave all the
	// time don't take a cache line from each other. Only the sum means something: who entered in one stripe may leave in another.
	inside [stripes]stripe
}

const (
	stripeBits = 4
	stripes    = 1 << stripeBits
)

// stripe is a count that shares no cache line with another, the one that processors fetch along with a line included, nor with
// the state.
type stripe struct {
	_ [64]byte
	n atomic.Int64
	_ [56]byte
}

// Enter admits the caller, who must call Leave once when it has finished. It returns [ErrClosed] when the gate is new,
// closing or closed. It never blocks.
//
// Safe for concurrent use.
func (g *Gate) Enter() error {
	s := g.stripe()
	s.n.Add(1)
	if g.state.Load() == stateOpen {
		return nil
	}
	s.n.Add(-1) // in the same stripe: whoever adds them up meanwhile may find one too many, never one too few
	g.settle()
	return ErrClosed
}

// Leave ends one successful Enter. A Leave too many is a mistake: it panics if the gate is not open and nobody is inside, and makes
// the count wrong else, so that the gate may close while somebody is.
//
// Safe for concurrent use.
func (g *Gate) Leave() {
	s := g.stripe()
	s.n.Add(-1)
	if g.state.Load() == stateOpen {
		return
	}
	if g.sum() < 0 {
		s.n.Add(1)
		panic("lease: Leave without Enter")
	}
	g.settle()
}

// stripe returns where the calling goroutine counts. Goroutines are told apart by where their stacks are.
func (g *Gate) stripe() *stripe {
	const (
		page   = 12                 // lower bits of an address, which change within a stack
		golden = 0x9e3779b97f4a7c15 // spreads the upper ones (Knuth: multiplicative hashing)
	)
	var here byte
	at := uint64(uintptr(unsafe.Pointer(&here)))
	return &g.inside[(at>>page)*golden>>(64-stripeBits)]
}

// sum adds the stripes up. Once the gate is not open every entry that was admitted is in the sum, and a leave is in it if it
// was over when the sum began: it is never too small.
func (g *Gate) sum() (n int64) {
	for i := range g.inside {
		n += g.inside[i].n.Load()
	}
	return n
}

// settle turns closing into closed if nobody is inside any more. Whoever leaves or is refused after Close comes here, so the
// last of them finds nobody.
func (g *Gate) settle() {
	if g.state.Load() == stateClosing && g.sum() <= 0 && g.state.CompareAndSwap(stateClosing, stateClosed) {
		close(g.channel())
	}
}

// Open lets callers in and reports whether the gate is open now: false once Close was called, for a gate never opens twice.
//
// Safe for concurrent use.
func (g *Gate) Open() bool {
	return g.state.CompareAndSwap(stateNew, stateOpen) || g.state.Load() == stateOpen
}

// Close refuses every later Enter, for good. It doesn't wait for those inside: see Wait. Calling it again changes nothing.
//
// Safe for concurrent use.
func (g *Gate) Close() {
	if !g.state.CompareAndSwap(stateOpen, stateClosing) && !g.state.CompareAndSwap(stateNew, stateClosing) {
		g.state.CompareAndSwap(stateOpen, stateClosing) // it was opened between the two
	}
	g.settle()
}

// Done returns a channel that is closed once Close was called and everyone has left.
//
// Safe for concurrent use.
func (g *Gate) Done() <-chan struct{} { return g.channel() }

func (g *Gate) channel() chan struct{} {
	g.once.Do(func() { g.done = make(chan struct{}) })
	return g.done
}

// Wait blocks until Close was called and everyone has left, then returns nil; a gate that is closed already gives nil
// whatever ctx says. If ctx ends first it returns ctx.Err() and the gate stays as it is. The caller must not be inside.
//
// Safe for concurrent use.
func (g *Gate) Wait(ctx context.Context) error {
	select {
	case <-g.Done():
		return nil
	default:
	}
	select {
	case <-g.Done():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
