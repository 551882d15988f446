package events

import "context"

// Flush waits until every subscription has been called with all that was published before Flush, or has ended, or until ctx
// ends; then it returns the cause. From inside a callback it doesn't wait for that callback's own subscription.
//
// Safe for concurrent use.
func (b *Bus[E]) Flush(ctx context.Context) error {
	for _, caughtUp := range b.flushing() {
		select {
		case <-caughtUp:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// flushing returns a channel for each subscription but the caller's own, which closes when that one has caught up.
func (b *Bus[E]) flushing() []<-chan struct{} {
	id := goroutineID()
	b.mu.Lock()
	defer b.mu.Unlock()
	channels := make([]<-chan struct{}, 0, len(b.observers))
	for _, o := range b.observers {
		if o.goroutine.Load() != id {
			channels = append(channels, o.caughtUp())
		}
	}
	return channels
}

// caughtUp returns a channel that closes when the observer next finds its queue empty, or has ended.
func (o *observer[E]) caughtUp() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	caughtUp := make(chan struct{})
	o.flushers = append(o.flushers, caughtUp)
	o.wake.Signal()
	return caughtUp
}

// releaseFlushersLocked tells those who flush that nothing is left to deliver.
func (o *observer[E]) releaseFlushersLocked() {
	for _, caughtUp := range o.flushers {
		close(caughtUp)
	}
	o.flushers = nil
}
