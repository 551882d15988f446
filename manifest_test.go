package pool_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/register"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

var update = flag.Bool("update", false, "write "+wago.ProviderCatalogFile+" anew instead of comparing it")

func TestManifestMatchesCatalogMetadataAndWorkersDependency(t *testing.T) {
	definition := pool.Definition()
	manifest := readManifest(t)
	assert.Equal(t, "https://wago.sh/v1/schema.json", manifest.Schema)
	assert.Equal(t, definition, manifest.definition(), "wago.json says what the definition says")

	require.Len(t, definition.Requires, 1)
	assert.Equal(t, workers.PluginID, definition.Requires[0].ID)
	assert.Equal(t, map[string]string{workers.PluginID: definition.Requires[0].Version}, manifest.Plugins)
	assert.Empty(t, definition.Authorities, "Pool itself is granted nothing")

	for _, provider := range register.Providers() {
		assert.Equal(t, definition, provider.Definition)
	}
}

// To write the catalog anew after a change of the definition: go test -run TestCatalog . -update
func TestCatalogIsWhatTheProvidersEncodeTo(t *testing.T) {
	want, err := wago.EncodeProviderCatalog(pool.PluginID+"/register", register.Providers())
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(wago.ProviderCatalogFile, want, 0o644))
	}
	got, err := os.ReadFile(wago.ProviderCatalogFile)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))

	catalog, err := wago.DecodeProviderCatalog(got)
	require.NoError(t, err)
	require.Len(t, catalog.Providers, 1)
	canonical, err := wago.CanonicalPluginDefinition(pool.Definition())
	require.NoError(t, err)
	assert.Equal(t, canonical, catalog.Providers[0].Definition)
}

// manifest is wago.json: what a plugin's author publishes.
type manifest struct {
	Schema  string            `json:"$schema"`
	Plugins map[string]string `json:"plugins"`
	Package struct {
		Module, Version, Name, Description string
		Stability                          wago.Stability
		License, Homepage, Repository      string
		Authors                            []struct{ Name string }
		Category                           string
		Tags, Platforms                    []string
		Engines                            map[string]string
	} `json:"package"`
}

func readManifest(t testing.TB) (m manifest) {
	t.Helper()
	text, err := os.ReadFile("wago.json")
	require.NoError(t, err)
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&m))
	return m
}

// definition returns the definition with all that the manifest says in place of the code.
func (m manifest) definition() wago.PluginDefinition {
	d := pool.Definition()
	d.ID, d.Version, d.Name, d.Description = m.Package.Module, m.Package.Version, m.Package.Name, m.Package.Description
	d.Stability = m.Package.Stability
	d.Compatibility = wago.Compatibility{Engines: m.Package.Engines, Platforms: m.Package.Platforms}
	d.Provenance = wago.PluginProvenance{
		Homepage: m.Package.Homepage, Repository: m.Package.Repository, License: m.Package.License,
	}
	for _, author := range m.Package.Authors {
		d.Provenance.Authors = append(d.Provenance.Authors, author.Name)
	}
	return d
}
