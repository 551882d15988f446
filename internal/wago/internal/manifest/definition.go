package manifest

import "encoding/json"

// Version is the host's version, the one a definition's Engines["wago"] range is held against.
const Version = "0.1.0"

// Stability is the author's promise about a plugin's interface. Empty is accepted and promises nothing.
type Stability string

// The stabilities.
const (
	Experimental Stability = "experimental"
	Stable       Stability = "stable"
	Deprecated   Stability = "deprecated"
)

// Compatibility says where a plugin runs. Only Engines["wago"] is enforced; other engines and platforms are metadata.
type Compatibility struct {
	Engines   map[string]string `json:"engines,omitempty"`   // engine name to semver range
	Platforms []string          `json:"platforms,omitempty"` // exact GOOS/GOARCH
}

// PluginProvenance says where a plugin comes from.
type PluginProvenance struct {
	Homepage   string   `json:"homepage,omitempty"`
	Repository string   `json:"repository,omitempty"`
	License    string   `json:"license,omitempty"`
	Authors    []string `json:"authors,omitempty"`
}

// PluginRequirement names another plugin that has to start first, and the versions of it that will do.
type PluginRequirement struct {
	ID      string `json:"id"`
	Version string `json:"version"` // semver range by the rules of npm
}

// PluginDefinition is what a plugin's author publishes about it. The order of the fields is the order of the canonical form
// and so part of the digest. The rules each field must keep are those of [DefinitionDigest]. Not safe for concurrent use
// while it is being changed.
type PluginDefinition struct {
	ID            string                `json:"id"`
	Name          string                `json:"name,omitempty"`
	Version       string                `json:"version"`
	Description   string                `json:"description,omitempty"`
	Stability     Stability             `json:"stability,omitempty"`
	Compatibility Compatibility         `json:"compatibility"`
	Provenance    PluginProvenance      `json:"provenance"`
	Requires      []PluginRequirement   `json:"requires,omitempty"`
	Authorities   []AuthorityRequest    `json:"authorities,omitempty"`
	ConfigSchema  json.RawMessage       `json:"configSchema,omitempty"`
	Provides      []ContractSpec        `json:"provides,omitempty"`
	Consumes      []ContractRequirement `json:"consumes,omitempty"`
}
