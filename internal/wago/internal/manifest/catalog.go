package manifest

// ProviderCatalogFile is the name of the catalog file at the root of a module.
const ProviderCatalogFile = "wago.providers.json"

// ProviderCatalogSchemaURI is the "$schema" of every catalog.
const ProviderCatalogSchemaURI = "https://wago.sh/v1/providers.schema.json"

const (
	maxCatalogLength    = 2 << 20 // bytes
	maxCatalogProviders = 128
	// registerSuffix is what the import path of a catalog has behind the ID of its source module.
	registerSuffix = "/register"
)

// ProviderCatalogEntry is one linked definition of a catalog.
type ProviderCatalogEntry struct {
	ImportPath       string           `json:"importPath"`
	Definition       PluginDefinition `json:"definition"`
	DefinitionDigest string           `json:"definitionDigest"`
}

// ProviderCatalogDocument is a decoded catalog.
type ProviderCatalogDocument struct {
	Schema    string                 `json:"$schema"`
	Providers []ProviderCatalogEntry `json:"providers"`
}
