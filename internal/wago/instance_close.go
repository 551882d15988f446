package wago

import (
	"fmt"
	"slices"
)

// Close ends the instance: it refuses further calls, tells a running guest to stop and interrupts it at its next safepoint,
// runs the InstanceCloseObserver Before hooks (last registered first), waits until the last call has left, releases
// everything, and runs the After hooks. A later or concurrent Close waits for the first and has the same result.
//
// Called by a host function of this very instance, or by a hook of its close, Close would wait for itself: it begins the
// close and returns [ErrCloseInsideCall]; the call that leaves last finishes it. A Close that waits for itself by way of
// another goroutine or another instance can't be told and never returns.
//
// Safe for concurrent use.
func (in *Instance) Close() error {
	if in == nil {
		return fmt.Errorf("%w: nil Instance", ErrInvalidHandle)
	}
	return in.close(ErrInstanceClosed)
}

func (in *Instance) close(cause error) error {
	inside := in.insideOwnCall()
	if in.beginClose(cause) {
		in.runBeforeHooks()
		in.finishClose()
	}
	if inside {
		return ErrCloseInsideCall
	}
	<-in.done
	return in.releaseErr
}

// insideOwnCall reports whether the calling goroutine runs a call of this instance, or a hook of its close.
func (in *Instance) insideOwnCall() bool {
	in.mu.Lock()
	top, closed := in.top.Load(), in.closed
	in.mu.Unlock()
	if top == nil && !closed {
		return false
	}
	self := goroutineID()
	if in.hooking.Load() == self {
		return true
	}
	return in.runsOn(self)
}

// runsOn reports whether a call of the instance runs on that goroutine.
func (in *Instance) runsOn(goroutine uint64) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	for act := in.top.Load(); act != nil; act = act.outer {
		if act.goroutine.Load() == goroutine {
			return true
		}
	}
	return false
}

// beginClose makes the instance refuse calls and tells its guest to stop; false if another close already has.
func (in *Instance) beginClose(cause error) bool {
	in.mu.Lock()
	first := !in.closed
	in.closed = true
	in.mu.Unlock()
	if !first {
		return false
	}
	if in.managed != nil {
		in.managed.closed.Store(true)
	}
	in.signal(cause)
	in.interrupt(cause)
	return true
}

// signal closes the closing channel, and stops the creation of forks whose caller this instance is. It is the part of a close
// that a runtime's close does for every instance before anything waits.
func (in *Instance) signal(cause error) {
	in.mu.Lock()
	if in.signalled != nil {
		in.mu.Unlock()
		return
	}
	in.signalled = cause
	forks, creating := in.forks, in.creating
	in.forks = nil
	close(in.closing) // no fork is refused for it before
	in.mu.Unlock()
	if creating {
		in.interrupt(cause)
	}
	for fork := range forks {
		fork.signal(creatorCloses(cause))
	}
}

// interrupt ends the contexts of the calls in progress.
func (in *Instance) interrupt(cause error) {
	in.stop(cause)
	in.mu.Lock()
	var calls []*activation
	for act := in.top.Load(); act != nil; act = act.outer {
		calls = append(calls, act)
	}
	in.mu.Unlock()
	for _, act := range calls {
		if act.cancel != nil {
			act.cancel(cause)
		}
	}
}

func (in *Instance) closeEvent() InstanceCloseEvent {
	return InstanceCloseEvent{Module: in.view(), Instance: in.id, Origin: in.origin}
}

func (in *Instance) runBeforeHooks() {
	if !in.known.Load() {
		return
	}
	in.runCloseHooks("InstanceCloseObserver.Before", in.rt.hooks.beforeClose)
}

// runCloseHooks runs hooks, last registered first, and remembers on which goroutine, for a Close from inside one.
func (in *Instance) runCloseHooks(where string, hooks []hook[func(InstanceCloseEvent)]) {
	event := in.closeEvent()
	for _, h := range slices.Backward(hooks) {
		in.rt.noteHookFailure(runHook(in.rt, where, h.unit, func() error {
			in.hooking.Store(goroutineID())
			h.fn(event)
			return nil
		}))
	}
}

// finishClose releases the instance if no call is in progress; otherwise the last call to leave will.
func (in *Instance) finishClose() {
	in.mu.Lock()
	in.hooksRan = true
	release := in.takeReleaseLocked()
	in.mu.Unlock()
	if release {
		in.release()
	}
}

// release frees everything. It runs once, on whichever goroutine ended the last thing to wait for.
func (in *Instance) release() {
	if guest := in.guest.Load(); guest != nil {
		in.releaseErr = guest.Close()
	}
	if err := in.module.compiled.release(); in.releaseErr == nil {
		in.releaseErr = err
	}
	in.refund()
	in.rt.forget(in)
	if in.known.Load() {
		in.runCloseHooks("InstanceCloseObserver.After", in.rt.hooks.afterClose)
	}
	close(in.done)
}
