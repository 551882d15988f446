package workerstest_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/workerstest"
)

const (
	consumerID = "example.com/workerstest/consumer"
	grace      = 50 * time.Millisecond
	config     = `{"maxLiveWorkers": 8, "maxQueueBytes": 16777216}`
)

// host is the real service on the real engine, with real guests.
type host struct {
	runtime *wago.Runtime
	module  *wago.Module
	service workers.Service
	script  atomic.Pointer[workerstest.Script]
	jobs    sync.Map // int32 to func(wago.HostModule), for owners
	nextJob atomic.Int32
	opening atomic.Bool // an owner's start section runs
	ctx     context.Context
	cancel  context.CancelFunc
	close   func() error
}

// newHost returns a harness; change, if not nil, puts something between the suite and the service.
func newHost(t *testing.T, change func(*workers.Workers) workers.Service) *host {
	t.Helper()
	h := &host{runtime: wago.NewRuntime()}
	h.script.Store(&workerstest.Script{})
	h.ctx, h.cancel = context.WithCancel(context.Background())
	h.close = sync.OnceValue(func() error { return h.runtime.Close() })
	t.Cleanup(func() { _ = h.close() })

	consumer := h.consumer(change)
	provider := workers.Provider(workers.WithKillGrace(grace))
	require.NoError(t, h.runtime.LoadPlugins(context.Background(), wago.PluginSet{
		Providers: []wago.PluginProvider{consumer, provider},
		Selections: []wago.PluginSelection{
			selection(t, provider, false, config),
			selection(t, consumer, true, ""),
		},
	}))
	source, err := os.ReadFile(filepath.Join("..", "workers", "testdata", "worker.wasm"))
	require.NoError(t, err)
	h.module, err = h.runtime.Compile(source)
	require.NoError(t, err)
	return h
}

func selection(t *testing.T, provider wago.PluginProvider, direct bool, config string) wago.PluginSelection {
	t.Helper()
	digest, err := wago.DefinitionDigest(provider.Definition)
	require.NoError(t, err)
	s := wago.PluginSelection{ID: provider.Definition.ID, DefinitionDigest: digest, Direct: direct, Config: []byte(config)}
	for _, request := range provider.Definition.Authorities {
		s.Grants = append(s.Grants, wago.AuthorityGrant{Name: request.Name, Scope: request.Scope})
	}
	for _, consumed := range provider.Definition.Consumes {
		s.Contracts = append(s.Contracts, wago.ContractBinding{ID: consumed.ID, Major: consumed.Major, Providers: []string{workers.PluginID}})
	}
	return s
}

// consumer is the plugin that guests call.
func (h *host) consumer(change func(*workers.Workers) workers.Service) wago.PluginProvider {
	contract := workers.Contract
	return wago.PluginProvider{
		Definition: wago.PluginDefinition{
			ID: consumerID, Version: "1.0.0",
			Provenance: wago.PluginProvenance{Repository: "https://example.com/workerstest/consumer", License: "Apache-2.0"},
			Authorities: []wago.AuthorityRequest{{
				Name: wago.AuthorityHostImportDefine, Mode: wago.AuthorityRequired, Reason: "scripts guests",
				Scope: wago.AuthorityScope{Modules: []string{"env"}},
			}},
			Consumes: []wago.ContractRequirement{{ID: contract.ID(), Major: contract.Major(), Mode: wago.ContractRequired}},
		},
		New: func() wago.Plugin { return &consumer{h, change} },
	}
}

type consumer struct {
	*host
	change func(*workers.Workers) workers.Service
}

func (c *consumer) Register(registrar *wago.Registrar) error {
	imports, err := registrar.HostImports()
	if err != nil {
		return err
	}
	env, err := imports.Module("env")
	if err != nil {
		return err
	}
	env.Func("run", c.run).Params(wago.ValI32, wago.ValI32, wago.ValI32).Results(wago.ValI32)
	ref, err := wagoplugin.Require(registrar, workers.Contract)
	if err != nil {
		return err
	}
	return registrar.Lifecycle(wago.PluginLifecycle{
		Start: func(context.Context) error {
			return ref.With(func(service workers.Service) error {
				c.service = service // kept past the lease, so that it can be asked after its end
				if c.change != nil {
					c.service = c.change(service.(*workers.Workers))
				}
				return nil
			})
		},
		Stop: func(context.Context) error {
			c.cancel()
			return nil
		},
	})
}

// What a guest says when it calls: see worker.wat.
const (
	opStep  = 0
	opStart = 1
	opCall  = 2
)

func (h *host) run(caller wago.HostModule, params, results []uint64) {
	act := workerstest.Return
	script := h.script.Load()
	switch op := wago.AsI32(params[0]); {
	case op == opStep && script.Step != nil:
		act = script.Step(caller)
	case op == opStart && script.Start != nil && !h.opening.Load():
		act = script.Start(caller)
	case op == opCall:
		job, _ := h.jobs.Load(wago.AsI32(params[1]))
		job.(func(wago.HostModule))(caller)
	}
	results[0] = obey(act)
}

// obey turns an act into the answer the guest understands.
func obey(act workerstest.Act) uint64 {
	switch act {
	case workerstest.Again:
		return 0
	case workerstest.Trap:
		return 2
	case workerstest.Spin:
		return 3
	case workerstest.Exit0:
		panic(wago.HostExit{Code: 0})
	case workerstest.Exit7:
		panic(wago.HostExit{Code: 7})
	case workerstest.Abort:
		panic(wago.HostTrap{Err: workerstest.ErrAborted})
	}
	return 1
}

func (h *host) Service() workers.Service    { return h.service }
func (h *host) Script(s workerstest.Script) { h.script.Store(&s) }
func (h *host) Entry() uint32               { return 0 }
func (h *host) BadEntries() []uint32        { return []uint32{1, 2, 3, 1 << 31} }
func (h *host) Grace() time.Duration        { return grace }
func (h *host) Context() context.Context    { return h.ctx }
func (h *host) Close() error                { return h.close() }
func (h *host) Limits() workers.WorkerLimits {
	return workers.WorkerLimits{MaxLiveWorkers: 8, MaxQueueBytes: 16 << 20}
}

func (h *host) Guests() int {
	opened, closed := h.runtime.Instances()
	return int(opened - closed)
}

func (h *host) Owner() (workerstest.Owner, error) {
	h.opening.Store(true)
	defer h.opening.Store(false)
	instance, err := h.runtime.Instantiate(context.Background(), h.module)
	if err != nil {
		return nil, err
	}
	return &owner{h, instance}, nil
}

type owner struct {
	host     *host
	instance *wago.Instance
}

// Call runs f on the goroutine that runs the guest. A failed requirement in f ends that goroutine, which the caller's has to
// follow.
func (o *owner) Call(f func(wago.HostModule)) error {
	job := o.host.nextJob.Add(1)
	o.host.jobs.Store(job, f)
	defer o.host.jobs.Delete(job)
	_, err := o.instance.Invoke("call", wago.I32(job))
	return err
}

func (o *owner) Close() error {
	err := o.instance.Close()
	if errors.Is(err, wago.ErrInvalidHandle) {
		return nil
	}
	return err
}

var _ workerstest.Harness = (*host)(nil)
