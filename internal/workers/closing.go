package workers

import wago "github.com/wago-org/wago"

// Closing returns a channel that closes when the caller's instance begins to close, and for a worker already when it is told
// to stop, by Kill, KillWithin, its creator's end or the service's; not by Retire. It is closed before anything waits for the
// caller: a host function that may block for long returns when it closes. Errors: ErrInvalidWorkerCaller.
//
// Safe for concurrent use.
func (s *Workers) Closing(caller wago.HostModule) (<-chan struct{}, error) {
	if s.manager == nil {
		return nil, ErrWorkersInactive
	}
	closing, err := s.manager.Closing(caller)
	if err != nil {
		return nil, ErrInvalidWorkerCaller
	}
	w, err := s.calling(caller)
	if err != nil {
		return closing, nil // no worker
	}
	w.watch(closing)
	return w.told, nil
}

// watch makes sure that the worker is told when its instance begins to close: the host may be closing all of them while the
// service isn't told yet. The worker's end waits for the watcher.
func (w *worker) watch(closing <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.watched != nil || isClosed(w.told) {
		return
	}
	watched := make(chan struct{})
	w.watched = watched
	go func() {
		defer close(watched)
		select {
		case <-closing:
			w.instanceClosing()
		case <-w.told:
		}
	}()
}

// instanceClosing stops a worker whose own instance begins to close before it has ended: then the runtime does, and with it
// the creator.
func (w *worker) instanceClosing() {
	cause := ErrWorkerRuntimeClosed
	if w.service.isLinked(w) {
		cause = ErrWorkerParentClosed
	}
	w.stop(cause, stopAsked, w.service.grace)
}
