package workers

import (
	"sync"
	"sync/atomic"
	"time"

	wago "github.com/wago-org/wago"
)

// DefaultKillGrace is how long a worker that was told to stop may take to come back before it is interrupted. See
// [WithKillGrace].
const DefaultKillGrace = time.Second

// Workers is the [Service] of one runtime, with more methods than the contract has. Consumers that want those look for them
// with an interface of their own: [Workers.SendOwned], [Workers.Retire], [Workers.KillWithin], [Workers.Closing],
// [Workers.Identity]. It can't be made outside this package; the zero value answers ErrWorkersInactive.
//
// Safe for concurrent use.
type Workers struct {
	// Set once.
	manager *wago.InstanceManager
	grace   time.Duration

	mu       sync.Mutex
	quota    quota                              // guarded by mu
	lastID   WorkerID                           // guarded by mu
	live     map[*worker]struct{}               // guarded by mu: until the exit observers have run
	creators map[wago.InstanceIdentity]*creator // guarded by mu: those with linked workers
	problems problems                           // guarded by mu: what Stop returns
	spawning sync.WaitGroup                     // joined with mu free; Add is guarded by mu and refused once closed

	closed    atomic.Bool // written with mu held
	byID      table       // written with mu held
	observers observers
}

var _ Service = (*Workers)(nil)

func newWorkers(manager *wago.InstanceManager, limits WorkerLimits, grace time.Duration) *Workers {
	return &Workers{
		manager:  manager,
		grace:    grace,
		quota:    quota{limits: limits.normalize()},
		live:     make(map[*worker]struct{}),
		creators: make(map[wago.InstanceIdentity]*creator),
	}
}

// Current says which worker the caller is: ErrWorkerNotFound for every other caller, an expired one included.
//
// Safe for concurrent use.
func (s *Workers) Current(caller wago.HostModule) (WorkerID, error) {
	if s.manager == nil {
		return 0, ErrWorkersInactive
	}
	w, err := s.calling(caller)
	if err != nil {
		return 0, ErrWorkerNotFound
	}
	return w.id, nil
}

// Identity returns the identity of the caller's instance, worker or not, or ErrInvalidWorkerCaller.
//
// Safe for concurrent use.
func (s *Workers) Identity(caller wago.HostModule) (wago.InstanceIdentity, error) {
	if s.manager == nil {
		return wago.InstanceIdentity{}, ErrWorkersInactive
	}
	identity, err := s.manager.CallerIdentity(caller)
	if err != nil {
		return wago.InstanceIdentity{}, ErrInvalidWorkerCaller
	}
	return identity, nil
}

// calling returns the worker that makes a host call.
func (s *Workers) calling(caller wago.HostModule) (*worker, error) {
	managed, err := s.manager.ManagedCaller(caller)
	if err != nil {
		return nil, ErrInvalidWorkerCaller
	}
	if w, _ := managed.Attached().(*worker); w != nil {
		return w, nil
	}
	return nil, ErrWorkerNotFound
}
