package soak

import (
	"encoding/json"
	"fmt"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
	"github.com/wago-org/workers"
)

// consumer is the soak as a plugin: it answers the guests' imports.
type consumer struct{ w *world }

func (w *world) plugins() (wago.PluginSet, error) {
	l := &w.limits
	return wago.SelectAll([]wago.PluginProvider{
		{Definition: definition(), New: func() wago.Plugin { return consumer{w} }},
		pool.Provider(), workers.Provider(workers.WithKillGrace(l.grace)),
	}, map[string]json.RawMessage{
		pool.PluginID: fmt.Appendf(nil, `{"maxPools": %d, "maxWorkersPerPool": %d, "maxTotalWorkers": %d, "runnableWorkers": %d}`,
			l.pools, min(l.perPool, l.total), l.total, l.runnable),
		workers.PluginID: fmt.Appendf(nil, `{"maxLiveWorkers": %d}`, l.workers),
	})
}

func definition() wago.PluginDefinition {
	return wago.PluginDefinition{
		ID: "github.com/JairusSW/pool/bench/soak", Version: pool.Version,
		Provenance: wago.PluginProvenance{Repository: "https://github.com/JairusSW/pool", License: "Apache-2.0"},
		Authorities: []wago.AuthorityRequest{{
			Name: wago.AuthorityHostImportDefine, Mode: wago.AuthorityRequired, Reason: "serves the guests",
			Scope: wago.AuthorityScope{Modules: []string{"soak"}},
		}},
		Requires: []wago.PluginRequirement{
			{ID: pool.PluginID, Version: "^0.1.0"}, {ID: workers.PluginID, Version: "^0.1.0"},
		},
		Consumes: []wago.ContractRequirement{
			{ID: pool.Contract.ID(), Major: pool.Contract.Major(), Mode: wago.ContractRequired},
			{ID: workers.Contract.ID(), Major: workers.Contract.Major(), Mode: wago.ContractRequired},
		},
	}
}

// Register implements wago.Plugin.
func (c consumer) Register(reg *wago.Registrar) (err error) {
	w := c.w
	if w.pools, err = wagoplugin.Require(reg, pool.Contract); err != nil {
		return err
	}
	if w.workers, err = wagoplugin.Require(reg, workers.Contract); err != nil {
		return err
	}
	imports, err := reg.HostImports()
	if err != nil {
		return err
	}
	module, err := imports.Module("soak")
	if err != nil {
		return err
	}
	module.Func("next", w.next).Params(wago.ValI32, wago.ValI32, wago.ValI32).Results(wago.ValI32)
	module.Func("reply", w.reply).Params(wago.ValI64, wago.ValI32, wago.ValI32)
	module.Func("submit", w.submits).Params(wago.ValI64, wago.ValI32, wago.ValI32)
	module.Func("begin", w.begin).Results(wago.ValI32)
	module.Func("own", w.own).Params(wago.ValI32)
	return nil
}
