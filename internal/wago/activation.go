package wago

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// activation is one guest call in progress. A host function of an instance may call the instance again, from any goroutine:
// then activations form a stack, and only the innermost one runs.
type activation struct {
	// set once
	in     *Instance
	ctx    context.Context
	cancel context.CancelCauseFunc // nil when ctx is the instance's life
	expire context.CancelFunc      // frees the policy's timer; may be nil
	outer  *activation
	paused *caller // the host call of outer that waits for this call

	goroutine atomic.Uint64 // on which it runs, if it can call the host; 0 otherwise
	goexit    error         // set when a host function ends the goroutine
}

// enter begins a guest call. The caller must end it with leave, whatever happens.
func (in *Instance) enter(ctx context.Context, limit time.Duration) (*activation, error) {
	act := &activation{in: in}
	act.bound(ctx, limit)
	if err := in.push(act); err != nil {
		act.free()
		return nil, err
	}
	return act, nil
}

// bound gives the call a context that ends with the embedder's, the instance's life, and the policy's limit.
func (act *activation) bound(ctx context.Context, limit time.Duration) {
	if (ctx == nil || ctx == context.Background()) && limit <= 0 {
		act.ctx = act.in.life
		return
	}
	if ctx == nil {
		ctx = context.Background()
	}
	act.ctx, act.cancel = context.WithCancelCause(ctx)
	if limit > 0 {
		act.ctx, act.expire = context.WithTimeoutCause(act.ctx, limit, ErrInvokeTimeout)
	}
}

func (act *activation) free() {
	if act.expire != nil {
		act.expire()
	}
	if act.cancel != nil {
		act.cancel(context.Canceled)
	}
}

func (in *Instance) push(act *activation) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if err := in.refusalLocked(); err != nil {
		return err
	}
	if outer := in.top.Load(); outer != nil {
		if in.creating {
			return fmt.Errorf("%w: its start section has not ended", ErrInstanceBusy)
		}
		paused, err := in.pauseLocked()
		if err != nil {
			return err
		}
		act.outer, act.paused = outer, paused
	}
	in.top.Store(act)
	return nil
}

// pauseLocked takes the instance from the host call in which it waits: that host call can't return until resumeLocked.
func (in *Instance) pauseLocked() (*caller, error) {
	c := in.hostCall.Load()
	if c == nil || !in.hostCall.CompareAndSwap(c, nil) {
		return nil, ErrInstanceBusy
	}
	return c, nil
}

func (in *Instance) resumeLocked(c *caller) {
	in.hostCall.Store(c)
	in.resumed.Broadcast()
}

// leave ends a guest call. The last one to leave an instance whose close has begun releases it.
func (act *activation) leave() {
	in := act.in
	act.free()
	in.mu.Lock()
	in.top.Store(act.outer)
	if act.paused != nil {
		in.resumeLocked(act.paused)
	}
	release := in.takeReleaseLocked()
	in.mu.Unlock()
	if release {
		in.release()
	}
}

// takeReleaseLocked reports whether the caller is to release the instance: once, when its close has begun, the Before hooks
// have run and no call is in progress.
func (in *Instance) takeReleaseLocked() bool {
	if !in.hooksRan || in.releasing || in.top.Load() != nil {
		return false
	}
	in.releasing = true
	return true
}
