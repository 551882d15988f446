package workers

import wago "github.com/wago-org/wago"

// Link ties the worker's life to the caller's instance, its creator: see [Service]. A creator that has begun to close is
// refused with ErrWorkerParentClosed.
//
// Safe for concurrent use.
func (s *Workers) Link(caller wago.HostModule, id WorkerID) error {
	if s.manager == nil {
		return ErrWorkersInactive
	}
	identity, err := s.Identity(caller)
	if err != nil {
		return err
	}
	closing, err := s.manager.Closing(caller)
	if err != nil {
		return ErrInvalidWorkerCaller
	}
	w := s.byID.get(id)
	switch {
	case w == nil:
		return ErrWorkerNotFound
	case w.creator != identity:
		return ErrInvalidWorkerLink
	}
	return s.link(w, closing)
}

func (s *Workers) link(w *worker, closing <-chan struct{}) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Asked with mu held: whoever collects the linked workers of a closing instance does so after closing this channel.
	if isClosed(closing) {
		return ErrWorkerParentClosed
	}
	if s.byID.get(w.id) != w {
		return ErrWorkerNotFound
	}
	w.mu.Lock()
	stopping := w.cause != nil || w.ended
	w.mu.Unlock()
	if stopping {
		return ErrWorkerStopping
	}
	s.linkLocked(w, closing)
	return nil
}

// instanceClosing is told, before anything else happens, that an instance of the runtime closes. It stops the workers linked
// to it and returns when they have gone.
func (s *Workers) instanceClosing(event wago.InstanceCloseEvent) {
	s.mu.Lock()
	own, others := s.linkedLocked(event.Instance)
	s.mu.Unlock()
	for _, w := range append(others, own...) {
		w.stop(ErrWorkerParentClosed, stopAsked, s.grace)
	}
	for _, w := range own {
		<-w.done
	}
}
