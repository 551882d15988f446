package service

import (
	"context"
	"runtime"
	"sync/atomic"

	"github.com/JairusSW/pool/strategy"
)

// call is the wait for one task's result.
type call struct {
	done    chan struct{} // closed when the task has ended
	ended   atomic.Bool   // set by the first who says so
	outcome outcome       // written before done is closed
	attempt atomic.Uint32 // deliveries so far
	worker  atomic.Uint64 // who has it in hand, or had it last
}

// outcome is how a task ended: kind nil is done.
type outcome struct {
	result  []byte
	kind    error
	cause   error
	pending bool
}

func newCall() *call { return &call{done: make(chan struct{})} }

// finish tells the waiter, if there is one and it has not been told already.
func (c *call) finish(o outcome) {
	if c != nil && c.ended.CompareAndSwap(false, true) {
		c.outcome = o
		close(c.done)
	}
}

func (c *call) taken(worker WorkerID, attempt uint32) {
	if c != nil {
		c.worker.Store(uint64(worker))
		c.attempt.Store(attempt)
	}
}

func (c *call) result(tag uint64, o outcome) ([]byte, error) {
	if o.kind == nil {
		return o.result, nil
	}
	return nil, &TaskError{
		Worker: WorkerID(c.worker.Load()), Tag: tag, Attempt: c.attempt.Load(),
		Pending: o.pending, Kind: o.kind, Err: o.cause,
	}
}

// Call implements Service.
func (s *Pools) Call(ctx context.Context, id ID, task Task) ([]byte, error) {
	ctx = orBackground(ctx)
	if p, err := s.find(id); err != nil {
		return nil, err
	} else if p.opts.Strategy == strategy.Broadcast {
		return nil, &OptionError{Option: "Strategy", Value: p.opts.Strategy, Bound: "which has no single result for Call"}
	}
	c := newCall()
	worker, err := s.submitWait(ctx, id, task, c)
	if err != nil {
		return nil, err
	}
	if s.isNext(worker) && !isClosed(c.done) {
		runtime.Gosched() // a worker that is awake may do it meanwhile: cheaper than going to sleep and being woken
	}
	if !isClosed(c.done) {
		select {
		case <-c.done:
		case <-ctx.Done():
		}
	}
	if isClosed(c.done) { // whatever ctx says
		return c.result(task.Tag, c.outcome)
	}
	return c.result(task.Tag, outcome{kind: ctx.Err(), cause: causeOf(ctx), pending: true})
}

// isNext reports whether a task that was just given to a worker is alone there.
func (s *Pools) isNext(worker WorkerID) bool {
	m := s.index.get(worker)
	return m != nil && m.load.Load() <= 1
}

// causeOf returns why ctx ended, when that says more than its error.
func causeOf(ctx context.Context) error {
	if cause := context.Cause(ctx); cause != ctx.Err() {
		return cause
	}
	return nil
}
