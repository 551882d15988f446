package pool_test

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
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

// What the guest that attacks can do besides the rig's own acts. All but plants and spies never come back.
const (
	plants  rig.Act = 8 + iota // has a secret in all its memory
	spies                      // says how much of its memory is not as it begins
	floods                     // submits to its own pool
	creates                    // creates pools
	scales                     // scales a pool of its own up and down
	logs                       // gives the host all its memory to log
	pages                      // grows its memory
	tables                     // grows its table
	outside                    // gives the host a range behind its memory, and goes on
)

//go:embed testdata/isolation/hostile.wasm
var hostileGuest []byte

// What a host of these tests allows.
const (
	guestPages = 8  // how far the memory of a guest can grow (64 KiB each)
	maxGuests  = 24 // workers that live
	maxPools   = 6
)

// attack is a runtime whose guests attack, an owner, and a pool of them.
type attack struct {
	*rig.Rig
	*hostile
	owner *rig.Owner
	id    pool.PoolID
	key   uint64 // whose home is not the guest that attacks
}

func newAttack(t testing.TB, opts pool.PoolOptions) *attack {
	t.Helper()
	a := &attack{hostile: &hostile{own: make(map[wago.InstanceIdentity]pool.PoolID), calls: make(map[error]int)}}
	a.Rig = rig.New(t, rig.Config{
		Guest: hostileGuest, Plugins: []wago.PluginProvider{a.provider()}, Quiet: true,
		Settings: map[string]string{
			workers.PluginID: fmt.Sprintf(`{"maxLiveWorkers": %d}`, maxGuests), pool.PluginID: fmt.Sprintf(`{"maxPools": %d}`, maxPools),
		},
		Runtime: []wago.RuntimeOption{wago.WithRuntimeConfig(wago.NewRuntimeConfig().WithMemoryLimitPages(guestPages))},
	})
	t.Cleanup(func() { require.NoError(t, a.Pull(func() {})) }) // hostile guests call until they are stopped
	a.hostile.service = a.Service
	a.owner = a.Owner()
	a.id = a.create(a.owner, opts)
	return a
}

func (a *attack) create(owner *rig.Owner, opts pool.PoolOptions) pool.PoolID {
	a.T.Helper()
	id, err := a.Service.Create(owner.Caller, rig.EntryLoop, opts)
	require.NoError(a.T, err)
	return id
}

func (a *attack) stats(id pool.PoolID) pool.PoolStats {
	a.T.Helper()
	stats, err := a.Service.Stats(id)
	require.NoError(a.T, err)
	return stats
}

// sure is for pools in which what is meant for a neighbour goes to that neighbour.
var sure = pool.PoolOptions{MinWorkers: 2, Strategy: pool.ConsistentHash, Overflow: pool.OverflowReject}

// begin gives the pool one task, on which one of its guests does what is said, and waits until it is at it.
func (a *attack) begin(how rig.Act) {
	a.T.Helper()
	home := a.give(pool.Task{})
	for a.key = 1; a.give(pool.Task{Key: a.key}) == home; a.key++ {
	}
	a.Act(rig.ActOn(how, attackTag))
	a.give(pool.Task{Tag: attackTag})
	a.Eventually(func() bool { return a.stats(a.id).Workers[0].Running+a.stats(a.id).Workers[1].Running > 0 }, "the guest is at it")
}

func (a *attack) give(task pool.Task) pool.WorkerID {
	a.T.Helper()
	worker, err := a.Service.SubmitTask(a.id, task)
	require.NoError(a.T, err)
	return worker
}

const attackTag = 666

// end destroys the pool. Under load a guest that was busy in the host may be interrupted after Destroy has given up waiting.
func (a *attack) end() {
	a.T.Helper()
	if err := a.Service.Destroy(a.id); err != nil {
		require.ErrorIs(a.T, err, pool.ErrPoolWorkersRemain)
	}
	a.Eventually(func() bool { return a.LiveWorkers() == a.members() }, "its guests have gone, and those of their pools")
}

// members is the number of workers that the pools say they have.
func (a *attack) members() (n int) {
	for _, id := range a.Service.List() {
		if stats, err := a.Service.Stats(id); err == nil {
			n += len(stats.Workers)
		}
	}
	return n
}

// answer is what Call says of a harmless task, for the neighbour of a guest that attacks, within the time that a test has.
func (a *attack) answer(id pool.PoolID) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err := a.Service.Call(ctx, id, pool.Task{Key: a.key})
	return err
}

const patience = 20 * time.Second

// hostile is the plugin of the guest that attacks: it passes everything on, and refuses only what Pool refuses.
type hostile struct {
	service pool.Service // set before the first guest runs
	pools   *wagoplugin.Ref[pool.Service]
	manager *wago.InstanceManager
	callers *wago.CallerResolver

	submits atomic.Uint64

	mu    sync.Mutex
	own   map[wago.InstanceIdentity]pool.PoolID // guarded by mu: the last pool that an instance created
	calls map[error]int                         // guarded by mu: by what was answered
	found []uint32                              // guarded by mu: what spies said
	bytes uint64                                // guarded by mu: logged
}

const hostileID = "example.com/pool/hostile"

