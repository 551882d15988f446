package workers

import "time"

// stopReason says whose doing a stop is.
type stopReason bool

const (
	stopAsked  stopReason = false // WorkerKilled
	stopFailed stopReason = true  // WorkerFailed: the worker's own observers failed
)

// Kill tells the worker to stop with ErrWorkerKilled: see [Service]. A guest that doesn't come back within the service's
// grace is interrupted.
//
// Safe for concurrent use.
func (s *Workers) Kill(id WorkerID) error { return s.KillWithin(id, s.grace, ErrWorkerKilled) }

// KillWithin is Kill with another cause and another grace: how long the guest may take to come back before it is
// interrupted; none at all if that isn't positive. A nil cause means ErrWorkerKilled. On a worker that is stopping already
// the first cause stays, and the grace counts only if it ends sooner.
//
// Safe for concurrent use.
func (s *Workers) KillWithin(id WorkerID, grace time.Duration, cause error) error {
	w, err := s.lookup(id)
	if err != nil {
		return err
	}
	if cause == nil {
		cause = ErrWorkerKilled
	}
	w.stop(cause, stopAsked, grace)
	return nil
}

// Retire lets the worker stop when it has nothing left to do: a DispatchNext that finds the mailbox empty, one already
// waiting included, returns ErrWorkerStopping, and so does every later one. Until then messages are accepted and
// dispatched; from then on Send returns ErrWorkerStopping too. There is no grace and no interruption, and the exit is that
// of any guest that ends by itself. Again is fine. Errors: ErrWorkerNotFound.
//
// Safe for concurrent use.
func (s *Workers) Retire(id WorkerID) error {
	w, err := s.lookup(id)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.retiring = true
	w.wakeLocked()
	return nil
}

// lookup returns a worker to stop: also while the service ends.
func (s *Workers) lookup(id WorkerID) (*worker, error) {
	if s.manager == nil {
		return nil, ErrWorkersInactive
	}
	if w := s.byID.get(id); w != nil {
		return w, nil
	}
	return nil, ErrWorkerNotFound
}

// stop tells the worker to stop: it drops the mailbox, wakes a dispatch, and sees to it that the guest is interrupted when
// the grace is over. The first cause stays; a later stop can only shorten the grace.
func (w *worker) stop(cause error, reason stopReason, grace time.Duration) {
	w.mu.Lock()
	if w.ended {
		w.mu.Unlock()
		return
	}
	if w.cause == nil {
		w.shut, w.cause, w.failed = true, cause, bool(reason)
		w.box.clear()
		w.wakeLocked()
		close(w.told)
	}
	w.hurryLocked(grace)
	cause = w.cause
	w.mu.Unlock()
	if grace <= 0 {
		w.cancel(cause)
	}
}

// hurryLocked moves the interruption forward, to grace from now.
func (w *worker) hurryLocked(grace time.Duration) {
	if grace <= 0 {
		return // interrupted at once, by the caller
	}
	deadline := time.Now().Add(grace)
	switch {
	case w.grace == nil:
		cause := w.cause
		w.grace = time.AfterFunc(grace, func() { w.cancel(cause) })
	case deadline.Before(w.deadline):
		w.grace.Reset(grace)
	default:
		return
	}
	w.deadline = deadline
}

// calmDown takes the timer back, or waits until it has done what it does.
func (w *worker) calmDown() {
	w.mu.Lock()
	timer := w.grace
	w.mu.Unlock()
	if timer != nil && !timer.Stop() {
		<-w.ctx.Done()
	}
}
