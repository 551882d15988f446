package soak

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/JairusSW/pool"
)

// call calls, and holds the result against what the guest does with the task.
func (w *world) call(d *draft) {
	ctx, cancel := d.waiting()
	defer cancel()
	var result []byte
	err := w.with(func(s pool.Service) (err error) {
		result, err = s.Call(ctx, d.p.id, d.task())
		return err
	})
	w.overrun(ctx)
	var ended *pool.TaskError
	switch {
	case err == nil:
		w.count("answers", "accepted")
		w.count("calls", "done")
		w.check(d.Ended(true), "pool %d", d.p.id)
		w.check(d.promised(result), "pool %d: Call", d.p.id)
	case errors.As(err, &ended):
		w.count("answers", "accepted")
		w.callEnded(ctx, d, ended)
	case d.p.opts.Strategy == pool.Broadcast && errors.Is(err, pool.ErrInvalidPoolOptions):
		w.count("answers", "no Call on a broadcast pool")
		w.check(d.Away(), "pool %d", d.p.id)
	default:
		w.waitEnded(ctx, d, err)
	}
}

// overrun keeps by how much a call has outlived its context.
func (w *world) overrun(ctx context.Context) {
	if deadline, ok := ctx.Deadline(); ok {
		w.run.overrun.note(time.Since(deadline))
	}
}

// promised says what is wrong with a result: the hash of the task's bytes from a guest that replies, none from one that only goes
// on, and never any of a guest that ends badly.
func (d *draft) promised(result []byte) error {
	attempts := uint32(1)
	if d.p.opts.Retries > 0 {
		attempts = 2
	}
	for n := uint32(1); n <= attempts; n++ {
		switch act(d.Tag.Act(n)).ends() {
		case settles:
			if len(result) == 4 && binary.LittleEndian.Uint32(result) == d.answer() {
				return nil
			}
		case soft:
			if result == nil {
				return nil
			}
		}
	}
	return fmt.Errorf("task %#x has the result %x; its guests %s, then %s", uint64(d.Tag), result,
		actNames[act(d.Tag.Act(1))], actNames[act(d.Tag.Act(2))])
}

// answer is what the guest replies.
func (d *draft) answer() uint32 {
	bytes := make([]byte, len(d.bytes)) // the draft's own may be the guest's memory
	payload(d.Tag, bytes)
	return answer(bytes)
}

// callEnds are the sentinels of calls that were accepted, and whether the task may still be pending.
var callEnds = []struct {
	kind    error
	pending bool
}{
	{pool.ErrTaskFailed, false}, {pool.ErrTaskTimeout, false}, {pool.ErrTasksDropped, false}, {pool.ErrPoolDestroyed, false},
	{pool.ErrPoolHalted, true}, {context.DeadlineExceeded, true}, {context.Canceled, true},
}

// callEnded closes the draft of a call that was accepted, and holds its error against what it says.
func (w *world) callEnded(ctx context.Context, d *draft, e *pool.TaskError) {
	p := d.p
	known := false
	for _, end := range callEnds {
		if e.Kind != end.kind {
			continue
		}
		known = true
		w.count("calls", end.kind.Error())
		if e.Pending != end.pending {
			w.violated("pool %d: a Call ended with %+v", p.id, e)
		}
		if is(end.kind, context.DeadlineExceeded, context.Canceled) && ctx.Err() != end.kind {
			w.violated("pool %d: a Call ended with %v, its context with %v", p.id, e, ctx.Err())
		}
	}
	switch {
	case !known, e.Tag != uint64(d.Tag), e.Attempt > p.opts.Retries+1, e.Worker == 0 && e.Attempt > 0,
		e.Kind == pool.ErrTaskTimeout && !p.timed(), e.Kind == pool.ErrTaskFailed && e.Attempt == 0:
		w.violated("pool %d: a Call ended with %+v", p.id, e)
	}
	if e.Worker != 0 {
		w.belong(e.Worker, p.id)
	}
	if e.Pending {
		d.Accepted()
		return
	}
	w.check(d.Ended(false), "pool %d", p.id)
}
