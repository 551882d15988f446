package events

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"
)

// closeGrace is how long Close waits for stuck callbacks when its context has no deadline.
const closeGrace = time.Second

// Close ends every subscription and all publishing, and waits for the callbacks in flight until ctx ends; without a
// deadline in ctx, 1 s at most. What is queued is thrown away. A nil error means that no goroutine of the bus is left.
//
// The error joins a *StuckError for each callback that hasn't returned, those whose subscription had ended before
// included, and a *CallbackError for each subscription (of the first 16) whose callbacks panicked or ended their
// goroutine since New. From inside a callback, Close doesn't wait for that one, nor for one that waits for it: their
// StuckError says ErrInsideCallback. Close may be called again, to wait on; failures are reported once.
//
// Errors: ErrCallbackStuck, ErrCallbackFailed.
//
// Safe for concurrent use.
func (b *Bus[E]) Close(ctx context.Context) error {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, closeGrace)
		defer cancel()
	}
	running := b.shut()
	for _, o := range running {
		b.end(o)
	}
	var errs []error
	for _, o := range running {
		if err := b.await(ctx, o); err != nil {
			errs = append(errs, &StuckError{Subscription: o.token, Func: o.name(), Cause: err})
		}
	}
	return errors.Join(append(errs, b.failures.take()...)...)
}

// shut lets nobody subscribe any more and returns the observers that run, the oldest first.
func (b *Bus[E]) shut() []*observer[E] {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	running := make([]*observer[E], 0, len(b.running))
	for _, o := range b.running {
		running = append(running, o)
	}
	slices.SortFunc(running, func(x, y *observer[E]) int { return cmp.Compare(x.token.id, y.token.id) })
	return running
}
