package manifest

import "encoding/json"

// PluginSelection is an operator's decision to activate one plugin: exactly this definition, with these grants, bindings and
// configuration. Not safe for concurrent use while it is being changed.
type PluginSelection struct {
	ID               string            `json:"id"`
	DefinitionDigest string            `json:"definitionDigest"` // as returned by DefinitionDigest
	Direct           bool              `json:"direct"`           // asked for by itself, not only as a dependency
	Dependencies     map[string]string `json:"dependencies"`     // requirement ID to exact range text, mirroring Requires
	Grants           []AuthorityGrant  `json:"grants,omitempty"`
	Contracts        []ContractBinding `json:"contracts,omitempty"` // one for each entry of Consumes
	Config           json.RawMessage   `json:"config,omitempty"`    // nil or empty: none
}

// PluginPlan is what would be activated, in activation order.
type PluginPlan struct {
	Plugins []PluginPlanEntry `json:"plugins"`
}

// PluginPlanEntry is one plugin of a plan.
type PluginPlanEntry struct {
	ID               string                `json:"id"`
	DefinitionDigest string                `json:"definitionDigest"`
	Grants           []AuthorityGrant      `json:"grants,omitempty"`
	Provides         []ContractSpec        `json:"provides,omitempty"`
	Consumes         []ContractRequirement `json:"consumes,omitempty"`
	Contracts        []ContractBinding     `json:"contracts,omitempty"`
}
