package workers

import (
	"maps"
	"math"
	"slices"

	wago "github.com/wago-org/wago"
)

// admit makes the fork a worker, unless the service or its creator has begun to end meanwhile.
func (s *Workers) admit(f forked, options WorkerOptions) (*worker, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed.Load():
		return nil, ErrWorkerRuntimeClosed
	case isClosed(f.closing):
		return nil, ErrWorkerParentClosed
	case s.lastID == math.MaxUint64:
		return nil, ErrWorkerIDExhausted
	}
	s.lastID++
	w := newWorker(s, s.lastID, f, options)
	s.live[w] = struct{}{}
	s.byID.put(w)
	w.instance.Attach(w)
	return w, nil
}

// forget makes the worker one that can't be found.
func (s *Workers) forget(w *worker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.instance.Attach((*worker)(nil))
	s.byID.remove(w.id)
	s.unlinkLocked(w)
}

// release is the end of the worker: its quota is free and whoever waits for it goes on.
func (s *Workers) release(w *worker) {
	s.mu.Lock()
	delete(s.live, w)
	s.quota.release(w.options.MaxQueueBytes)
	s.mu.Unlock()
	close(w.done)
}

// everyone returns the workers whose exit observers have not all run.
func (s *Workers) everyone() []*worker {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.live))
}

// report keeps an error for the end of the service.
func (s *Workers) report(err error) {
	if err == nil {
		return
	}
	causes := causesOf(err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.problems.add(err, causes)
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// creator is an instance with workers linked to it.
type creator struct {
	closing <-chan struct{}
	linked  map[*worker]struct{}
}

func (s *Workers) unlinkLocked(w *worker) {
	c := s.creators[w.creator]
	if c == nil {
		return
	}
	delete(c.linked, w)
	if len(c.linked) == 0 {
		delete(s.creators, w.creator)
	}
}

func (s *Workers) linkLocked(w *worker, closing <-chan struct{}) {
	c := s.creators[w.creator]
	if c == nil {
		c = &creator{closing: closing, linked: make(map[*worker]struct{})}
		s.creators[w.creator] = c
	}
	c.linked[w] = struct{}{}
}

func (s *Workers) isLinked(w *worker) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.creators[w.creator]
	if c == nil {
		return false
	}
	_, linked := c.linked[w]
	return linked
}

// linkedLocked returns the workers linked to the instance that closes, and with them those linked to any other that has begun
// to: when a runtime closes, all of them stop at once.
func (s *Workers) linkedLocked(closing wago.InstanceIdentity) (own, others []*worker) {
	if s.creators[closing] == nil {
		return nil, nil
	}
	for identity, c := range s.creators {
		switch linked := slices.Collect(maps.Keys(c.linked)); {
		case identity == closing:
			own = linked
		case isClosed(c.closing):
			others = append(others, linked...)
		}
	}
	return own, others
}
