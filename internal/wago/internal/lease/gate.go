package lease

import (
	"context"
	"sync"
	"sync/atomic"
)

// The word of a gate holds its state in the top bits and the number of entries below. Every state is reached by setting bits,
// never by clearing them.
const (
	openedBit  = uint64(1) << 61 // Open was called
	closingBit = uint64(1) << 62 // Close was called
	closedBit  = uint64(1) << 63 // and the last one has left
	stateMask  = openedBit | closingBit | closedBit
	countMask  = ^stateMask
)

// Gate admits callers while it is open and tells when the last of them has left after it was closed. The zero Gate is new:
// it admits nobody until Open. A Gate must not be copied after first use.
//
// Safe for concurrent use.
type Gate struct {
	word atomic.Uint64 // state bits and count; a refused Enter is counted for the moment it takes to find out

	once sync.Once // makes done
	done chan struct{}
}

// Enter admits the caller, who must call Leave once when it has finished. It returns [ErrClosed] when the gate is new,
// closing or closed. It never blocks.
//
// Safe for concurrent use.
func (g *Gate) Enter() error {
	if g.word.Add(1)&stateMask == openedBit {
		return nil
	}
	g.leave()
	return ErrClosed
}

// Leave ends one successful Enter. It panics when nobody is inside: some caller left twice, and the count can't be trusted.
//
// Safe for concurrent use.
func (g *Gate) Leave() { g.leave() }

func (g *Gate) leave() {
	word := g.word.Add(^uint64(0))
	if word&countMask == countMask {
		g.word.Add(1)
		panic("lease: Leave without Enter")
	}
	if word&(closingBit|closedBit|countMask) == closingBit {
		g.finish(word)
	}
}

// Open lets callers in and reports whether the gate is open now: false once Close was called, for a gate never opens twice.
//
// Safe for concurrent use.
func (g *Gate) Open() bool {
	for {
		word := g.word.Load()
		switch {
		case word&closingBit != 0:
			return false
		case word&openedBit != 0 || g.word.CompareAndSwap(word, word|openedBit):
			return true
		}
	}
}

// Close refuses every later Enter, for good. It doesn't wait for those inside: see Wait. Calling it again changes nothing.
//
// Safe for concurrent use.
func (g *Gate) Close() {
	word := g.word.Or(closingBit) | closingBit
	if word&(closedBit|countMask) == 0 {
		g.finish(word)
	}
}

// finish turns closing into closed if nobody is inside any more. A refused Enter may make the exchange fail; its own undoing
// then comes here again.
func (g *Gate) finish(word uint64) {
	if g.word.CompareAndSwap(word, word|closedBit) {
		close(g.channel())
	}
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
