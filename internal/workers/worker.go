package workers

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	wago "github.com/wago-org/wago"
)

// worker is one guest function on its way.
type worker struct {
	// What every send looks at comes first, and fits into a cache line.
	mu      sync.Mutex
	box     mailbox       // guarded by mu
	shut    bool          // guarded by mu: takes no more messages: it was told to stop, its retirement is complete, or it has ended
	waiting bool          // guarded by mu: a dispatch found nothing and sleeps, or soon will
	options WorkerOptions // set once

	// Set once.
	service  *Workers
	id       WorkerID
	creator  wago.InstanceIdentity
	instance *wago.ManagedInstance
	entry    uint32
	ctx      context.Context         // ends when the guest is to be interrupted
	cancel   context.CancelCauseFunc // with the stop's cause
	wake     chan struct{}           // holds one token: the dispatch that waits should look again
	told     chan struct{}           // closed when the worker is told to stop or has ended
	done     chan struct{}           // closed last of all

	cause    error         // guarded by mu: why it was told to stop; the first stays
	failed   bool          // guarded by mu: the cause is its own failure, not somebody's wish
	retiring bool          // guarded by mu: the next dispatch that finds nothing is the last
	ended    bool          // guarded by mu: the entry has ended
	grace    *time.Timer   // guarded by mu: interrupts at deadline; nil before the stop and after an interrupt
	deadline time.Time     // guarded by mu
	watched  chan struct{} // guarded by mu: closed when the watcher of Closing has gone; nil without one

	dispatch dispatchState
	message  MessageContext              // owned by the dispatch in progress
	inside   [2]atomic.Pointer[observer] // the message and the exit observer being called

	_ [16]byte // five cache lines, so that no two workers have one in common
}

func newWorker(s *Workers, id WorkerID, f forked, options WorkerOptions) *worker {
	w := &worker{
		service:  s,
		id:       id,
		creator:  f.creator,
		instance: f.instance,
		entry:    f.entry,
		options:  options,
		wake:     make(chan struct{}, 1),
		told:     make(chan struct{}),
		done:     make(chan struct{}),
	}
	w.ctx, w.cancel = context.WithCancelCause(context.Background())
	w.dispatch.idle = make(chan struct{})
	return w
}

// wakeLocked makes a dispatch that waits look again.
func (w *worker) wakeLocked() {
	if !w.waiting {
		return
	}
	w.waiting = false
	select {
	case w.wake <- struct{}{}:
	default: // a token is there already
	}
}
