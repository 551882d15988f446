package fakeworkers

import (
	"fmt"

	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/workerstest"
)

// Spawn starts a worker.
func (p plain) Spawn(caller wago.HostModule, table uint32, options workers.WorkerOptions) (workers.WorkerID, error) {
	f := p.f
	c, err := f.live(caller)
	if err != nil {
		return 0, err
	}
	if options, err = normalize(options); err != nil {
		return 0, err
	}
	if err := f.beginSpawn(options); err != nil {
		return 0, err
	}
	var w *worker
	defer func() { f.endSpawn(w, options) }() // deferred, for a start section may end the goroutine
	if w, err = f.spawn(c.of, table, options); err != nil {
		return 0, err
	}
	go w.run()
	if spawned := f.hooked().Spawned; spawned != nil {
		spawned(w.id)
	}
	return w.id, nil
}

// beginSpawn reserves the worker's quota, and announces a spawn that the end of the service has to wait for.
func (f *Fake) beginSpawn(options workers.WorkerOptions) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return workers.ErrWorkerRuntimeClosed
	}
	if err := f.quota.reserve(options.MaxQueueBytes); err != nil {
		return err
	}
	f.spawning.Add(1)
	return nil
}

func (f *Fake) endSpawn(w *worker, options workers.WorkerOptions) {
	if w == nil {
		f.mu.Lock()
		f.quota.release(options.MaxQueueBytes)
		f.mu.Unlock()
	}
	f.spawning.Done()
}

// spawn makes an instance and, if nothing is in the way, a worker of it.
func (f *Fake) spawn(creator *instance, table uint32, options workers.WorkerOptions) (w *worker, err error) {
	if err := f.beforeSpawn(); err != nil {
		return nil, err
	}
	in, err := f.fork(creator)
	if err != nil {
		return nil, err
	}
	defer func() {
		if w == nil {
			in.close()
		}
	}()
	if err := in.start(); err != nil {
		return nil, f.forkError(in, err)
	}
	if err := checkEntry(table); err != nil {
		return nil, err
	}
	return f.admit(in, options)
}

func (f *Fake) fork(creator *instance) (*instance, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if isClosed(creator.closing) {
		return nil, workers.ErrWorkerParentClosed
	}
	return f.newInstanceLocked(creator), nil
}

// start runs the start section. Its creator's close interrupts it, and what interrupts its creator.
func (in *instance) start() error {
	act, err := in.play(func(s workerstest.Script) func(wago.HostModule) workerstest.Act { return s.Start })
	if err != nil {
		return err
	}
	stop := make(chan struct{})
	if act == workerstest.Spin {
		in.awaitInterrupt()
		close(stop)
	}
	_, err = perform(act, stop, func() error { return workers.ErrWorkerParentClosed })
	return err
}

func (in *instance) awaitInterrupt() {
	in.fake.mu.Lock()
	var creator <-chan struct{} // never, for an owner
	if w := in.creator.worker; w != nil {
		creator = w.interrupted
	}
	in.fake.mu.Unlock()
	select {
	case <-in.closing:
	case <-creator:
	}
}

// forkError says why a start section came to nothing.
func (f *Fake) forkError(in *instance, err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.closed:
		return fmt.Errorf("%w: %w", workers.ErrWorkerRuntimeClosed, err)
	case isClosed(in.closing):
		return fmt.Errorf("%w: %w", workers.ErrWorkerParentClosed, err)
	}
	return err
}

// admit makes the instance a worker, unless the service or its creator has begun to end.
func (f *Fake) admit(in *instance, options workers.WorkerOptions) (*worker, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.closed:
		return nil, workers.ErrWorkerRuntimeClosed
	case isClosed(in.closing) || isClosed(in.creator.closing):
		return nil, workers.ErrWorkerParentClosed
	}
	f.lastID++
	w := newWorker(f, f.lastID, in, options)
	in.worker = w
	f.workers[w.id] = w
	f.living[w] = struct{}{}
	return w, nil
}
