package wago

import (
	"encoding/json"
	"fmt"
)

// SelectAll returns the set in which every provider is selected directly and granted all that it asks for, and each contract
// that it consumes is bound to those providers that offer it. config holds the plugins' configurations by plugin ID; a plugin
// without one has its defaults. It runs no plugin code, and resolves nothing: [Runtime.LoadPlugins] says what is missing. An
// operator who reviews what is granted writes the selections down instead. An extra of this host.
//
// Errors: those of [DefinitionDigest]; [ErrInvalidSelection] for a configuration of a plugin that isn't among the providers.
//
// Safe for concurrent use.
func SelectAll(providers []PluginProvider, config map[string]json.RawMessage) (PluginSet, error) {
	set := PluginSet{Providers: providers}
	offered := make(map[ContractSpec][]string)
	known := make(map[string]bool)
	for _, p := range providers {
		known[p.Definition.ID] = true
		for _, contract := range p.Definition.Provides {
			offered[contract] = append(offered[contract], p.Definition.ID)
		}
	}
	for id := range config {
		if !known[id] {
			return PluginSet{}, fmt.Errorf("%w: a configuration for %q, which no provider is", ErrInvalidSelection, id)
		}
	}
	for _, p := range providers {
		selection, err := selectWhole(p.Definition, offered)
		if err != nil {
			return PluginSet{}, err
		}
		selection.Config = config[p.Definition.ID]
		set.Selections = append(set.Selections, selection)
	}
	return set, nil
}

// selectWhole selects a plugin with everything that its definition asks for.
func selectWhole(d PluginDefinition, offered map[ContractSpec][]string) (PluginSelection, error) {
	digest, err := DefinitionDigest(d)
	if err != nil {
		return PluginSelection{}, err
	}
	s := PluginSelection{ID: d.ID, DefinitionDigest: digest, Direct: true, Dependencies: make(map[string]string)}
	for _, need := range d.Requires {
		s.Dependencies[need.ID] = need.Version
	}
	for _, ask := range d.Authorities {
		s.Grants = append(s.Grants, AuthorityGrant{Name: ask.Name, Scope: ask.Scope})
	}
	for _, need := range d.Consumes {
		providers := offered[ContractSpec{ID: need.ID, Major: need.Major}]
		s.Contracts = append(s.Contracts, ContractBinding{ID: need.ID, Major: need.Major, Providers: providers})
	}
	return s, nil
}
