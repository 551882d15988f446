package service

import (
	"context"
	"runtime"
	"sync/atomic"

	"github.com/JairusSW/pool/strategy"
)

// call is the wait for one task's result. It fits into a cache line: one is made for every Call.
type call struct {
	told    atomic.Bool   // set by the first who says how the task ended
	phase   atomic.Uint32 // of the wait
	attempt atomic.Uint32 // deliveries so far
	first   bool          // its worker had nothing else to do; set before it is accepted
	worker  atomic.Uint64 // who has it in hand, or had it last

	done chan struct{} // of a waiter who sleeps: gets a token when the task has ended; set before callAsleep

	// set before callOver
	result []byte
	failed *outcome // nil: it is done
}

// The phases of a call.
const (
	callOpen   uint32 = iota
	callAsleep        // its waiter is to be woken
	callOver          // how it ended can be read
)

// outcome is how a task ended: kind nil is done.
type outcome struct {
	result  []byte
	kind    error
	cause   error
	pending bool
}

// finish tells the waiter, if there is one and it has not been told already.
func (c *call) finish(o outcome) {
	if c == nil || !c.told.CompareAndSwap(false, true) {
		return
	}
	if c.result = o.result; o.kind != nil {
		failed := o // only this one is on the heap
		c.failed = &failed
	}
	if c.phase.Swap(callOver) == callAsleep {
		c.done <- struct{}{}
	}
}

func (c *call) over() bool { return c.phase.Load() == callOver }

// wait sleeps until the call is over or ctx ends, and reports whether it is over.
func (s *Pools) wait(ctx context.Context, c *call) bool {
	c.done = s.token()
	if c.phase.CompareAndSwap(callOpen, callAsleep) {
		select {
		case <-c.done:
		case <-ctx.Done():
			if !c.over() { // whatever ctx says
				return false
			}
			<-c.done
		}
	}
	s.tokens.Put(c.done) // empty, and nobody sends to it any more
	return true
}

// token returns a channel with room for one.
func (s *Pools) token() chan struct{} {
	if used, ok := s.tokens.Get().(chan struct{}); ok {
		return used
	}
	return make(chan struct{}, 1)
}

func (c *call) taken(worker WorkerID, attempt uint32) {
	if c != nil {
		c.worker.Store(uint64(worker))
		c.attempt.Store(attempt)
	}
}

func (c *call) failure(tag uint64, o *outcome) error {
	return &TaskError{
		Worker: WorkerID(c.worker.Load()), Tag: tag, Attempt: c.attempt.Load(),
		Pending: o.pending, Kind: o.kind, Err: o.cause,
	}
}

// Call implements Service.
func (s *Pools) Call(ctx context.Context, id ID, task Task) ([]byte, error) {
	ctx = orBackground(ctx)
	p, err := s.find(id)
	if err != nil {
		return nil, err
	}
	if p.opts.Strategy == strategy.Broadcast {
		return nil, &OptionError{Option: "Strategy", Value: p.opts.Strategy, Bound: "which has no single result for Call"}
	}
	c := &call{}
	if _, err := s.submitWait(ctx, p, task, c); err != nil {
		return nil, err
	}
	if c.first && !c.over() {
		runtime.Gosched() // a worker that is awake may do it meanwhile: cheaper than going to sleep and being woken
	}
	if !c.over() && !s.wait(ctx, c) {
		return nil, c.failure(task.Tag, &outcome{kind: ctx.Err(), cause: causeOf(ctx), pending: true})
	}
	if c.failed != nil {
		return nil, c.failure(task.Tag, c.failed)
	}
	return c.result, nil
}

// causeOf returns why ctx ended, when that says more than its error.
func causeOf(ctx context.Context) error {
	if cause := context.Cause(ctx); cause != ctx.Err() {
		return cause
	}
	return nil
}
