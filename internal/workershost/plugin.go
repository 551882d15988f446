package workershost

import (
	"context"

	wago "github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/workerstest"
)

const pluginID = "example.com/workershost/consumer"

// plugin is the consumer that guests call.
type plugin struct{ *Host }

func provider(h *Host) wago.PluginProvider {
	return wago.PluginProvider{
		Definition: wago.PluginDefinition{
			ID: pluginID, Version: "1.0.0",
			Provenance: wago.PluginProvenance{Repository: "https://" + pluginID, License: "Apache-2.0"},
			Authorities: []wago.AuthorityRequest{{
				Name: wago.AuthorityHostImportDefine, Mode: wago.AuthorityRequired, Reason: "scripts guests",
				Scope: wago.AuthorityScope{Modules: []string{"env"}},
			}},
			Consumes: []wago.ContractRequirement{{
				ID: workers.Contract.ID(), Major: workers.Contract.Major(), Mode: wago.ContractRequired,
			}},
		},
		New: func() wago.Plugin { return plugin{h} },
	}
}

// Register implements wago.Plugin.
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
		Start: func(context.Context) error { return ref.With(p.keep) },
		Stop: func(context.Context) error {
			p.cancel()
			return nil
		},
	})
}

// keep keeps the service past the lease, so that it can be asked after its end, too.
func (p plugin) keep(service workers.Service) error {
	p.service = service
	if p.config.Wrap != nil {
		p.service = p.config.Wrap(service.(*workers.Workers))
	}
	return nil
}

// What a guest says when it calls: see the source of worker.wasm.
const (
	opStep  = 0
	opStart = 1
	opCall  = 2
)

// answers are what the guest understands.
var answers = map[workerstest.Act]uint64{
	workerstest.Again: 0, workerstest.Return: 1, workerstest.Trap: 2, workerstest.Spin: 3,
}

func (p plugin) run(caller wago.HostModule, params, results []uint64) {
	act := workerstest.Return
	script := p.script.Load()
	switch op := wago.AsI32(params[0]); {
	case op == opStep && script.Step != nil:
		act = script.Step(caller)
	case op == opStart && script.Start != nil && !p.opening.Load():
		act = script.Start(caller)
	case op == opCall:
		job, _ := p.jobs.Load(wago.AsI32(params[1]))
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
