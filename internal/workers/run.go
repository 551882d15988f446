package workers

import (
	"errors"
	"fmt"
	"runtime/debug"

	wago "github.com/wago-org/wago"
)

// run is the worker's goroutine.
func (w *worker) run() {
	end := error(ErrGoexit) // what stands if an observer or a host function unwinds the goroutine
	defer func() { w.exit(end) }()
	end = w.instance.InvokeVoidTable(w.ctx, w.entry)
}

// exit does what the contract has in this order: the instance is closed, the worker can't be found any more, the exit
// observers are told, the quota is free, whoever joins is released. The last step is deferred, for an observer may end the
// goroutine.
func (w *worker) exit(end error) {
	defer w.service.release(w)
	kind, err := w.finish(end)
	w.cancel(err)
	w.service.report(w.instance.Close())
	w.service.forget(w)
	w.tellExits(w.service.observers.exits.load(), &WorkerExitContext{WorkerID: w.id, Kind: kind, Err: err})
}

// finish settles how the worker ended and waits for what still works for it: from here on nothing is sent, dispatched or
// stopped.
func (w *worker) finish(end error) (WorkerExitKind, error) {
	w.mu.Lock()
	w.shut, w.ended = true, true
	if w.cause == nil {
		close(w.told)
	}
	kind, err := classify(end, w.cause, w.failed)
	w.box.clear()
	w.wakeLocked()
	watched := w.watched
	w.mu.Unlock()
	w.calmDown()
	w.dispatch.finish()
	if watched != nil {
		<-watched
	}
	return kind, err
}

// classify turns what the entry ended with and the stop's cause, if there was a stop, into the exit's kind and error.
func classify(end, cause error, failed bool) (WorkerExitKind, error) {
	if exit := (*wago.ExitError)(nil); errors.As(end, &exit) && exit.Code == 0 {
		end = nil
	}
	switch {
	case cause == nil && end == nil:
		return WorkerReturned, nil
	case cause == nil:
		return WorkerFailed, end
	}
	kind := WorkerKilled
	if failed {
		kind = WorkerFailed
	}
	switch {
	case end == nil:
		return kind, cause
	case errors.Is(end, cause):
		return kind, end // the consumer's host function trapped with it, or it was the interruption's cause
	}
	return kind, fmt.Errorf("%w; %w", cause, end)
}

// tellExits calls the exit observers that are left. A panic is kept for the service's end. After a Goexit the rest is told
// while the goroutine unwinds.
func (w *worker) tellExits(rest []*observer, exit *WorkerExitContext) {
	defer func() {
		if len(rest) == 0 {
			return
		}
		err := error(ErrGoexit)
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
		w.leave(insideExit)
		w.service.report(fmt.Errorf("exit observer of worker %d: %w", w.id, err))
		w.tellExits(rest[1:], exit)
	}()
	for ; len(rest) > 0; rest = rest[1:] {
		if w.enter(insideExit, rest[0]) {
			rest[0].exit(exit)
			w.leave(insideExit)
		}
	}
}
