package manifest_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wago-org/wago/internal/manifest"
)

const (
	minimalJSON   = `{"id":"example.com/vec/min","version":"1.0.0","compatibility":{},"provenance":{"repository":"https://example.com/vec/min","license":"MIT"}}`
	minimalDigest = "sha256:198bf452b289b1648c3cf74c091fc2952b964a997a10663fa187345594d6cb1a"
	fullJSON      = `{"id":"example.com/vec/full","name":"Full","version":"1.2.3","description":"a \u003c b \u0026 c","stability":"stable","compatibility":{"engines":{"go":"\u003e=1.24","wago":"\u003e=0.1.0"},"platforms":["darwin/arm64","linux/amd64"]},"provenance":{"homepage":"https://example.com/h#top","repository":"https://example.com/vec/full","license":"Apache-2.0","authors":["A","B"]},"requires":[{"id":"example.com/dep/a","version":"^1.0.0"},{"id":"example.com/dep/b","version":"~2.1"}],"authorities":[{"name":"host.import.define","mode":"required","reason":"imports","scope":{"modules":["a","b"]}},{"name":"instance.manage","mode":"optional","reason":"forks","scope":{"maxInstances":4,"maxMemoryBytes":65536}}],"configSchema":{"additionalProperties":false,"properties":{"a":{"type":"string"},"z":{"type":"integer"}},"type":"object"},"provides":[{"id":"example.com/vec/full/svc","major":1},{"id":"example.com/vec/full/svc","major":2}],"consumes":[{"id":"example.com/dep/a/svc","major":1,"mode":"required"},{"id":"example.com/dep/b/svc","major":3,"mode":"many"}]}`
	fullDigest    = "sha256:415c6c74bb448ce1cf4ee436e166cff5944d813e2a698ca4012746b81cb3126d"
)

func TestDigestVectors(t *testing.T) {
	for name, row := range map[string]struct {
		definition   manifest.PluginDefinition
		text, digest string
	}{
		"minimal": {minimal("example.com/vec/min"), minimalJSON, minimalDigest},
		"full":    {full(), fullJSON, fullDigest},
	} {
		t.Run(name, func(t *testing.T) {
			canonical, err := manifest.CanonicalPluginDefinition(row.definition)
			require.NoError(t, err)
			text, err := json.Marshal(canonical)
			require.NoError(t, err)
			require.Equal(t, row.text, string(text))
			sum, err := manifest.DefinitionDigest(row.definition)
			require.NoError(t, err)
			require.Equal(t, row.digest, sum)
			require.Equal(t, row.digest, hash(written(row.definition)), "written by hand")
		})
	}
}

func TestEmptyListsAreAbsent(t *testing.T) {
	d := minimal("example.com/vec/min")
	d.Compatibility = manifest.Compatibility{Engines: map[string]string{}, Platforms: []string{}}
	d.Provenance.Authors = []string{}
	d.Requires = []manifest.PluginRequirement{}
	d.Authorities = []manifest.AuthorityRequest{}
	d.ConfigSchema = json.RawMessage{}
	d.Provides = []manifest.ContractSpec{}
	d.Consumes = []manifest.ContractRequirement{}

	canonical, err := manifest.CanonicalPluginDefinition(d)
	require.NoError(t, err)
	require.Equal(t, minimal("example.com/vec/min"), canonical)
	sum, err := manifest.DefinitionDigest(d)
	require.NoError(t, err)
	require.Equal(t, minimalDigest, sum)
}

func TestAnEmptyScopeIsWritten(t *testing.T) {
	d := minimal("example.com/vec/min")
	d.Authorities = []manifest.AuthorityRequest{{Name: manifest.AuthorityHostCallerIdentify, Mode: "required", Reason: "r"}}
	canonical, err := manifest.CanonicalPluginDefinition(d)
	require.NoError(t, err)
	text, err := json.Marshal(canonical)
	require.NoError(t, err)
	require.Contains(t, string(text), `"reason":"r","scope":{}}`)
}

func TestSchemaNumbersKeepTheirText(t *testing.T) {
	d := minimal("example.com/vec/min")
	d.ConfigSchema = json.RawMessage(`{"type":"object","additionalProperties":false,"x":[1.0,1e400,12345678901234567890,-0]}`)
	canonical, err := manifest.CanonicalPluginDefinition(d)
	require.NoError(t, err)
	require.Equal(t, `{"additionalProperties":false,"type":"object","x":[1.0,1e400,12345678901234567890,-0]}`,
		string(canonical.ConfigSchema))
}

