package guest

import (
	"context"
	"sync/atomic"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
	"github.com/wago-org/workers"
)

// PluginID is the plugin's identity among Wago plugins.
const PluginID = pool.PluginID + "/cmd/guest"

// Server is what the plugin passes on to its command.
type Server interface {
	// Serve creates a pool of workers with the entry and serves it; the guest's call of pool.serve lasts as long. An error ends
	// that call.
	Serve(s pool.Service, caller wago.HostModule, entry uint32) error
	// Misused is told that a guest called pool.serve where it may not.
	Misused(err error)
	// Log takes a message of a guest: of a worker about the record in its hand, or of the first instance (both 0).
	Log(worker pool.WorkerID, record uint64, message string)
}

// Plugin serves the host functions of the guest ABI. Make one with New. Safe for concurrent use.
type Plugin struct {
	server  Server                           // set once
	answers *Answers                         // set once
	pools   *wagoplugin.Ref[pool.Service]    // set by Register, as is workers
	workers *wagoplugin.Ref[workers.Service] // names the worker that calls

	alive  context.Context // ends when the plugin is stopped
	stop   context.CancelFunc
	opened atomic.Bool // pool.serve may be called, once
	served atomic.Bool // pool.serve was called
}

// New returns a plugin that passes on to server and keeps the workers' answers in answers.
func New(server Server, answers *Answers) *Plugin {
	p := &Plugin{server: server, answers: answers}
	p.alive, p.stop = context.WithCancel(context.Background())
	return p
}

// Open allows one call of pool.serve. The command opens the plugin when it calls the guest's start function.
func (p *Plugin) Open() { p.opened.Store(true) }

// Definition returns the plugin's definition, a fresh value each time.
func Definition() wago.PluginDefinition {
	return wago.PluginDefinition{
		ID:            PluginID,
		Name:          "Pool command",
		Version:       pool.Version,
		Description:   "The host functions that guests of the pool command import.",
		Stability:     wago.Experimental,
		Compatibility: wago.Compatibility{Engines: map[string]string{"wago": ">=0.1.0"}},
		Provenance: wago.PluginProvenance{
			Repository: "https://github.com/JairusSW/pool",
			License:    "Apache-2.0",
			Authors:    []string{"Jairus Tanaka"},
		},
		Requires: []wago.PluginRequirement{
			{ID: pool.PluginID, Version: "^0.1.0"},
			{ID: workers.PluginID, Version: "^0.1.0"},
		},
		Authorities: []wago.AuthorityRequest{{
			Name: wago.AuthorityHostImportDefine, Mode: wago.AuthorityRequired, Reason: "serves the guest ABI",
			Scope: wago.AuthorityScope{Modules: []string{moduleEnv, modulePool}},
		}},
		Consumes: []wago.ContractRequirement{
			{ID: pool.Contract.ID(), Major: pool.Contract.Major(), Mode: wago.ContractRequired},
			{ID: workers.Contract.ID(), Major: workers.Contract.Major(), Mode: wago.ContractRequired},
		},
	}
}

// Provider returns what a host needs to run p.
func (p *Plugin) Provider() wago.PluginProvider {
	return wago.PluginProvider{Definition: Definition(), New: func() wago.Plugin { return p }}
}

// Register requires Pool and Workers and defines the host functions.
func (p *Plugin) Register(reg *wago.Registrar) error {
	var err error
	if p.pools, err = wagoplugin.Require(reg, pool.Contract); err != nil {
		return err
	}
	if p.workers, err = wagoplugin.Require(reg, workers.Contract); err != nil {
		return err
	}
	imports, err := reg.HostImports()
	if err != nil {
		return err
	}
	if err := p.define(imports); err != nil {
		return err
	}
	return reg.Lifecycle(wago.PluginLifecycle{Stop: p.stopped})
}

// stopped wakes the workers that wait for a task: their host calls have to return before the plugin can go.
func (p *Plugin) stopped(context.Context) error {
	p.stop()
	return nil
}
