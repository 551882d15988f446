package script_test

import (
	"context"
	"errors"
	"fmt"
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

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/script"
	"github.com/JairusSW/pool/internal/workerstest"
)

func TestScriptsOnRealGuests(t *testing.T) {
	for name, path := range scripts(t) {
		t.Run(name, func(t *testing.T) {
			why, err := script.FakeOnly(path)
			require.NoError(t, err)
			if why != "" {
				t.Skip("on the fake only: " + why)
			}
			script.Run(t, path, func(limits workers.WorkerLimits, _ fakeworkers.Extras) workerstest.Harness {
				return newHost(t, limits)
			}, false)
		})
	}
}

// host is Workers on the real engine, with guests that do what the host function answers.
type host struct {
	runtime *wago.Runtime
	module  *wago.Module
	service workers.Service
	limits  workers.WorkerLimits
	ctx     context.Context
	cancel  context.CancelFunc
	close   func() error

	script  atomic.Pointer[workerstest.Script]
	jobs    sync.Map // int32 to func(wago.HostModule), for owners
	lastJob atomic.Int32
	opening atomic.Bool // an owner's start section runs
}

var _ workerstest.Harness = (*host)(nil)

func newHost(t *testing.T, limits workers.WorkerLimits) *host {
	t.Helper()
	h := &host{runtime: wago.NewRuntime(), limits: limits}
	h.script.Store(&workerstest.Script{})
	h.ctx, h.cancel = context.WithCancel(context.Background())
	h.close = sync.OnceValue(h.runtime.Close)
	consumer, provider := h.consumer(), workers.Provider()
	require.NoError(t, h.runtime.LoadPlugins(t.Context(), wago.PluginSet{
		Providers: []wago.PluginProvider{consumer, provider},
		Selections: []wago.PluginSelection{
			selection(t, provider, false, settings(limits)), selection(t, consumer, true, ""),
		},
	}))
	source, err := os.ReadFile(filepath.Join("..", "workers", "testdata", "worker.wasm"))
	require.NoError(t, err)
	h.module, err = h.runtime.Compile(source)
	require.NoError(t, err)
	return h
}

func settings(limits workers.WorkerLimits) string {
	live, bytes := limits.MaxLiveWorkers, limits.MaxQueueBytes
	if live == 0 {
		live = workers.DefaultMaxLiveWorkers
	}
	if bytes == 0 {
		bytes = workers.DefaultMaxServiceQueueBytes
	}
	return fmt.Sprintf(`{"maxLiveWorkers": %d, "maxQueueBytes": %d}`, live, bytes)
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
		s.Contracts = append(s.Contracts, wago.ContractBinding{
			ID: consumed.ID, Major: consumed.Major, Providers: []string{workers.PluginID},
		})
	}
	return s
}

// consumer is the plugin that guests call.
func (h *host) consumer() wago.PluginProvider {
	return wago.PluginProvider{
		Definition: wago.PluginDefinition{
			ID: "example.com/script/consumer", Version: "1.0.0",
			Provenance: wago.PluginProvenance{Repository: "https://example.com/script/consumer", License: "Apache-2.0"},
			Authorities: []wago.AuthorityRequest{{
				Name: wago.AuthorityHostImportDefine, Mode: wago.AuthorityRequired, Reason: "moves guests",
				Scope: wago.AuthorityScope{Modules: []string{"env"}},
			}},
			Consumes: []wago.ContractRequirement{{
				ID: workers.Contract.ID(), Major: workers.Contract.Major(), Mode: wago.ContractRequired,
			}},
		},
		New: func() wago.Plugin { return plugin{h} },
	}
}

type plugin struct{ *host }

func (p plugin) Register(registrar *wago.Registrar) error {
	imports, err := registrar.HostImports()
	if err != nil {
		return err
	}
	env, err := imports.Module("env")
	if err != nil {
		return err
	}
	env.Func("run", p.run).Params(wago.ValI32, wago.ValI32, wago.ValI32).Results(wago.ValI32)
	ref, err := wagoplugin.Require(registrar, workers.Contract)
	if err != nil {
		return err
	}
	return registrar.Lifecycle(wago.PluginLifecycle{
		Start: func(context.Context) error {
			return ref.With(func(service workers.Service) error {
				p.service = service // kept past the lease: a script asks it after its end, too
				return nil
			})
		},
		Stop: func(context.Context) error {
			p.cancel()
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

// answers are what the guest understands.
var answers = map[workerstest.Act]uint64{
	workerstest.Again: 0, workerstest.Return: 1, workerstest.Trap: 2, workerstest.Spin: 3,
}

func (h *host) run(caller wago.HostModule, params, results []uint64) {
	act := workerstest.Return
	s := h.script.Load()
	switch op := wago.AsI32(params[0]); {
	case op == opStep && s.Step != nil:
		act = s.Step(caller)
	case op == opStart && s.Start != nil && !h.opening.Load():
		act = s.Start(caller)
	case op == opCall:
		job, _ := h.jobs.Load(wago.AsI32(params[1]))
		job.(func(wago.HostModule))(caller)
	}
	switch act {
	case workerstest.Exit0:
		panic(wago.HostExit{Code: 0})
	case workerstest.Exit7:
		panic(wago.HostExit{Code: 7})
	case workerstest.Abort:
		panic(wago.HostTrap{Err: workerstest.ErrAborted})
	}
	results[0] = answers[act]
}

func (h *host) Service() workers.Service     { return h.service }
func (h *host) Script(s workerstest.Script)  { h.script.Store(&s) }
func (h *host) Entry() uint32                { return 0 }
func (h *host) BadEntries() []uint32         { return []uint32{1, 2, 3} }
func (h *host) Limits() workers.WorkerLimits { return h.limits }
func (h *host) Grace() time.Duration         { return workers.DefaultKillGrace }
func (h *host) Context() context.Context     { return h.ctx }
func (h *host) Close() error                 { return h.close() }

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

func (o *owner) Call(f func(wago.HostModule)) error {
	job := o.host.lastJob.Add(1)
	o.host.jobs.Store(job, f)
	defer o.host.jobs.Delete(job)
	_, err := o.instance.Invoke("call", wago.I32(job))
	return err
}

func (o *owner) Close() error {
	if err := o.instance.Close(); !errors.Is(err, wago.ErrInvalidHandle) {
		return err
	}
	return nil
}
