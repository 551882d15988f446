package host

import (
	"encoding/json"

	"github.com/wago-org/wago"
)

// plugin is a provider with its configuration.
type plugin struct {
	provider wago.PluginProvider
	config   json.RawMessage
	direct   bool // chosen for itself, not for one that needs it
}

// set selects the plugins: each gets every authority that it asks for, and each contract from the plugin that provides it.
func set(plugins ...plugin) (wago.PluginSet, error) {
	var set wago.PluginSet
	providers := providersByContract(plugins)
	for _, p := range plugins {
		selection, err := p.selection(providers)
		if err != nil {
			return wago.PluginSet{}, err
		}
		set.Providers = append(set.Providers, p.provider)
		set.Selections = append(set.Selections, selection)
	}
	return set, nil
}

func providersByContract(plugins []plugin) map[wago.ContractSpec]string {
	providers := make(map[wago.ContractSpec]string)
	for _, p := range plugins {
		for _, contract := range p.provider.Definition.Provides {
			providers[contract] = p.provider.Definition.ID
		}
	}
	return providers
}

func (p plugin) selection(providers map[wago.ContractSpec]string) (wago.PluginSelection, error) {
	def := p.provider.Definition
	digest, err := wago.DefinitionDigest(def)
	if err != nil {
		return wago.PluginSelection{}, err
	}
	s := wago.PluginSelection{
		ID: def.ID, DefinitionDigest: digest, Direct: p.direct, Config: p.config, Dependencies: make(map[string]string),
	}
	for _, need := range def.Requires {
		s.Dependencies[need.ID] = need.Version
	}
	for _, request := range def.Authorities {
		s.Grants = append(s.Grants, wago.AuthorityGrant{Name: request.Name, Scope: request.Scope})
	}
	for _, need := range def.Consumes {
		provider := providers[wago.ContractSpec{ID: need.ID, Major: need.Major}]
		s.Contracts = append(s.Contracts, wago.ContractBinding{ID: need.ID, Major: need.Major, Providers: []string{provider}})
	}
	return s, nil
}
