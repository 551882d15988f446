package workers

import (
	"slices"
	"sync"
	"sync/atomic"
)

// observer is one subscription.
type observer struct {
	// Set once; one of the two functions.
	token   Subscription
	message func(*MessageContext) error
	exit    func(*WorkerExitContext)

	removed atomic.Bool

	mu   sync.Mutex
	left sync.Cond // on mu: a worker has left the removed observer
}

// observers are a service's subscriptions. Readers get an immutable list, oldest first, so that telling them costs no lock and
// no allocation.
//
// Safe for concurrent use.
type observers struct {
	issuer   SubscriptionIssuer
	messages observerList
	exits    observerList

	mu      sync.Mutex                 // also excludes writers of the lists
	closed  bool                       // guarded by mu
	leaving map[Subscription]*observer // guarded by mu: removed, perhaps still being called
}

type observerList struct{ list atomic.Pointer[[]*observer] }

func (l *observerList) load() []*observer {
	if list := l.list.Load(); list != nil {
		return *list
	}
	return nil
}

func (l *observerList) store(list []*observer) { l.list.Store(&list) }

// ObserveMessages calls fn for every message of every worker: see [Service].
//
// Safe for concurrent use.
func (s *Workers) ObserveMessages(fn func(*MessageContext) error) (Subscription, error) {
	if fn == nil {
		return Subscription{}, ErrNilObserver
	}
	return s.observe(&s.observers.messages, &observer{message: fn})
}

// ObserveExits calls fn for every worker's end: see [Service].
//
// Safe for concurrent use.
func (s *Workers) ObserveExits(fn func(*WorkerExitContext)) (Subscription, error) {
	if fn == nil {
		return Subscription{}, ErrNilObserver
	}
	return s.observe(&s.observers.exits, &observer{exit: fn})
}

func (s *Workers) observe(to *observerList, o *observer) (Subscription, error) {
	if s.manager == nil {
		return Subscription{}, ErrWorkersInactive
	}
	return s.observers.add(to, o)
}

func (r *observers) add(to *observerList, o *observer) (Subscription, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return Subscription{}, ErrWorkerRuntimeClosed
	}
	o.token = r.issuer.Issue()
	o.left.L = &o.mu
	to.store(append(slices.Clone(to.load()), o))
	return o.token, nil
}

// remove takes the observer out of the lists and returns it until settled: a second Unsubscribe has to wait too. It returns
// nil for a subscription that ended long ago.
func (r *observers) remove(token Subscription) *observer {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, from := range []*observerList{&r.messages, &r.exits} {
		list := from.load()
		at := slices.IndexFunc(list, func(o *observer) bool { return o.token == token })
		if at < 0 {
			continue
		}
		o := list[at]
		o.removed.Store(true)
		from.store(slices.Delete(slices.Clone(list), at, at+1))
		if r.leaving == nil {
			r.leaving = make(map[Subscription]*observer)
		}
		r.leaving[token] = o
		return o
	}
	return r.leaving[token]
}

// settled forgets a removed observer that no worker calls any more.
func (r *observers) settled(o *observer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.leaving, o.token)
}

// close accepts no more observers. Those there are stay: workers still end.
func (r *observers) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
}
