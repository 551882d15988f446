package manifest

import (
	"maps"
	"slices"
)

// CloneDefinition returns a copy that shares no memory with its argument, everything in the same order. Safe for concurrent
// use.
func CloneDefinition(d PluginDefinition) PluginDefinition {
	d.Compatibility.Engines = maps.Clone(d.Compatibility.Engines)
	d.Compatibility.Platforms = slices.Clone(d.Compatibility.Platforms)
	d.Provenance.Authors = slices.Clone(d.Provenance.Authors)
	d.Requires = slices.Clone(d.Requires)
	d.Authorities = slices.Clone(d.Authorities)
	for i := range d.Authorities {
		d.Authorities[i].Scope.Modules = slices.Clone(d.Authorities[i].Scope.Modules)
	}
	d.ConfigSchema = slices.Clone(d.ConfigSchema)
	d.Provides = slices.Clone(d.Provides)
	d.Consumes = slices.Clone(d.Consumes)
	return d
}

func cloneSelection(s PluginSelection) PluginSelection {
	s.Dependencies = maps.Clone(s.Dependencies)
	s.Grants = cloneGrants(s.Grants)
	s.Contracts = cloneBindings(s.Contracts)
	s.Config = slices.Clone(s.Config)
	return s
}

func cloneGrants(grants []AuthorityGrant) []AuthorityGrant {
	grants = slices.Clone(grants)
	for i := range grants {
		grants[i].Scope.Modules = slices.Clone(grants[i].Scope.Modules)
	}
	return grants
}

func cloneBindings(bindings []ContractBinding) []ContractBinding {
	bindings = slices.Clone(bindings)
	for i := range bindings {
		bindings[i].Providers = slices.Clone(bindings[i].Providers)
	}
	return bindings
}
