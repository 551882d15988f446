package manifest

// Resolution is the outcome of [Resolve]: what to activate, in which order. It shares no memory with the arguments of
// Resolve. Safe for concurrent use while nobody writes to it.
type Resolution struct {
	Entries []Entry // activation order: whatever an entry needs stands before it
}

// Entry is one plugin to activate.
type Entry struct {
	Provider   int               // index into the definitions given to Resolve
	Definition PluginDefinition  // as linked, not in canonical form
	Digest     string            // of Definition
	Selection  PluginSelection   // as given
	Bindings   []ContractBinding // one for each entry of Definition.Consumes, in that order
	Grants     []AuthorityGrant  // as selected: none of them is wider than its request
}

// Plan returns the part of the resolution that is meant to be shown. Plugins is never nil.
//
// Safe for concurrent use while nobody writes to the resolution.
func (r *Resolution) Plan() *PluginPlan {
	plan := &PluginPlan{Plugins: make([]PluginPlanEntry, 0, len(r.Entries))}
	for _, entry := range r.Entries {
		definition := CloneDefinition(entry.Definition)
		plan.Plugins = append(plan.Plugins, PluginPlanEntry{
			ID:               definition.ID,
			DefinitionDigest: entry.Digest,
			Grants:           cloneGrants(entry.Grants),
			Provides:         definition.Provides,
			Consumes:         definition.Consumes,
			Contracts:        cloneBindings(entry.Bindings),
		})
	}
	return plan
}
