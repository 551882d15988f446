package soak

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/ledger"
)

// observer is a subscription that misbehaves in one way.
type observer struct {
	world *world
	name  string
	do    func(*observer, *pool.PoolEvent)

	over atomic.Bool // Unsubscribe has returned nil: it must not be called any more

	mu  sync.Mutex
	sub pool.EventSubscription // guarded by mu

	// the callback's own: calls follow one another
	sequence ledger.Sequence
	dice     *rand.Rand
	calls    int
}

// manners are the ways to misbehave.
var manners = []struct {
	name string
	do   func(*observer, *pool.PoolEvent)
}{
	{"slow", (*observer).dawdle},
	{"blocks", (*observer).block},
	{"panics", (*observer).panics},
	{"ends its goroutine", (*observer).goexits},
	{"unsubscribes itself", (*observer).quits},
	{"calls methods", (*observer).useMethods},
	{"submits", (*observer).submits},
	{"destroys", (*observer).destroys},
	{"subscribes another", (*observer).breeds},
}

// keepObservers has misbehaving observers come and go.
func (w *world) keepObservers(ctx context.Context, dice *rand.Rand, post *post) {
	var there []*observer
	for ctx.Err() == nil {
		pause(ctx, microseconds(dice, 60_000))
		if len(there) > 4 || len(there) > 0 && dice.IntN(3) == 0 {
			at := dice.IntN(len(there))
			post.begin("UnsubscribeEvents of an observer that " + there[at].name)
			there[at].unsubscribe()
			post.end()
			there = append(there[:at], there[at+1:]...)
			continue
		}
		manner := manners[dice.IntN(len(manners))]
		if o := w.subscribe(manner.name, manner.do, dice.Uint64()); o != nil {
			there = append(there, o)
		}
	}
	if w.closing.Load() {
		return // the runtime ends them
	}
	for _, o := range there {
		post.begin("UnsubscribeEvents of an observer that " + o.name)
		o.unsubscribe()
		post.end()
	}
}

// subscribe starts an observer; nil: the runtime closes.
func (w *world) subscribe(name string, do func(*observer, *pool.PoolEvent), stream uint64) *observer {
	o := &observer{world: w, name: name, do: do, dice: w.dice(stream)}
	err := w.with(func(s pool.Service) error {
		o.mu.Lock()
		defer o.mu.Unlock()
		var err error
		o.sub, err = s.ObserveEvents(o.call)
		return err
	})
	w.expect("ObserveEvents", err)
	if err != nil {
		return nil
	}
	w.count("observers", name)
	return o
}

func (o *observer) subscription() pool.EventSubscription {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.sub
}

func (o *observer) unsubscribe() {
	err := o.world.with(func(s pool.Service) error { return s.UnsubscribeEvents(o.subscription()) })
	o.world.expect("UnsubscribeEvents", err)
	if err == nil {
		o.over.Store(true)
	}
}

// call is the callback.
func (o *observer) call(e *pool.PoolEvent) {
	o.world.watching.Add(1)
	defer o.world.watching.Add(-1)
	if o.over.Load() || o.world.isClosed() {
		o.world.violated("an observer that %s is called after it was unsubscribed, or after the runtime has closed", o.name)
	}
	o.world.check(o.sequence.Next(e), "an observer that %s", o.name)
	if e.Kind == pool.PoolEventsLost {
		o.world.run.totals.add("events", "lost by observers that misbehave", e.Count)
	}
	o.calls++
	o.do(o, e)
}
