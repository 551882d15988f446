package wago

import "github.com/wago-org/wago/internal/manifest"

// Version is the host's version, the one a definition's Engines["wago"] range is held against.
const Version = manifest.Version

// The identity of a plugin: what its author publishes. See the rules at [DefinitionDigest].
type (
	// Stability is the author's promise about a plugin's interface. Empty is accepted and promises nothing.
	Stability = manifest.Stability
	// Compatibility says where a plugin runs. Only Engines["wago"] is enforced.
	Compatibility = manifest.Compatibility
	// PluginProvenance says where a plugin comes from.
	PluginProvenance = manifest.PluginProvenance
	// PluginRequirement names another plugin that has to start first, and the versions of it that will do.
	PluginRequirement = manifest.PluginRequirement
	// PluginDefinition is what a plugin's author publishes about it.
	PluginDefinition = manifest.PluginDefinition
)

// The stabilities.
const (
	Experimental = manifest.Experimental
	Stable       = manifest.Stable
	Deprecated   = manifest.Deprecated
)

// The contracts plugins offer each other.
type (
	// ContractSpec names a contract one plugin offers to others. Majors are separate contracts.
	ContractSpec = manifest.ContractSpec
	// ContractMode says how many providers a consumer wants.
	ContractMode = manifest.ContractMode
	// ContractRequirement names a contract a plugin uses.
	ContractRequirement = manifest.ContractRequirement
	// ContractBinding is the operator's choice of providers for one requirement.
	ContractBinding = manifest.ContractBinding
)

// The modes of a contract requirement: exactly one provider, none or one, every selected provider.
const (
	ContractRequired = manifest.ContractRequired
	ContractOptional = manifest.ContractOptional
	ContractMany     = manifest.ContractMany
)

// The operator's side: what is activated, and with what.
type (
	// PluginSelection is an operator's decision to activate one plugin.
	PluginSelection = manifest.PluginSelection
	// PluginPlan is what would be activated, in activation order.
	PluginPlan = manifest.PluginPlan
	// PluginPlanEntry is one plugin of a plan.
	PluginPlanEntry = manifest.PluginPlanEntry
)

// The catalog file in which a module lists the definitions it links.
type (
	// ProviderCatalogEntry is one linked definition of a catalog.
	ProviderCatalogEntry = manifest.ProviderCatalogEntry
	// ProviderCatalogDocument is a decoded catalog.
	ProviderCatalogDocument = manifest.ProviderCatalogDocument
)

// The catalog's file name and the "$schema" of every catalog.
const (
	ProviderCatalogFile      = manifest.ProviderCatalogFile
	ProviderCatalogSchemaURI = manifest.ProviderCatalogSchemaURI
)

// DefinitionDigest returns "sha256:" and the lowercase hex SHA-256 of the definition's canonical form: what an operator's
// selection approves. A definition that breaks a rule gives a [*PluginError] that names the field.
//
// Safe for concurrent use.
func DefinitionDigest(d PluginDefinition) (string, error) { return manifest.DefinitionDigest(d) }

// CanonicalPluginDefinition returns the definition with everything sorted that has no order of its own, sharing no memory
// with the argument. A definition that breaks a rule gives a [*PluginError] that names the field.
//
// Safe for concurrent use.
func CanonicalPluginDefinition(d PluginDefinition) (PluginDefinition, error) {
	return manifest.CanonicalPluginDefinition(d)
}

// DecodeProviderCatalog reads a catalog file of at most 2 MiB. Anything but exactly what [EncodeProviderCatalog] writes is
// refused: unknown fields, trailing data, another order, a digest that doesn't fit.
//
// Safe for concurrent use.
func DecodeProviderCatalog(data []byte) (ProviderCatalogDocument, error) {
	return manifest.DecodeProviderCatalog(data)
}
