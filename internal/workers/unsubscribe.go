package workers

import (
	"reflect"
	"runtime"
)

// Unsubscribe ends a subscription and waits for its callbacks in progress: see [Service]. Callers at the same time all wait.
//
// An observer's callback, of this subscription or another, may call it too, but never waits for a callback: if any of the
// subscription is in progress, its own included, the error is ErrInsideCallback. Then none begins after the return, and what
// is in progress ends by itself.
//
// Safe for concurrent use.
func (s *Workers) Unsubscribe(subscription Subscription) error {
	if s.manager == nil {
		return ErrWorkersInactive
	}
	if !s.observers.issuer.Issued(subscription) {
		return ErrUnknownSubscription
	}
	o := s.observers.remove(subscription)
	if o == nil {
		return nil
	}
	for _, w := range s.everyone() {
		if !w.calls(o) {
			continue
		}
		if insideCallback() {
			return ErrInsideCallback
		}
		o.awaitLeave(w)
	}
	s.observers.settled(o)
	return nil
}

func (o *observer) awaitLeave(w *worker) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for w.calls(o) {
		o.left.Wait()
	}
}

// The two places of a worker from which observers are called.
const (
	insideMessage = iota
	insideExit
)

// enter announces that the worker calls the observer, unless that has been removed. Announcing first and asking second is
// what lets Unsubscribe do the reverse, with no count that all workers would share.
func (w *worker) enter(place int, o *observer) bool {
	w.inside[place].Store(o)
	if o.removed.Load() {
		w.leave(place)
		return false
	}
	return true
}

// leave announces that the worker calls nobody.
func (w *worker) leave(place int) {
	o := w.inside[place].Load()
	if o == nil {
		return
	}
	w.inside[place].Store(nil)
	if o.removed.Load() {
		o.mu.Lock()
		o.left.Broadcast()
		o.mu.Unlock()
		w.service.settle(o)
	}
}

func (w *worker) calls(o *observer) bool {
	return w.inside[insideMessage].Load() == o || w.inside[insideExit].Load() == o
}

// settle forgets the observer if it was the last call of it that ended: nobody may be waiting.
func (s *Workers) settle(o *observer) {
	for _, w := range s.everyone() {
		if w.calls(o) {
			return
		}
	}
	s.observers.settled(o)
}

// callbackFrames are the functions that observers are called from.
var callbackFrames = map[string]bool{
	functionName((*worker).deliver):   true,
	functionName((*worker).tellExits): true,
}

func functionName(fn any) string { return runtime.FuncForPC(reflect.ValueOf(fn).Pointer()).Name() }

// insideCallback reports whether the calling goroutine is inside an observer.
func insideCallback() bool {
	pcs := make([]uintptr, 64)
	n := runtime.Callers(1, pcs)
	for n == len(pcs) {
		pcs = make([]uintptr, 2*len(pcs))
		n = runtime.Callers(1, pcs)
	}
	frames := runtime.CallersFrames(pcs[:n])
	for {
		frame, more := frames.Next()
		if callbackFrames[frame.Function] {
			return true
		}
		if !more {
			return false
		}
	}
}