func TestTheArgumentIsLeftAlone(t *testing.T) {
	d := full()
	canonical, err := manifest.CanonicalPluginDefinition(d)
	require.NoError(t, err)
	require.Equal(t, full(), d)

	canonical.Compatibility.Engines["wago"] = "x"
	canonical.Authorities[0].Scope.Modules[0] = "x"
	canonical.Provenance.Authors[0] = "x"
	canonical.ConfigSchema[0] = 'x'
	require.Equal(t, full(), d)
}

// The canonical form is a fixed point, says the same in any order, and is what an independent writer of the format writes.
func TestCanonicalForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := definitions("example.com/a").Draw(t, "definition")
		once, err := manifest.CanonicalPluginDefinition(d)
		require.NoError(t, err)
		twice, err := manifest.CanonicalPluginDefinition(once)
		require.NoError(t, err)
		require.Equal(t, once, twice)

		sum, err := manifest.DefinitionDigest(d)
		require.NoError(t, err)
		text, err := json.Marshal(once)
		require.NoError(t, err)
		require.Equal(t, string(text), written(d))
		require.Equal(t, sum, hash(written(d)))

		slices.Reverse(d.Compatibility.Platforms)
		slices.Reverse(d.Provenance.Authors)
		slices.Reverse(d.Requires)
		slices.Reverse(d.Authorities)
		slices.Reverse(d.Provides)
		slices.Reverse(d.Consumes)
		other, err := manifest.DefinitionDigest(d)
		require.NoError(t, err)
		require.Equal(t, sum, other)
	})
}

func TestEveryFieldIsInTheDigest(t *testing.T) {
	seen := map[string]string{fullDigest: "nothing"}
	for name, change := range map[string]func(*manifest.PluginDefinition){
		"ID":            func(d *manifest.PluginDefinition) { d.ID += "x" },
		"Name":          func(d *manifest.PluginDefinition) { d.Name += "x" },
		"Version":       func(d *manifest.PluginDefinition) { d.Version = "v" + d.Version },
		"Description":   func(d *manifest.PluginDefinition) { d.Description += "x" },
		"Stability":     func(d *manifest.PluginDefinition) { d.Stability = manifest.Deprecated },
		"Engines":       func(d *manifest.PluginDefinition) { d.Compatibility.Engines["go"] = ">=1.25" },
		"Platforms":     func(d *manifest.PluginDefinition) { d.Compatibility.Platforms[0] = "plan9/386" },
		"Homepage":      func(d *manifest.PluginDefinition) { d.Provenance.Homepage = "" },
		"Repository":    func(d *manifest.PluginDefinition) { d.Provenance.Repository += "x" },
		"License":       func(d *manifest.PluginDefinition) { d.Provenance.License += "x" },
		"Authors":       func(d *manifest.PluginDefinition) { d.Provenance.Authors[0] += "x" },
		"Requires":      func(d *manifest.PluginDefinition) { d.Requires[0].Version = "~2.2" },
		"mode":          func(d *manifest.PluginDefinition) { d.Authorities[0].Mode = manifest.AuthorityRequired },
		"reason":        func(d *manifest.PluginDefinition) { d.Authorities[0].Reason += "x" },
		"scope":         func(d *manifest.PluginDefinition) { d.Authorities[0].Scope.MaxInstances++ },
		"scope modules": func(d *manifest.PluginDefinition) { d.Authorities[1].Scope.Modules[0] += "x" },
		"ConfigSchema":  func(d *manifest.PluginDefinition) { d.ConfigSchema = nil },
		"Provides":      func(d *manifest.PluginDefinition) { d.Provides[0].Major++ },
		"Consumes":      func(d *manifest.PluginDefinition) { d.Consumes[0].Mode = manifest.ContractOptional },
	} {
		d := full()
		change(&d)
		sum, err := manifest.DefinitionDigest(d)
		require.NoError(t, err, name)
		require.Empty(t, seen[sum], "%s and %s give the same digest", name, seen[sum])
		seen[sum] = name
	}
}

func hash(text string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) }
