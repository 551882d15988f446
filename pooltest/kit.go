package pooltest

import (
	"context"
	"sync"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
	"github.com/wago-org/workers"
)

// Kit is a runtime with Workers, Pool and the plugins under test. Make one with [Start].
//
// Safe for concurrent use, but for what fails the test: call that on the test's own goroutine.
type Kit struct {
	// Runtime runs the guests. Use it for what the kit has no word for.
	Runtime *wago.Runtime
	// Service is Pool's contract, or the double of it. It can be used outside leases, and after Close to see what it says then.
	Service pool.Service
	// Workers is the contract of the layer below.
	Workers workers.Service

	t      testing.TB
	config Config

	pools   *wagoplugin.Ref[pool.Service]
	workers *wagoplugin.Ref[workers.Service]

	arrivals chan arrival
	arriving sync.Mutex // one owner at a time, so that an arrival is known to be the one that is waited for
	parked   sync.WaitGroup
	closing  sync.Once

	mu        sync.Mutex // guards what follows
	behaviour Behaviour
	final     []pool.PoolStats // of pools that ended
}

// Start loads the plugins and returns when they run. The test closes the kit when it ends: see [Kit.Close].
func Start(t testing.TB, config Config) *Kit {
	t.Helper()
	k := &Kit{t: t, config: config, arrivals: make(chan arrival)}
	k.Behave(config.Behaviour)
	k.Runtime = wago.NewRuntime(config.Runtime...)
	t.Cleanup(k.Close)
	if err := k.load(); err != nil {
		t.Fatalf("pooltest: loading the plugins: %v", err)
	}
	return k
}

// load starts the plugins and takes hold of both contracts.
func (k *Kit) load() error {
	set, err := k.selection()
	if err != nil {
		return err
	}
	if err := k.Runtime.LoadPlugins(context.Background(), set); err != nil {
		return err
	}
	if err := k.workers.With(func(w workers.Service) error { k.Workers = w; return nil }); err != nil {
		return err
	}
	return k.pools.With(func(s pool.Service) error {
		k.Service = s
		if k.config.Double != nil {
			k.Service = k.config.Double(s)
		}
		_, err := s.ObserveEvents(k.ended)
		return err
	})
}

// ended keeps the last ledger of each pool.
func (k *Kit) ended(e *pool.PoolEvent) {
	if e.Final == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.final = append(k.final, *e.Final)
}

// Behave changes what workers do with the tasks that they take from now on. Nil: [GoOn] with each.
func (k *Kit) Behave(b Behaviour) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if b == nil {
		b = func(*Worker, pool.Task) Act { return GoOn }
	}
	k.behaviour = b
}

func (k *Kit) behaves() Behaviour {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.behaviour
}

// Instantiate makes an instance of a guest, which the runtime closes.
func (k *Kit) Instantiate(guest []byte) *wago.Instance {
	k.t.Helper()
	module, err := k.Runtime.Compile(guest)
	if err != nil {
		k.t.Fatalf("pooltest: compiling the guest: %v", err)
	}
	instance, err := k.Runtime.Instantiate(context.Background(), module)
	if err != nil {
		k.t.Fatalf("pooltest: instantiating the guest: %v", err)
	}
	return instance
}
