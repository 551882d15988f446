package workers

import (
	"context"
	"errors"
	"fmt"

	wago "github.com/wago-org/wago"
)

// forked is an instance that is to become a worker.
type forked struct {
	creator  wago.InstanceIdentity
	closing  <-chan struct{} // the creator's
	instance *wago.ManagedInstance
	entry    uint32
}

// Spawn starts a worker: see [Service]. A creator that has begun to close is refused with ErrWorkerParentClosed. A start
// section is interrupted when the creator or the runtime begins to close, and, if the creator is a worker, when that would
// be.
//
// Safe for concurrent use.
func (s *Workers) Spawn(caller wago.HostModule, table uint32, options WorkerOptions) (WorkerID, error) {
	creator, err := s.Identity(caller)
	if err != nil {
		return 0, err
	}
	options, err = options.normalize()
	if err != nil {
		return 0, err
	}
	if err := s.begin(options); err != nil {
		return 0, err
	}
	var w *worker
	defer func() { s.finishSpawn(w, options) }() // deferred, for a host function of the start section may end the goroutine
	w, err = s.spawn(caller, forked{creator: creator, entry: table}, options)
	if err != nil {
		return 0, err
	}
	go w.run()
	return w.id, nil
}

// begin takes the worker's quota and announces a spawn that the end of the service has to wait for.
func (s *Workers) begin(options WorkerOptions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed.Load() {
		return ErrWorkerRuntimeClosed
	}
	if err := s.quota.reserve(options.MaxQueueBytes); err != nil {
		return err
	}
	s.spawning.Add(1)
	return nil
}

// finishSpawn takes back what begin gave, the quota only if no worker came of it.
func (s *Workers) finishSpawn(w *worker, options WorkerOptions) {
	if w == nil {
		s.mu.Lock()
		s.quota.release(options.MaxQueueBytes)
		s.mu.Unlock()
	}
	s.spawning.Done()
}

// spawn forks the caller and makes the fork a worker, or closes it.
func (s *Workers) spawn(caller wago.HostModule, f forked, options WorkerOptions) (*worker, error) {
	var err error
	if f.closing, err = s.manager.Closing(caller); err != nil {
		return nil, ErrInvalidWorkerCaller
	}
	if f.instance, err = s.fork(caller); err != nil {
		return nil, s.forkError(caller, err, f.closing)
	}
	if err = f.instance.ValidateVoidTableEntry(f.entry); err == nil {
		var w *worker
		if w, err = s.admit(f, options); err == nil {
			return w, nil
		}
	}
	s.report(f.instance.Close())
	return nil, err
}

// fork lets the host make the instance. The host interrupts the start section when the creator or the runtime begins to
// close; that a creator which is itself a worker is to be interrupted is what the context says.
func (s *Workers) fork(caller wago.HostModule) (*wago.ManagedInstance, error) {
	ctx := context.Background()
	if creator, err := s.calling(caller); err == nil {
		ctx = creator.ctx
	}
	return s.manager.Fork(ctx, caller)
}

// forkError says in this package's terms why the host refused or gave up a fork. The host refuses with ErrPermissionDenied what
// the grant doesn't cover, too.
func (s *Workers) forkError(caller wago.HostModule, err error, closing <-chan struct{}) error {
	switch {
	case errors.Is(err, wago.ErrManagedImportLifetime):
		return fmt.Errorf("%w: %w", ErrWorkerImportLifetime, err)
	case s.closed.Load():
		return fmt.Errorf("%w: %w", ErrWorkerRuntimeClosed, err)
	case isClosed(closing):
		return fmt.Errorf("%w: %w", ErrWorkerParentClosed, err)
	case errors.Is(err, wago.ErrRuntimeClosed): // it has only begun to close
		return fmt.Errorf("%w: %w", ErrWorkerRuntimeClosed, err)
	case errors.Is(err, wago.ErrPermissionDenied) && s.stale(caller):
		return fmt.Errorf("%w: %w", ErrInvalidWorkerCaller, err)
	}
	return err
}

// stale reports whether the caller's host call has ended.
func (s *Workers) stale(caller wago.HostModule) bool {
	_, err := s.manager.CallerIdentity(caller)
	return err != nil
}
