package main

import (
	"context"

	"github.com/wago-org/wago"
)

// load selects every plugin, grants what each asks for, and binds each contract to the plugin that provides it. An operator
// who reviews what is granted writes the selections down instead.
func load(ctx context.Context, runtime *wago.Runtime, providers []wago.PluginProvider) error {
	set := wago.PluginSet{Providers: providers}
	provides := make(map[wago.ContractSpec]string)
	for _, p := range providers {
		for _, contract := range p.Definition.Provides {
			provides[contract] = p.Definition.ID
		}
	}
	for _, p := range providers {
		selection, err := choose(p.Definition, provides)
		if err != nil {
			return err
		}
		set.Selections = append(set.Selections, selection)
	}
	return runtime.LoadPlugins(ctx, set)
}

func choose(d wago.PluginDefinition, provides map[wago.ContractSpec]string) (wago.PluginSelection, error) {
	digest, err := wago.DefinitionDigest(d)
	if err != nil {
		return wago.PluginSelection{}, err
	}
	chosen := wago.PluginSelection{ID: d.ID, DefinitionDigest: digest, Direct: true, Dependencies: make(map[string]string)}
	for _, need := range d.Requires {
		chosen.Dependencies[need.ID] = need.Version
	}
	for _, asked := range d.Authorities {
		chosen.Grants = append(chosen.Grants, wago.AuthorityGrant{Name: asked.Name, Scope: asked.Scope})
	}
	for _, need := range d.Consumes {
		provider := provides[wago.ContractSpec{ID: need.ID, Major: need.Major}]
		chosen.Contracts = append(chosen.Contracts, wago.ContractBinding{ID: need.ID, Major: need.Major, Providers: []string{provider}})
	}
	return chosen, nil
}
