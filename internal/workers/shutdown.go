package workers

import "context"

// shutdown is the plugin's Stop: no more workers, messages and observers; every worker is told to stop and waited for. When
// ctx ends the grace is over for all of them. It returns what went wrong unseen: panics of exit observers above all.
func (s *Workers) shutdown(ctx context.Context) error {
	s.mu.Lock()
	s.closed.Store(true)
	s.mu.Unlock()
	s.observers.close()
	all := s.everyone() // complete: nothing is admitted any more
	for _, w := range all {
		w.stop(ErrWorkerRuntimeClosed, stopAsked, s.grace)
	}
	for _, w := range all {
		select {
		case <-w.done:
			continue
		case <-ctx.Done():
		}
		for _, w := range all {
			w.stop(ErrWorkerRuntimeClosed, stopAsked, 0)
		}
		<-w.done
	}
	s.spawning.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.problems.join()
}
