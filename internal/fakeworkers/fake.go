package fakeworkers

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/workerstest"
)

// Config shapes a fake. The zero value is the service with all extras and default limits.
type Config struct {
	// Limits are the service's ceilings; zero fields mean Workers' defaults.
	Limits workers.WorkerLimits
	// Grace is how long a worker that was told to stop may take before it is interrupted. Defaults to
	// workers.DefaultKillGrace (1 s).
	Grace time.Duration
	// Without are the extras that the service is not to have: none, one or all of the methods, with or without Ceiling.
	Without Extras
}

// Fake is a Workers service and the guests that it runs.
//
// Safe for concurrent use.
type Fake struct {
	// set once
	config  Config
	service workers.Service
	ctx     context.Context
	cancel  context.CancelFunc
	shut    func() error

	observers observers
	spawning  sync.WaitGroup

	mu        sync.Mutex // guards what follows; never held over a guest, an observer or a hook
	script    workerstest.Script
	hooks     Hooks
	instances map[*instance]struct{} // those that exist
	workers   map[workers.WorkerID]*worker
	living    map[*worker]struct{} // until their exit observers have run
	quota     quota
	lastID    workers.WorkerID
	lastSpawn int
	ending    bool // the runtime closes
	closed    bool // the service has ended
	problems  []error
}

var _ workerstest.Harness = (*Fake)(nil)

// New returns a fake whose guests return at once, until Script says otherwise. It panics when there is no service for
// Config.Without.
func New(config Config) *Fake {
	if config.Grace == 0 {
		config.Grace = workers.DefaultKillGrace
	}
	f := &Fake{
		config:    config,
		instances: make(map[*instance]struct{}),
		workers:   make(map[workers.WorkerID]*worker),
		living:    make(map[*worker]struct{}),
		quota:     newQuota(config.Limits, config.Without.has(Ceiling)),
	}
	f.observers.known = make(map[workers.Subscription]*observer)
	f.ctx, f.cancel = context.WithCancel(context.Background())
	f.shut = sync.OnceValue(f.shutdown)
	f.service = f.assemble(config.Without)
	return f
}

// Service is the service, with the extras that it is to have and no others.
func (f *Fake) Service() workers.Service { return f.service }

// Script sets what all guests do from now on.
func (f *Fake) Script(script workerstest.Script) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.script = script
}

// Entry is the table index of the worker's function.
func (f *Fake) Entry() uint32 { return 0 }

// BadEntries are table indexes that can't be a worker's function.
func (f *Fake) BadEntries() []uint32 { return []uint32{1, 2, 1 << 31} }

func checkEntry(table uint32) error {
	if table != 0 {
		return fmt.Errorf("fakeworkers: table entry %d is no function without parameters and results", table)
	}
	return nil
}

// Limits are the service's ceilings.
func (f *Fake) Limits() workers.WorkerLimits { return f.quota.limits }

// Grace is how long a worker that was told to stop may take before it is interrupted.
func (f *Fake) Grace() time.Duration { return f.config.Grace }

// Context ends when Close tells the consumer to stop.
func (f *Fake) Context() context.Context { return f.ctx }

// Guests counts the instances that exist, owners included.
func (f *Fake) Guests() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.instances)
}

// Close ends everything in the order of a runtime's close: every instance learns of it, the owners close, the consumer is
// told to stop, the service ends. It returns what went wrong unseen, such as panics of exit observers.
func (f *Fake) Close() error { return f.shut() }

func (f *Fake) shutdown() error {
	for _, owner := range f.signalAll() {
		owner.close()
	}
	f.cancel()
	f.mu.Lock()
	f.closed = true
	left := make([]*worker, 0, len(f.living))
	for w := range f.living {
		w.stopLocked(workers.ErrWorkerRuntimeClosed, false, f.config.Grace)
		left = append(left, w)
	}
	f.mu.Unlock()
	for _, w := range left {
		<-w.done
	}
	f.spawning.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	return errors.Join(f.problems...)
}

// signalAll tells every instance that it is going to close, and every worker to stop, before anything waits for one of them.
// It returns the owners.
func (f *Fake) signalAll() (owners []*instance) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ending = true
	for w := range f.living {
		cause := error(workers.ErrWorkerRuntimeClosed)
		if w.linked {
			cause = workers.ErrWorkerParentClosed
		}
		w.stopLocked(cause, false, f.config.Grace)
	}
	for in := range f.instances {
		in.signalLocked()
		if in.creator == nil {
			owners = append(owners, in)
		}
	}
	return owners
}

// report keeps an error for Close.
func (f *Fake) report(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.problems = append(f.problems, err)
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
