package soak

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/JairusSW/pool"
)

// often reports whether it is time to do something that is to happen at one event in n.
func (o *observer) often(n int) bool { return o.dice.IntN(n) == 0 }

func (o *observer) dawdle(*pool.PoolEvent) {
	if o.often(4) {
		pause(context.Background(), microseconds(o.dice, 4_000))
	}
}

func (o *observer) block(*pool.PoolEvent) {
	if o.often(50) {
		pause(context.Background(), time.Duration(20+o.dice.IntN(400))*time.Millisecond)
	}
}

// errObserver is what observers panic with.
var errObserver = errors.New("soak: an observer panics")

func (o *observer) panics(*pool.PoolEvent) {
	if o.often(20) {
		o.world.count("callbacks", "panicked")
		panic(errObserver)
	}
}

func (o *observer) goexits(*pool.PoolEvent) {
	if o.often(20) {
		o.world.count("callbacks", "ended their goroutine")
		runtime.Goexit()
	}
}

// quits unsubscribes itself, which it is told it can't wait for.
func (o *observer) quits(*pool.PoolEvent) {
	if o.calls < 10 {
		return
	}
	err := o.world.with(func(s pool.Service) error { return s.UnsubscribeEvents(o.subscription()) })
	if err == nil {
		o.world.violated("an observer waits for its own callback")
	}
	o.world.expect("UnsubscribeEvents from inside", err, pool.ErrInsideCallback)
	if errors.Is(err, pool.ErrInsideCallback) {
		o.world.count("callbacks", "unsubscribed themselves")
		o.over.Store(true)
	}
}

// useMethods calls a method that waits for nobody.
func (o *observer) useMethods(e *pool.PoolEvent) {
	p := o.world.stage.find(e.Pool)
	if p == nil || !o.often(8) {
		return
	}
	switch prank := anyPrank(o.dice); prank.name {
	case "kill", "Scale", "Reconcile", "Rearm", "List":
		o.world.count("callbacks", "called "+prank.name)
		o.world.play(context.Background(), o.dice, prank, p)
	}
}

func (o *observer) submits(e *pool.PoolEvent) {
	if p := o.world.stage.find(e.Pool); p != nil && o.often(8) {
		o.world.count("callbacks", "submitted")
		o.world.submitSomehow(o.dice, p, origin{ctx: context.Background(), tame: true})
	}
}

// destroys destroys a pool that has something happen to it.
func (o *observer) destroys(e *pool.PoolEvent) {
	if p := o.world.stage.find(e.Pool); p != nil && o.often(400) {
		o.world.count("callbacks", "destroyed")
		_ = o.world.destroy(context.Background(), o.dice, p) // it holds its error itself
	}
}

// breeds subscribes another observer and ends it at once.
func (o *observer) breeds(*pool.PoolEvent) {
	if !o.often(60) {
		return
	}
	o.world.count("callbacks", "subscribed another")
	if other := o.world.subscribe("is another's", (*observer).dawdle, o.dice.Uint64()); other != nil {
		other.unsubscribe()
	}
}
