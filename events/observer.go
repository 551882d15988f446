package events

import (
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
)

// observer is one subscription: its queue, and the goroutine that empties it.
//
// Safe for concurrent use, but for run and what it calls, which belong to the observer's goroutine.
type observer[E any] struct {
	// set once
	bus   *Bus[E]
	token Subscription
	fn    func(*E)
	done  chan struct{} // closed when the goroutine has ended

	// guarded by bus.mu
	waitsFor *observer[E] // whose end this observer's callback is waiting for

	// guarded by mu
	mu       sync.Mutex
	queue    queue[E]
	calling  bool // an event is out of the queue and its callback hasn't returned
	ended    bool
	flushers []chan struct{} // close when the queue has run empty
	wake     sync.Cond       // the queue isn't empty, or ended

	goroutine atomic.Uint64 // the id of the goroutine that calls fn

	// the goroutine's own: what fn is called with next
	event E
	lost  uint64 // if not 0, that many events, the last numbered seq, instead of event
	seq   uint64
}

// newObserver returns the next subscription of b. The caller holds b.mu.
func newObserver[E any](b *Bus[E], fn func(*E)) *observer[E] {
	o := &observer[E]{
		bus:   b,
		token: b.issuer.issue(),
		fn:    fn,
		done:  make(chan struct{}),
		queue: queue[E]{capacity: b.config.Capacity, seq: b.seq},
	}
	o.wake.L = &o.mu
	return o
}

// offer queues a copy of e, or loses it.
func (o *observer[E]) offer(e *E) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.queue.offer(e, o.bus.config.Expendable)
	o.wake.Signal()
}

// end has the goroutine stop before the next event, and drops what is queued. Nothing may be offered after it.
func (o *observer[E]) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = true
	o.queue = queue[E]{}
	o.wake.Signal()
}

// inFlight reports whether a callback has begun and not returned. After end, no report means that none will begin.
func (o *observer[E]) inFlight() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.calling
}

// run delivers until the observer is ended. A callback that ends the goroutine gets a new one for the next event.
func (o *observer[E]) run() {
	o.goroutine.Store(goroutineID())
	defer func() {
		if o.returned() {
			o.bus.gone(o)
			return
		}
		go o.run()
	}()
	for o.next() {
		o.deliver()
	}
}

// next waits for an entry of the queue and takes it. It reports false when the observer has ended.
func (o *observer[E]) next() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.calling = false
	for !o.ended {
		lost, ok := o.queue.take(&o.event)
		switch {
		case !ok:
			o.releaseFlushersLocked()
			o.wake.Wait()
		case lost == 0 || o.bus.config.Lost != nil:
			o.lost, o.seq = lost, o.queue.seq
			o.calling = true
			return true
		}
	}
	o.releaseFlushersLocked()
	return false
}

// returned notes that no callback runs, and reports whether the observer has ended.
func (o *observer[E]) returned() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.calling = false
	if o.ended {
		o.releaseFlushersLocked()
	}
	return o.ended
}

// deliver calls fn with what next took. A panic of fn ends here; runtime.Goexit unwinds on, into run.
func (o *observer[E]) deliver() {
	returned := false
	defer func() {
		if !returned {
			o.bus.failures.add(o.token, o.name(), recover())
		}
		o.event = *new(E) // what the event points to isn't ours to keep
	}()
	if o.lost > 0 {
		o.event = o.bus.config.Lost(o.lost, o.seq)
	}
	o.fn(&o.event)
	returned = true
}

// name is fn's name in the program.
func (o *observer[E]) name() string {
	if f := runtime.FuncForPC(reflect.ValueOf(o.fn).Pointer()); f != nil {
		return f.Name()
	}
	return "unknown function"
}
