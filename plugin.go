package pool

import (
	"encoding/json"

	"github.com/JairusSW/pool/service"
	"github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
	"github.com/wago-org/workers"
)

// PluginID is Pool's identity among Wago plugins, and its module's path.
const PluginID = "github.com/JairusSW/pool"

// Version is the version of the plugin's definition. Consumers require ^0.1.0, which ends below 0.2.0.
const Version = "0.1.2"

// Contract is what Pool provides: consumers require it with wagoplugin.Require. Methods may be added within its major.
var Contract = wagoplugin.NewContract[Service](PluginID+"/service", 1)

// Definition returns what the plugin publishes about itself, a fresh value each time. It asks for no authorities: the guests
// it runs are Workers'.
//
// Safe for concurrent use.
func Definition() wago.PluginDefinition {
	return wago.PluginDefinition{
		ID:            PluginID,
		Name:          "Pool",
		Version:       Version,
		Description:   "Elastic, load-balanced, self-healing pools of WebAssembly guest workers.",
		Stability:     wago.Experimental,
		Compatibility: wago.Compatibility{Engines: map[string]string{"wago": ">=0.1.0"}},
		Provenance: wago.PluginProvenance{
			Homepage:   "https://github.com/JairusSW/pool",
			Repository: "https://github.com/JairusSW/pool",
			License:    "Apache-2.0",
			Authors:    []string{"JairusSW"},
		},
		Requires:     []wago.PluginRequirement{{ID: workers.PluginID, Version: "^0.1.0"}},
		ConfigSchema: json.RawMessage(configSchema),
		Provides:     []wago.ContractSpec{Contract.Spec()},
		Consumes: []wago.ContractRequirement{
			{ID: workers.Contract.ID(), Major: workers.Contract.Major(), Mode: wago.ContractRequired},
		},
	}
}

// Provider returns what a Wago host needs to run the plugin, a fresh value each time. Its ValidateConfig refuses with a
// *ConfigError whatever is not one JSON object of the fields in the definition's schema.
//
// Safe for concurrent use.
func Provider() wago.PluginProvider {
	return wago.PluginProvider{
		Definition:     Definition(),
		New:            func() wago.Plugin { return plugin{} },
		ValidateConfig: validateConfig,
	}
}

// plugin wires the service into a host.
type plugin struct{}

// Register provides the contract over a reference to Workers'.
func (plugin) Register(reg *wago.Registrar) error {
	var raw json.RawMessage // read by the decoder that validated it, so that both agree
	if err := reg.Config(&raw); err != nil {
		return err
	}
	c, err := decodeConfig(raw)
	if err != nil {
		return err
	}
	ref, err := wagoplugin.Require(reg, workers.Contract)
	if err != nil {
		return err
	}
	pools := service.New(ref, c.limits())
	if err := wagoplugin.Provide(reg, Contract, Service(pools)); err != nil {
		return err
	}
	return reg.Lifecycle(wago.PluginLifecycle{Start: pools.Start, Stop: pools.Stop})
}
