package rig

import (
	"context"
	"encoding/json"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/register"
	"github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
	"github.com/wago-org/workers"
)

const pluginID = "example.com/pool/rig"

// consumer is the rig as a plugin: it defines env.run and requires both contracts.
type consumer struct{ rig *Rig }

func (c consumer) definition() wago.PluginDefinition {
	return wago.PluginDefinition{
		ID: pluginID, Version: "1.0.0",
		Provenance: wago.PluginProvenance{Repository: "https://example.com/pool/rig", License: "Apache-2.0"},
		Requires:   []wago.PluginRequirement{{ID: pool.PluginID, Version: "^0.1.0"}, {ID: workers.PluginID, Version: "^0.1.0"}},
		Authorities: []wago.AuthorityRequest{
			{
				Name: wago.AuthorityHostImportDefine, Mode: wago.AuthorityRequired, Reason: "guests call run",
				Scope: wago.AuthorityScope{Modules: []string{"env"}},
			},
			{
				Name: wago.AuthorityInstanceInstantiateIntercept, Mode: wago.AuthorityRequired,
				Reason: "tests refuse and delay workers' instances",
			},
		},
		Consumes: []wago.ContractRequirement{
			{ID: pool.Contract.ID(), Major: 1, Mode: wago.ContractRequired},
			{ID: workers.Contract.ID(), Major: 1, Mode: wago.ContractRequired},
		},
	}
}

func (c consumer) provider() wago.PluginProvider {
	return wago.PluginProvider{Definition: c.definition(), New: func() wago.Plugin { return c }}
}

// Register implements wago.Plugin.
func (c consumer) Register(reg *wago.Registrar) (err error) {
	if c.rig.pools, err = wagoplugin.Require(reg, pool.Contract); err != nil {
		return err
	}
	if c.rig.workers, err = wagoplugin.Require(reg, workers.Contract); err != nil {
		return err
	}
	imports, err := reg.HostImports()
	if err != nil {
		return err
	}
	env, err := imports.Module("env")
	if err != nil {
		return err
	}
	env.Func("run", c.rig.run).Params(wago.ValI32, wago.ValI32, wago.ValI32).Results(wago.ValI32)
	interceptor, err := reg.InstanceInstantiateInterceptor()
	if err != nil {
		return err
	}
	return interceptor.Before(c.rig.spawning)
}

// load selects Workers, Pool, the rig and what else is given, with everything they ask for.
func (r *Rig) load(config Config) error {
	providers := append([]wago.PluginProvider{workers.Provider(config.Workers...), consumer{r}.provider()}, register.Providers()...)
	providers = append(providers, config.Plugins...)
	set, err := Select(providers, config.Settings)
	if err != nil {
		return err
	}
	return r.Runtime.LoadPlugins(context.Background(), set)
}

// Select returns the set in which every provider is selected with all that it asks for. Settings are the plugins'
// configurations, by id.
func Select(providers []wago.PluginProvider, settings map[string]string) (wago.PluginSet, error) {
	config := make(map[string]json.RawMessage)
	for id, text := range settings {
		config[id] = json.RawMessage(text)
	}
	return wago.SelectAll(providers, config)
}
