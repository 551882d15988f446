package workers_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
	"go.uber.org/goleak"

	"github.com/wago-org/workers"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// What testdata/worker.wat says when it calls, and what it does for which answer.
const (
	opStep, opStart, opCall          = 0, 1, 2
	again, returns, traps, spins int = 0, 1, 2, 3
)

const entry = 0 // the worker's function in the guest's table

// setup configures a fixture; zero is a service with its defaults and guests whose workers serve.
type setup struct {
	config string
	grants *wago.AuthorityScope // of instance.manage; nil: as requested
	grace  time.Duration        // zero: 50 ms
	step   func(f *fixture, caller wago.HostModule) int
	start  func(f *fixture, caller wago.HostModule) int
}

// fixture is a runtime with the plugin, a consumer, and one instance that creates workers.
type fixture struct {
	setup
	runtime *wago.Runtime
	module  *wago.Module
	owner   *wago.Instance
	ref     *wagoplugin.Ref[workers.Service]
	service *workers.Workers
	ctx     context.Context // ends at the consumer's Stop
	cancel  context.CancelFunc
	jobs    sync.Map
	nextJob atomic.Int32
}

func newFixture(t testing.TB, s setup) *fixture {
	t.Helper()
	f := &fixture{setup: s, runtime: wago.NewRuntime()}
	if f.grace == 0 {
		f.grace = 50 * time.Millisecond
	}
	if f.step == nil {
		f.step = (*fixture).serve
	}
	f.ctx, f.cancel = context.WithCancel(context.Background())
	t.Cleanup(func() { _ = f.runtime.Close() })
	require.NoError(t, f.runtime.LoadPlugins(context.Background(), f.plugins(t)))
	require.NoError(t, f.ref.With(func(s workers.Service) error {
		f.service = s.(*workers.Workers)
		return nil
	}))
	source, err := os.ReadFile(filepath.Join("testdata", "worker.wasm"))
	require.NoError(t, err)
	f.module, err = f.runtime.Compile(source)
	require.NoError(t, err)
	f.owner = f.instance(t)
	return f
}

// instance opens one more instance that creates workers.
func (f *fixture) instance(t testing.TB) *wago.Instance {
	t.Helper()
	instance, err := f.runtime.Instantiate(context.Background(), f.module)
	require.NoError(t, err)
	return instance
}

// plugins lists consumer and provider in the wrong order: the plan has to find the right one.
func (f *fixture) plugins(t testing.TB) wago.PluginSet {
	t.Helper()
	provider := workers.Provider(workers.WithKillGrace(f.grace))
	consumer := f.consumer()
	set := wago.PluginSet{Providers: []wago.PluginProvider{consumer, provider}}
	for _, p := range set.Providers {
		digest, err := wago.DefinitionDigest(p.Definition)
		require.NoError(t, err)
		s := wago.PluginSelection{ID: p.Definition.ID, DefinitionDigest: digest, Direct: p.Definition.ID != workers.PluginID}
		for _, request := range p.Definition.Authorities {
			grant := wago.AuthorityGrant{Name: request.Name, Scope: request.Scope}
			if request.Name == wago.AuthorityInstanceManage && f.grants != nil {
				grant.Scope = *f.grants
			}
			s.Grants = append(s.Grants, grant)
		}
		if p.Definition.ID == workers.PluginID {
			s.Config = []byte(f.config)
		} else {
			s.Contracts = []wago.ContractBinding{{ID: workers.Contract.ID(), Major: 1, Providers: []string{workers.PluginID}}}
		}
		set.Selections = append(set.Selections, s)
	}
	return set
}

func (f *fixture) consumer() wago.PluginProvider {
	return wago.PluginProvider{
		Definition: wago.PluginDefinition{
			ID: "example.com/workers/consumer", Version: "1.0.0",
			Provenance: wago.PluginProvenance{Repository: "https://example.com/workers/consumer", License: "Apache-2.0"},
			Authorities: []wago.AuthorityRequest{{
				Name: wago.AuthorityHostImportDefine, Mode: wago.AuthorityRequired, Reason: "scripts guests",
				Scope: wago.AuthorityScope{Modules: []string{"env"}},
			}},
			Consumes: []wago.ContractRequirement{{ID: workers.Contract.ID(), Major: 1, Mode: wago.ContractRequired}},
		},
		New: func() wago.Plugin { return (*consumer)(f) },
	}
}

type consumer fixture

func (c *consumer) Register(registrar *wago.Registrar) (err error) {
	imports, err := registrar.HostImports()
	if err != nil {
		return err
	}
	env, err := imports.Module("env")
	if err != nil {
		return err
	}
	env.Func("run", (*fixture)(c).run).Params(wago.ValI32, wago.ValI32, wago.ValI32).Results(wago.ValI32)
	if c.ref, err = wagoplugin.Require(registrar, workers.Contract); err != nil {
		return err
	}
	return registrar.Lifecycle(wago.PluginLifecycle{Stop: func(context.Context) error {
		c.cancel()
		return nil
	}})
}

func (f *fixture) run(caller wago.HostModule, params, results []uint64) {
	answer := returns
	switch wago.AsI32(params[0]) {
	case opStep:
		answer = f.step(f, caller)
	case opStart:
		if f.start != nil && f.owner != nil {
			answer = f.start(f, caller)
		}
	case opCall:
		job, _ := f.jobs.Load(wago.AsI32(params[1]))
		job.(func(wago.HostModule))(caller)
	}
	results[0] = wago.I32(int32(answer))
}

// serve takes the next message, in a lease as a consumer does, and returns when there will be none.
func (f *fixture) serve(caller wago.HostModule) int {
	err := f.ref.With(func(s workers.Service) error { return s.DispatchNext(f.ctx, caller) })
	if err != nil {
		return returns
	}
	return again
}

// call runs fn in a host call of the instance.
func (f *fixture) call(instance *wago.Instance, fn func(caller wago.HostModule)) error {
	job := f.nextJob.Add(1)
	f.jobs.Store(job, fn)
	defer f.jobs.Delete(job)
	_, err := instance.Invoke("call", wago.I32(job))
	return err
}

// spawn starts a worker of the owner.
func (f *fixture) spawn(t testing.TB, options workers.WorkerOptions) workers.WorkerID {
	t.Helper()
	id, err := f.trySpawn(t, options)
	require.NoError(t, err)
	return id
}

func (f *fixture) trySpawn(t testing.TB, options workers.WorkerOptions) (id workers.WorkerID, err error) {
	t.Helper()
	require.NoError(t, f.call(f.owner, func(caller wago.HostModule) {
		id, err = f.service.Spawn(caller, entry, options)
	}))
	return id, err
}
