package soak

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
)

// owner is an instance that creates pools. It is parked in a host call, which it leaves at times to call again.
//
// Safe for concurrent use, but for enter, leaveCall and close, which belong to the keeper of the owners.
type owner struct {
	world    *world
	number   uint32
	instance *wago.Instance
	ending   atomic.Bool // its instance is about to close

	mu   sync.Mutex
	stay *stay // guarded by mu: the host call it is in, or was in last
}

// stay is one host call of an owner's.
type stay struct {
	caller wago.HostModule
	jobs   chan func()
	leave  chan struct{}
	here   chan struct{} // closes when the host call has begun
	left   chan struct{} // closes when the guest's call has returned
}

// cast is the owners of a world.
//
// Safe for concurrent use.
type cast struct {
	mu     sync.Mutex
	owners []*owner          // guarded by mu: those that are open
	number uint32            // guarded by mu: of the last
	all    map[uint32]*owner // guarded by mu: those that ever were, by number

	// census is how many instances there are, those that are being made or closed included, above how often that has changed.
	census atomic.Uint64
}

const censusShift = 40

// comes and goes note an instance of an owner's, before it is made and when it has gone.
func (c *cast) comes() { c.census.Add(1<<censusShift + 1) }
func (c *cast) goes()  { c.census.Add(^uint64(1<<censusShift) + 2) }

func (c *cast) any(dice *rand.Rand) *owner {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.owners) == 0 {
		return nil
	}
	return c.owners[dice.IntN(len(c.owners))]
}

func (c *cast) find(number uint32) *owner {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all[number]
}

func (c *cast) drop(o *owner) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.owners = slices.DeleteFunc(c.owners, func(other *owner) bool { return other == o })
}

// newOwner makes an owner and waits until it is parked; nil: its start section failed, or the runtime closes.
func (w *world) newOwner(ctx context.Context) *owner {
	w.cast.comes()
	instance, err := w.runtime.Instantiate(ctx, w.module)
	if err != nil {
		w.cast.goes()
		if !startFailed(err) && !w.excused(err) && ctx.Err() == nil {
			w.violated("Instantiate: %w", err)
		}
		return nil
	}
	c := &w.cast
	c.mu.Lock()
	c.number++
	o := &owner{world: w, number: c.number, instance: instance}
	if c.all == nil {
		c.all = make(map[uint32]*owner)
	}
	c.all[o.number] = o
	c.mu.Unlock()
	if !o.enter() {
		o.close()
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.owners = append(c.owners, o)
	w.count("owners", "opened")
	return o
}

// enter has the guest call the host and waits until it is there.
func (o *owner) enter() bool {
	s := &stay{jobs: make(chan func()), leave: make(chan struct{}), here: make(chan struct{}), left: make(chan struct{})}
	o.mu.Lock()
	o.stay = s
	o.mu.Unlock()
	o.world.helpers.Go(func() {
		defer close(s.left)
		_, err := o.instance.Invoke("own", uint64(o.number))
		if err != nil && !o.ending.Load() && !o.world.closing.Load() {
			o.world.violated("an owner's call: %w", err)
		}
	})
	select {
	case <-s.here:
		return true
	case <-s.left:
		return false
	}
}

// own is the owners' host call: it does the jobs it is given until it is to leave, or its instance begins to close.
func (w *world) own(caller wago.HostModule, params, _ []uint64) {
	o := w.cast.find(uint32(params[0]))
	err := w.with(func(s pool.Service) error {
		ctx, cancel, err := s.CallerContext(caller)
		if err != nil {
			return err
		}
		defer cancel()
		stay := o.current()
		stay.caller = caller
		close(stay.here)
		for {
			select {
			case job := <-stay.jobs:
				job()
			case <-stay.leave:
				return nil
			case <-ctx.Done():
				w.check(sameCause(ctx), "an owner's context")
				return nil
			}
		}
	})
	w.expectOf(o, "CallerContext of an owner", err)
}

// sameCause says what is wrong with the cause of a CallerContext that has ended.
func sameCause(ctx context.Context) error {
	if cause := context.Cause(ctx); cause != error(pool.ErrCallerEnding) {
		return cause
	}
	return nil
}

func (o *owner) current() *stay {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.stay
}

// caller is what the owner creates and sizes with; stale between two host calls.
func (o *owner) caller() wago.HostModule {
	s := o.current()
	select {
	case <-s.here:
		return s.caller
	case <-s.left:
		return nil
	}
}

// do runs f inside the owner's host call and waits for it; false: the owner has left, or is busy until ctx ends.
func (o *owner) do(ctx context.Context, f func(caller wago.HostModule)) bool {
	s, over := o.current(), make(chan struct{})
	job := func() {
		defer close(over)
		f(s.caller)
	}
	select {
	case s.jobs <- job:
		<-over
		return true
	case <-s.left:
	case <-ctx.Done():
	}
	return false
}

// leaveCall ends the host call; its caller is stale from then on.
func (o *owner) leaveCall() {
	s := o.current()
	close(s.leave)
	<-s.left
}

// close closes the instance, and with it the owner's pools.
func (o *owner) close() {
	o.ending.Store(true)
	o.world.cast.drop(o)
	err := o.instance.Close()
	<-o.current().left
	o.world.cast.goes()
	o.world.expectOf(o, "closing an owner", err)
}

// keepOwners has a few owners be there, which leave and come back, close, and are followed by others.
func (w *world) keepOwners(ctx context.Context, dice *rand.Rand, post *post) {
	for ctx.Err() == nil {
		pause(ctx, time.Duration(20+dice.IntN(200))*time.Millisecond)
		o := w.cast.any(dice)
		switch n := dice.IntN(10); {
		case o == nil || n < 3 && w.cast.size() < 4:
			post.begin("a new owner")
			w.newOwner(ctx)
		case n < 7:
			post.begin("an owner's leave")
			o.leaveCall()
			if !o.enter() {
				o.close()
			}
			w.count("owners", "left and came back")
		case n < 9:
			post.begin("an owner's close")
			o.close()
			w.count("owners", "closed")
		}
		post.end()
	}
}

func (c *cast) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.owners)
}
