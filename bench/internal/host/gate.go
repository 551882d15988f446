package host

import (
	"context"
	"sync/atomic"
)

// gate is where workers wait until it is opened.
//
// Safe for concurrent use, but for swing.
type gate struct {
	current atomic.Pointer[chan struct{}] // closed when it opens; nil: open
	waiting chan struct{}                 // one for each worker that has come to the gate
}

// swing shuts the gate, or has it be shut again for those who come next, and lets those go who wait.
func (g *gate) swing() {
	next := make(chan struct{})
	if old := g.current.Swap(&next); old != nil {
		close(*old)
	}
}

// open opens the gate for everybody.
func (g *gate) open() {
	if old := g.current.Swap(nil); old != nil {
		close(*old)
	}
}

// pass waits at the gate; false when it never opened.
func (g *gate) pass(stopping <-chan struct{}) bool {
	shut := g.current.Load()
	g.waiting <- struct{}{}
	if shut == nil {
		return true
	}
	select {
	case <-*shut:
		return true
	case <-stopping:
		return false
	}
}

// await waits until so many have come to the gate.
func (g *gate) await(ctx context.Context, n uint32) error {
	for range n {
		select {
		case <-g.waiting:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
