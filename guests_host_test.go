package pool_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
	"github.com/wago-org/workers"
)

// guestHost is a runtime with Workers, Pool, and a plugin that answers everything that any guest of this repository imports:
// whichever function it calls to own a pool gives it one, which is used, supervised and destroyed before that function
// returns.
type guestHost struct {
	runtime *wago.Runtime
	pools   *wagoplugin.Ref[pool.Service]
	workers *wagoplugin.Ref[workers.Service]

	// set before the first guest runs
	service pool.Service
	killer  interface {
		KillWithin(pool.WorkerID, time.Duration, error) error
	}

	turn atomic.Pointer[guestTurn]

	mu     sync.Mutex
	finals map[pool.PoolID]pool.PoolStats // guarded by mu: of the pools that ended
}

// guestTurn is one guest, and what it does with its pool.
type guestTurn struct {
	code      *wago.Compiled
	served    atomic.Bool
	id        pool.PoolID
	succeeded uint64 // calls
	err       error  // what must not be
}

const (
	guestCalls   = 6
	guestTime    = 20 * time.Millisecond // for all that is done with a pool
	guestCall    = 5 * time.Millisecond  // for a call without host calls, or a start section
	guestTimeout = 2 * time.Millisecond  // for a task
)

func newGuestHost(t testing.TB) *guestHost {
	t.Helper()
	h := &guestHost{finals: make(map[pool.PoolID]pool.PoolStats)}
	set, err := rig.Select([]wago.PluginProvider{workers.Provider(), pool.Provider(), h.provider()}, nil)
	require.NoError(t, err)
	h.runtime = wago.NewRuntime(wago.WithRuntimeConfig(wago.NewRuntimeConfig().WithMemoryLimitPages(64)))
	t.Cleanup(func() { require.NoError(t, h.runtime.Close()) })
	require.NoError(t, h.runtime.LoadPlugins(context.Background(), set))
	require.NoError(t, h.pools.With(func(s pool.Service) error { h.service = s; return nil }))
	require.NoError(t, h.workers.With(func(w workers.Service) error {
		h.killer = w.(*workers.Workers)
		return nil
	}))
	_, err = h.service.ObserveEvents(h.observe)
	require.NoError(t, err)
	return h
}

func (h *guestHost) observe(e *pool.PoolEvent) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e.Final != nil {
		h.finals[e.Pool] = *e.Final
	}
}

// final takes what is known of the end of a pool.
func (h *guestHost) final(id pool.PoolID) (stats pool.PoolStats, ended bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	stats, ended = h.finals[id]
	if ended {
		clear(h.finals) // there may be others, of pools that could not be made
	}
	return stats, ended
}

const guestHostID = "example.com/pool/guests"

func (h *guestHost) provider() wago.PluginProvider {
	modules := []string{"pool", "pooltest", "env", "hostile", wago.WASIModule}
	return wago.PluginProvider{
		Definition: wago.PluginDefinition{
			ID: guestHostID, Version: "1.0.0",
			Provenance: wago.PluginProvenance{Repository: "https://" + guestHostID, License: "Apache-2.0"},
			Authorities: []wago.AuthorityRequest{{
				Name: wago.AuthorityHostImportDefine, Mode: wago.AuthorityRequired, Reason: "guests call it",
				Scope: wago.AuthorityScope{Modules: modules},
			}},
			Consumes: []wago.ContractRequirement{
				{ID: pool.Contract.ID(), Major: 1, Mode: wago.ContractRequired},
				{ID: workers.Contract.ID(), Major: 1, Mode: wago.ContractRequired},
			},
		},
		New: func() wago.Plugin { return pluginFunc(h.register) },
	}
}

func (h *guestHost) register(reg *wago.Registrar) (err error) {
	if h.pools, err = wagoplugin.Require(reg, pool.Contract); err != nil {
		return err
	}
	if h.workers, err = wagoplugin.Require(reg, workers.Contract); err != nil {
		return err
	}
	imports, err := reg.HostImports()
	if err != nil {
		return err
	}
	for _, f := range h.functions() {
		module, err := imports.Module(f.module)
		if err != nil {
			return err
		}
		module.Func(f.name, f.call).Params(make32(f.params)...).Results(f.results...)
	}
	return imports.WASI(wago.WASIConfig{})
}

// own makes the guest's pool, has its workers do all kinds of things, and ends it.
func (h *guestHost) own(caller wago.HostModule, params, _ []uint64) {
	turn := h.turn.Load()
	if !turn.served.CompareAndSwap(false, true) {
		return
	}
	id, err := h.service.Create(caller, uint32(params[0]), pool.PoolOptions{
		MinWorkers: 2, MaxRestarts: 3, Retries: 1, TaskTimeout: guestTimeout,
		Worker: pool.WorkerOptions{QueueCapacity: 2, MaxPayloadBytes: 64, MaxQueueBytes: 128},
	})
	if err != nil {
		return // it is not one that can be a worker
	}
	turn.id = id
	ctx, cancel := context.WithTimeout(context.Background(), guestTime)
	defer cancel()
	var supervised sync.WaitGroup
	supervised.Go(func() { _ = h.service.Supervise(ctx, caller, id) })
	turn.succeeded = h.use(ctx, id)
	cancel()
	h.stop(id)
	turn.err = h.service.Destroy(id)
	supervised.Wait()
}

// use gives the pool its tasks and waits for them.
func (h *guestHost) use(ctx context.Context, id pool.PoolID) uint64 {
	var succeeded atomic.Uint64
	var calls sync.WaitGroup
	for tag := range uint64(guestCalls) {
		calls.Go(func() {
			payload := fmt.Appendf(nil, `{"task": %d}`, tag)
			if _, err := h.service.Call(ctx, id, pool.Task{Tag: tag, Key: tag, Payload: payload}); err == nil {
				succeeded.Add(1)
			}
		})
	}
	calls.Wait()
	return succeeded.Load()
}

// stop interrupts the workers that are left: Destroy would give them a second.
func (h *guestHost) stop(id pool.PoolID) {
	stats, err := h.service.Stats(id)
	if err != nil {
		return
	}
	for _, w := range stats.Workers {
		_ = h.killer.KillWithin(w.ID, 0, errGuestStopped) // an error: it has gone
	}
}
