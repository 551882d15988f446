package manifest

// The bounds of a definition. Lengths are in bytes.
const (
	maxIDLength          = 300
	maxNameLength        = 100
	maxDescriptionLength = 500
	maxAuthorLength      = 200
	maxReasonLength      = 500
	maxModuleLength      = 200
	maxEngineLength      = 64
	maxSchemaLength      = 256 << 10

	maxRequires     = 128
	maxProvides     = 128
	maxConsumes     = 128
	maxPlatforms    = 128
	maxScopeModules = 128
	maxAuthorities  = 64
	maxAuthors      = 64
	maxEngines      = 64
)