func (h *hostile) provider() wago.PluginProvider {
	authorities := []wago.AuthorityRequest{
		{Name: wago.AuthorityHostImportDefine, Scope: wago.AuthorityScope{Modules: []string{"hostile"}}},
		{Name: wago.AuthorityInstanceManage, Scope: wago.AuthorityScope{MaxInstances: 1, MaxMemoryBytes: 1 << 20}},
		{Name: wago.AuthorityHostCallerIdentify},
	}
	for i := range authorities {
		authorities[i].Mode, authorities[i].Reason = wago.AuthorityRequired, "what guests attack with"
	}
	return wago.PluginProvider{
		Definition: wago.PluginDefinition{
			ID: hostileID, Version: "1.0.0",
			Provenance:  wago.PluginProvenance{Repository: "https://example.com/pool/hostile", License: "Apache-2.0"},
			Requires:    []wago.PluginRequirement{{ID: pool.PluginID, Version: "^0.1.0"}},
			Authorities: authorities,
			Consumes:    []wago.ContractRequirement{{ID: pool.Contract.ID(), Major: 1, Mode: wago.ContractRequired}},
		},
		New: func() wago.Plugin { return pluginFunc(h.register) },
	}
}

func (h *hostile) register(reg *wago.Registrar) (err error) {
	if h.pools, err = wagoplugin.Require(reg, pool.Contract); err != nil {
		return err
	}
	if h.manager, err = reg.ManagedInstances(); err != nil {
		return err
	}
	if h.callers, err = reg.HostCallers(); err != nil {
		return err
	}
	imports, err := reg.HostImports()
	if err != nil {
		return err
	}
	module, err := imports.Module("hostile")
	if err != nil {
		return err
	}
	module.Func("found", h.hear).Params(wago.ValI32)
	module.Func("submit", h.submit).Params(wago.ValI32, wago.ValI32)
	module.Func("create", h.create)
	module.Func("scale", h.scale).Params(wago.ValI32)
	module.Func("log", h.log).Params(wago.ValI32, wago.ValI32)
	return nil
}

func (h *hostile) hear(_ wago.HostModule, params, _ []uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.found = append(h.found, uint32(params[0]))
}

// heard returns what spies said since the last time, once there is so much of it.
func (a *attack) heard(n int) (found []uint32) {
	a.T.Helper()
	a.Eventually(func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		return len(a.found) >= n
	}, "spies")
	a.mu.Lock()
	defer a.mu.Unlock()
	found, a.found = a.found, nil
	return found
}

// submit gives the guest's bytes to the pool of the workers, whoever it is.
func (h *hostile) submit(caller wago.HostModule, params, _ []uint64) {
	payload, err := view(caller, params)
	if err != nil {
		panic(wago.HostTrap{Err: err})
	}
	tag := h.submits.Add(1) << 32
	h.ask(func() error {
		_, err := h.service.SubmitFrom(caller, h.service.List()[0], tag, payload)
		return err
	})
}

func (h *hostile) create(caller wago.HostModule, _, _ []uint64) {
	h.ask(func() error {
		id, err := h.service.Create(caller, rig.EntryLoop, pool.PoolOptions{MaxWorkers: 8})
		if err != nil {
			return err
		}
		who, err := h.callers.Resolve(caller)
		h.mu.Lock()
		defer h.mu.Unlock()
		h.own[who] = id
		return err
	})
}

// scale creates the pool first, if it has to.
func (h *hostile) scale(caller wago.HostModule, params, _ []uint64) {
	who, err := h.callers.Resolve(caller)
	if err != nil {
		panic(wago.HostTrap{Err: err})
	}
	h.mu.Lock()
	id := h.own[who]
	h.mu.Unlock()
	if id == 0 {
		h.create(caller, nil, nil)
		return
	}
	h.ask(func() error { return h.service.Scale(caller, id, uint32(params[0])) })
}

func (h *hostile) log(caller wago.HostModule, params, _ []uint64) {
	text, err := view(caller, params)
	if err != nil {
		panic(wago.HostTrap{Err: err})
	}
	h.ask(func() error {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.bytes += uint64(len(text))
		return nil
	})
}

// ask counts what Pool answers; an error by the sentinel that it wraps.
func (h *hostile) ask(what func() error) {
	err := h.pools.With(func(pool.Service) error { return what() })
	if at := slices.IndexFunc(typed, func(known error) bool { return errors.Is(err, known) }); at >= 0 {
		err = typed[at]
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls[err]++
}

// typed are the sentinels that guests of these tests can meet, those of the last moments of a pool and of a runtime last.
var typed = []error{
	pool.ErrPoolBackpressure, pool.ErrPayloadTooLarge, pool.ErrPoolLimit, pool.ErrPoolWorkerLimit, pool.ErrPoolEmpty,
	pool.ErrPoolNotFound, pool.ErrPoolDestroyed, workers.ErrWorkerParentClosed, wago.ErrInstanceClosed,
}

// answers returns what guests were answered, and how often.
func (h *hostile) answers() map[error]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.calls)
}

var errOutside = errors.New("outside the guest's memory")

// view returns the guest's own bytes, as a careful consumer does.
func view(caller wago.HostModule, params []uint64) ([]byte, error) {
	at, n, memory := uint64(uint32(params[0])), uint64(uint32(params[1])), caller.Memory()
	if at+n > uint64(len(memory)) {
		return nil, errOutside
	}
	return memory[at : at+n : at+n], nil
}
