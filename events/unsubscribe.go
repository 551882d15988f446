package events

import (
	"context"
	"fmt"
)

// Unsubscribe ends a subscription: what is queued for it is thrown away, and the callback in flight is waited for,
// however long it takes. When Unsubscribe has returned nil, no callback of the subscription runs or will. That holds for
// every caller, also for one that comes second, and after Close. A subscription that has ended is no error.
//
// From inside the subscription's own callback there is nothing to wait for: ErrInsideCallback at once, and the
// subscription ends when the callback does. Callbacks that end each other's subscriptions, in a ring of any length,
// would wait for ever: the call that would close the ring gets an error that wraps ErrInsideCallback instead, and
// what it named ends when its callback does. 'Inside' means the goroutine of the callback: one that the callback
// started waits like any other, and so must not be waited for by the callback.
//
// Errors: ErrUnknownSubscription, ErrInsideCallback.
//
// Safe for concurrent use.
func (b *Bus[E]) Unsubscribe(s Subscription) error {
	o, err := b.find(s)
	if o == nil {
		return err
	}
	b.end(o)
	return b.await(context.Background(), o)
}

// await waits for the goroutine of o, which must have been ended. While a callback is in flight it gives up with the
// cause of ctx; it refuses with ErrInsideCallback to wait for a callback that waits for the caller.
func (b *Bus[E]) await(ctx context.Context, o *observer[E]) error {
	if !o.inFlight() {
		<-o.done // no callback will begin: this is prompt, whatever ctx says
		return nil
	}
	caller, err := b.startWaiting(o)
	if err != nil {
		return err
	}
	defer b.stopWaiting(caller)
	select {
	case <-o.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// startWaiting notes that the calling goroutine waits for o, if it is an observer's; it returns that observer. It
// refuses if o is the caller, or waits for it, directly or through others.
func (b *Bus[E]) startWaiting(o *observer[E]) (caller *observer[E], err error) {
	id := goroutineID()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range b.running {
		if r.goroutine.Load() == id {
			caller = r
		}
	}
	if caller == nil {
		return nil, nil
	}
	if caller == o {
		return nil, ErrInsideCallback
	}
	for w := o.waitsFor; w != nil; w = w.waitsFor {
		if w == caller {
			return nil, fmt.Errorf("%w: %v is waiting for %v", ErrInsideCallback, o.token, caller.token)
		}
	}
	caller.waitsFor = o
	return caller, nil
}

// stopWaiting undoes startWaiting. A caller that is no observer has nothing to undo.
func (b *Bus[E]) stopWaiting(caller *observer[E]) {
	if caller == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	caller.waitsFor = nil
}
