package pooltest

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
	"github.com/wago-org/workers"
)

// PluginID is the kit's own identity among the plugins that it loads.
const PluginID = pool.PluginID + "/pooltest"

// ImportModule is the module that the kit's host functions belong to: own, step, next, done and turn. A guest of one's own may
// import them too; loop.wat and echo.wat, in this package's folder, show how.
const ImportModule = "pooltest"

// selection is everything that is loaded, with all that it asks for.
func (k *Kit) selection() (wago.PluginSet, error) {
	providers := append([]wago.PluginProvider{k.provider()}, k.config.Plugins...)
	for _, p := range []wago.PluginProvider{workers.Provider(), pool.Provider()} {
		given := func(other wago.PluginProvider) bool { return other.Definition.ID == p.Definition.ID }
		if !slices.ContainsFunc(providers, given) {
			providers = append(providers, p)
		}
	}
	settings := make(map[string]json.RawMessage)
	for id, text := range maps.All(k.config.Settings) {
		settings[id] = json.RawMessage(text)
	}
	return wago.SelectAll(providers, settings)
}

// provider is the kit as a plugin.
func (k *Kit) provider() wago.PluginProvider {
	return wago.PluginProvider{
		New: func() wago.Plugin { return plugin{k} },
		Definition: wago.PluginDefinition{
			ID: PluginID, Version: "1.0.0",
			Provenance: wago.PluginProvenance{Repository: "https://" + pool.PluginID, License: "Apache-2.0"},
			Requires:   []wago.PluginRequirement{{ID: pool.PluginID, Version: "^0.1.0"}, {ID: workers.PluginID, Version: "^0.1.0"}},
			Authorities: []wago.AuthorityRequest{{
				Name: wago.AuthorityHostImportDefine, Mode: wago.AuthorityRequired, Reason: "the kit's guests call it",
				Scope: wago.AuthorityScope{Modules: []string{ImportModule}},
			}},
			Consumes: []wago.ContractRequirement{
				{ID: pool.Contract.ID(), Major: pool.Contract.Major(), Mode: wago.ContractRequired},
				{ID: workers.Contract.ID(), Major: workers.Contract.Major(), Mode: wago.ContractRequired},
			},
		},
	}
}

type plugin struct{ kit *Kit }

// Register implements wago.Plugin.
func (p plugin) Register(reg *wago.Registrar) (err error) {
	k := p.kit
	if k.pools, err = wagoplugin.Require(reg, pool.Contract); err != nil {
		return err
	}
	if k.workers, err = wagoplugin.Require(reg, workers.Contract); err != nil {
		return err
	}
	imports, err := reg.HostImports()
	if err != nil {
		return err
	}
	module, err := imports.Module(ImportModule)
	if err != nil {
		return err
	}
	module.Func("own", k.own).Params(wago.ValI32)
	module.Func("step", k.step).Results(wago.ValI32)
	module.Func("next", k.next).Params(wago.ValI32, wago.ValI32).Results(wago.ValI32)
	module.Func("done", k.done).Params(wago.ValI32, wago.ValI32)
	module.Func("turn", k.turn).Params(wago.ValI32).Results(wago.ValI32)
	return nil
}
