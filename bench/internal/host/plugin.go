package host

import (
	"fmt"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
	"github.com/wago-org/workers"
)

const pluginID = "github.com/JairusSW/pool/bench"

// consumer is the bench as a plugin: it defines the guests' imports, and requires what its host's level says.
type consumer struct{ h *Host }

func (c consumer) definition() wago.PluginDefinition {
	d := wago.PluginDefinition{
		ID: pluginID, Version: pool.Version,
		Provenance: wago.PluginProvenance{Repository: "https://github.com/JairusSW/pool", License: "Apache-2.0"},
		Authorities: []wago.AuthorityRequest{
			{
				Name: wago.AuthorityHostImportDefine, Mode: wago.AuthorityRequired, Reason: "serves the guests",
				Scope: wago.AuthorityScope{Modules: []string{"bench"}},
			},
			{
				Name: wago.AuthorityInstanceManage, Mode: wago.AuthorityRequired, Reason: "forks guests without Workers",
				Scope: wago.AuthorityScope{MaxInstances: 1024, MaxMemoryBytes: 4 << 30},
			},
		},
	}
	for level, contract := range []wago.ContractSpec{Workers: workers.Contract.Spec(), Pools: pool.Contract.Spec()} {
		if l := Level(level); l != Bare && l <= c.h.level {
			d.Consumes = append(d.Consumes, wago.ContractRequirement{ID: contract.ID, Major: contract.Major, Mode: wago.ContractRequired})
		}
	}
	for level, id := range []string{Workers: workers.PluginID, Pools: pool.PluginID} {
		if l := Level(level); l != Bare && l <= c.h.level {
			d.Requires = append(d.Requires, wago.PluginRequirement{ID: id, Version: "^0.1.0"})
		}
	}
	return d
}

func (c consumer) provider() wago.PluginProvider {
	return wago.PluginProvider{Definition: c.definition(), New: func() wago.Plugin { return c }}
}

// Register implements wago.Plugin.
func (c consumer) Register(reg *wago.Registrar) (err error) {
	h := c.h
	if h.level >= Workers {
		if h.workers, err = wagoplugin.Require(reg, workers.Contract); err != nil {
			return err
		}
	}
	if h.level >= Pools {
		if h.pools, err = wagoplugin.Require(reg, pool.Contract); err != nil {
			return err
		}
	}
	if h.Manager, err = reg.ManagedInstances(); err != nil {
		return err
	}
	imports, err := reg.HostImports()
	if err != nil {
		return err
	}
	module, err := imports.Module("bench")
	if err != nil {
		return err
	}
	module.Func("next", h.next).Params(wago.ValI32, wago.ValI32).Results(wago.ValI32)
	module.Func("reply", h.reply).Params(wago.ValI32, wago.ValI32)
	module.Func("own", h.own)
	return nil
}

// next(buffer i32, capacity i32) -> i32 brings the guest its next task: its length, or what else it is to do.
func (h *Host) next(m wago.HostModule, params, results []uint64) {
	h.arrive()
	n := h.server.next(m, view(m, params))
	results[0] = uint64(uint32(n))
}

// reply(address i32, length i32) is the result of the task in hand.
func (h *Host) reply(m wago.HostModule, params, _ []uint64) { h.server.reply(m, view(m, params)) }

// view returns what address and length say of the guest's memory.
func view(m wago.HostModule, params []uint64) []byte {
	memory, at, length := m.Memory(), uint64(uint32(params[0])), uint64(uint32(params[1]))
	if at+length > uint64(len(memory)) {
		panic(wago.HostTrap{Err: fmt.Errorf("%d bytes at %d are outside the guest's memory of %d", length, at, len(memory))})
	}
	return memory[at : at+length]
}
