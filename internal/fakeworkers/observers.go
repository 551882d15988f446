package fakeworkers

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/wago-org/workers"
)

// observer is one subscription.
type observer struct {
	// set once; one of the two functions
	token   workers.Subscription
	message func(*workers.MessageContext) error
	exit    func(*workers.WorkerExitContext)

	// guarded by observers.mu
	removed bool
	inside  int           // callbacks in progress
	idle    chan struct{} // closed when there are none any more; nil while nobody waits for that
}

// observers are the subscriptions of a fake, oldest first.
//
// Safe for concurrent use.
type observers struct {
	issuer workers.SubscriptionIssuer

	mu    sync.Mutex // guards what follows; innermost
	all   []*observer
	known map[workers.Subscription]*observer // those of all, and those removed that are still being called
}

// ObserveMessages calls fn for every message of every worker.
func (p plain) ObserveMessages(fn func(*workers.MessageContext) error) (workers.Subscription, error) {
	if fn == nil {
		return workers.Subscription{}, workers.ErrNilObserver
	}
	return p.f.observe(&observer{message: fn})
}

// ObserveExits calls fn once for every worker that ends.
func (p plain) ObserveExits(fn func(*workers.WorkerExitContext)) (workers.Subscription, error) {
	if fn == nil {
		return workers.Subscription{}, workers.ErrNilObserver
	}
	return p.f.observe(&observer{exit: fn})
}

func (f *Fake) observe(o *observer) (workers.Subscription, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return workers.Subscription{}, workers.ErrWorkerRuntimeClosed
	}
	r := &f.observers
	r.mu.Lock()
	defer r.mu.Unlock()
	o.token = r.issuer.Issue()
	r.all = append(r.all, o)
	r.known[o.token] = o
	return o.token, nil
}

// Unsubscribe ends a subscription and waits for its callbacks in progress. From inside an observer it never waits.
func (p plain) Unsubscribe(subscription workers.Subscription) error {
	r := &p.f.observers
	if !r.issuer.Issued(subscription) {
		return workers.ErrUnknownSubscription
	}
	idle := r.remove(subscription)
	if idle == nil {
		return nil
	}
	if insideCallback() {
		return workers.ErrInsideCallback
	}
	<-idle
	return nil
}

// remove takes the subscription out, and returns what closes when its callbacks in progress have ended; nil without any.
func (r *observers) remove(subscription workers.Subscription) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	o := r.known[subscription]
	if o == nil {
		return nil
	}
	o.removed = true
	r.all = slices.DeleteFunc(slices.Clone(r.all), func(other *observer) bool { return other == o })
	if o.inside == 0 {
		delete(r.known, subscription)
		return nil
	}
	if o.idle == nil {
		o.idle = make(chan struct{})
	}
	return o.idle
}

// enter announces a callback; false: the observer has been removed.
func (r *observers) enter(o *observer) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if o.removed {
		return false
	}
	o.inside++
	return true
}

// leave announces its end.
func (r *observers) leave(o *observer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if o.inside--; o.inside > 0 || !o.removed {
		return
	}
	delete(r.known, o.token)
	if o.idle != nil {
		close(o.idle)
	}
}

func (r *observers) messages() []*observer {
	return r.those(func(o *observer) bool { return o.message != nil })
}
func (r *observers) exits() []*observer {
	return r.those(func(o *observer) bool { return o.exit != nil })
}

func (r *observers) those(which func(*observer) bool) (some []*observer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, o := range r.all {
		if which(o) {
			some = append(some, o)
		}
	}
	return some
}

// tellExits calls the exit observers. One that panics or ends its goroutine keeps nobody else from being told.
func (w *worker) tellExits(rest []*observer, exit *workers.WorkerExitContext) {
	defer func() {
		if len(rest) == 0 {
			return
		}
		err := error(workers.ErrGoexit)
		if value := recover(); value != nil {
			err = &workers.PanicError{Value: value, Stack: debug.Stack()}
		}
		w.fake.observers.leave(rest[0])
		w.fake.report(fmt.Errorf("exit observer of worker %d: %w", w.id, err))
		w.tellExits(rest[1:], exit)
	}()
	for ; len(rest) > 0; rest = rest[1:] {
		if w.fake.observers.enter(rest[0]) {
			rest[0].exit(exit)
			w.fake.observers.leave(rest[0])
		}
	}
}

// callbackFrames are the functions that call observers.
var callbackFrames = map[string]bool{
	functionName((*worker).deliver):   true,
	functionName((*worker).tellExits): true,
}

func functionName(fn any) string { return runtime.FuncForPC(reflect.ValueOf(fn).Pointer()).Name() }

// insideCallback reports whether the calling goroutine runs an observer.
func insideCallback() bool {
	pcs := make([]uintptr, 256)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
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
