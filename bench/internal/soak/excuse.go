package soak

import (
	"errors"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// errStart is what start sections fail with that the soak has fail.
var errStart = errors.New("soak: the start section fails")

// startFailed reports whether err is the failure of a start section that was to fail.
func startFailed(err error) bool {
	var trap *wago.TrapError
	return errors.Is(err, errStart) || errors.As(err, &trap) && trap.Code == wago.TrapUnreachable
}

// is reports whether err matches one of the targets.
func is(err error, targets ...error) bool {
	for _, target := range targets {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}

// goingDown are what methods return once the runtime closes.
var goingDown = []error{
	pool.ErrPoolsClosed, pool.ErrWorkersUnavailable, pool.ErrCallerEnding, workers.ErrWorkerRuntimeClosed, workers.ErrWorkerParentClosed,
	wago.ErrPermissionDenied, wago.ErrRuntimeClosed, wago.ErrInstanceClosed,
}

// stopped are what methods return to a worker that is told to stop, and would have to start another.
var stopped = []error{
	pool.ErrPoolDestroyed, pool.ErrTaskTimeout, pool.ErrCallerEnding,
	workers.ErrWorkerParentClosed, workers.ErrInvalidWorkerCaller, workers.ErrWorkerKilled,
}

// excused reports whether err is what a method returns once the runtime closes, and whether it does.
func (w *world) excused(err error) bool { return w.closing.Load() && is(err, goingDown...) }

// excusedFor is excused for a method that was given an owner's caller: that is stale once the owner has left its host call, and
// its instance may be closing.
func (w *world) excusedFor(o *owner, err error) bool {
	switch {
	case is(err, workers.ErrInvalidWorkerCaller):
		return true // owners leave at any time
	case o.ending.Load() && is(err, pool.ErrCallerEnding, workers.ErrWorkerParentClosed, wago.ErrInstanceClosed, wago.ErrPermissionDenied):
		return true
	}
	return w.excused(err)
}

// expect notes a violation unless err is nil, one of the allowed, or excused.
func (w *world) expect(what string, err error, allowed ...error) {
	if err != nil && !is(err, allowed...) && !w.excused(err) {
		w.violated("%s: %w", what, err)
	}
}

// expectOf is expect for a method that was given an owner's caller and may have to start workers.
func (w *world) expectOf(o *owner, what string, err error, allowed ...error) {
	if err != nil && !is(err, allowed...) && !w.excusedFor(o, err) && !startFailed(err) {
		w.violated("%s: %w", what, err)
	}
}
