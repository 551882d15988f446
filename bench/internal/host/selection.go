package host

import (
	"fmt"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// mailboxBytes is what one worker's mailbox may hold: of deep ones 65 536 messages of 16 bytes, a few times over.
const mailboxBytes = 4 << 20

// plugins selects the host's plugins: each gets every authority it asks for, each contract the plugin that provides it.
func (h *Host) plugins(o Options) (wago.PluginSet, error) {
	providers := []wago.PluginProvider{consumer{h}.provider()}
	config := make(map[string]string)
	if o.Level >= Workers {
		providers = append(providers, roomy(workers.Provider(), o.Workers))
		config[workers.PluginID] = fmt.Sprintf(`{"maxLiveWorkers": %d, "maxQueueBytes": %d}`,
			o.Workers, uint64(o.Workers)*mailboxBytes)
	}
	if o.Level >= Pools {
		providers = append(providers, pool.Provider())
		config[pool.PluginID] = fmt.Sprintf(`{"maxWorkersPerPool": %d, "maxTotalWorkers": %d}`, o.Workers, o.Workers)
	}
	return choose(providers, config)
}

// roomy is the provider with a definition that asks for so many instances, and memory for them, where it asks for fewer.
func roomy(p wago.PluginProvider, instances uint32) wago.PluginProvider {
	for i := range p.Definition.Authorities {
		ask := &p.Definition.Authorities[i]
		if ask.Name == wago.AuthorityInstanceManage && ask.Scope.MaxInstances < instances {
			ask.Scope.MaxMemoryBytes *= uint64(instances/ask.Scope.MaxInstances + 1)
			ask.Scope.MaxInstances = instances
		}
	}
	return p
}

func choose(providers []wago.PluginProvider, config map[string]string) (wago.PluginSet, error) {
	set := wago.PluginSet{Providers: providers}
	provides := make(map[wago.ContractSpec]string)
	for _, p := range providers {
		for _, contract := range p.Definition.Provides {
			provides[contract] = p.Definition.ID
		}
	}
	for _, p := range providers {
		digest, err := wago.DefinitionDigest(p.Definition)
		if err != nil {
			return wago.PluginSet{}, err
		}
		set.Selections = append(set.Selections, selection(p.Definition, digest, provides, config[p.Definition.ID]))
	}
	return set, nil
}

func selection(d wago.PluginDefinition, digest string, provides map[wago.ContractSpec]string, config string) wago.PluginSelection {
	s := wago.PluginSelection{ID: d.ID, DefinitionDigest: digest, Direct: true, Dependencies: make(map[string]string)}
	for _, need := range d.Requires {
		s.Dependencies[need.ID] = need.Version
	}
	for _, ask := range d.Authorities {
		s.Grants = append(s.Grants, wago.AuthorityGrant{Name: ask.Name, Scope: ask.Scope})
	}
	for _, need := range d.Consumes {
		provider := provides[wago.ContractSpec{ID: need.ID, Major: need.Major}]
		s.Contracts = append(s.Contracts, wago.ContractBinding{ID: need.ID, Major: need.Major, Providers: []string{provider}})
	}
	if config != "" {
		s.Config = []byte(config)
	}
	return s
}
