package workers_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"

	"github.com/wago-org/workers"
	"github.com/wago-org/workers/register"
)

var update = flag.Bool("update", false, "write wago.providers.json before comparing it")

func TestCatalogIsTheRegisteredProvidersByteForByte(t *testing.T) {
	want, err := wago.EncodeProviderCatalog(workers.PluginID+"/register", register.Providers())
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(wago.ProviderCatalogFile, want, 0o644))
	}
	got, err := os.ReadFile(wago.ProviderCatalogFile)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))

	catalog, err := wago.DecodeProviderCatalog(got)
	require.NoError(t, err)
	require.Len(t, catalog.Providers, 1)
	digest, err := wago.DefinitionDigest(workers.Definition())
	require.NoError(t, err)
	require.Equal(t, digest, catalog.Providers[0].DefinitionDigest)
}

// The digest is computed a second time from the catalog's text, with the standard library alone: the definition in it is
// canonical, so its compact form is what is hashed.
func TestCatalogDigestIsTheHashOfItsDefinition(t *testing.T) {
	data, err := os.ReadFile(wago.ProviderCatalogFile)
	require.NoError(t, err)
	var catalog struct {
		Providers []struct {
			Definition       json.RawMessage
			DefinitionDigest string
		}
	}
	require.NoError(t, json.Unmarshal(data, &catalog))
	require.Len(t, catalog.Providers, 1)
	var compact bytes.Buffer
	require.NoError(t, json.Compact(&compact, catalog.Providers[0].Definition))
	sum := sha256.Sum256(compact.Bytes())
	require.Equal(t, "sha256:"+hex.EncodeToString(sum[:]), catalog.Providers[0].DefinitionDigest)
}

func TestManifestSaysWhatTheDefinitionDoes(t *testing.T) {
	data, err := os.ReadFile("wago.json")
	require.NoError(t, err)
	var manifest struct {
		Schema  string `json:"$schema"`
		Plugins map[string]string
		Package struct {
			Module, Name, Version, Description, Stability, License, Homepage, Repository, Category string
			Authors                                                                                []struct{ Name string }
			Tags                                                                                   []string
			Engines                                                                                map[string]string
		}
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&manifest))
	d, p := workers.Definition(), manifest.Package
	require.Equal(t, "https://wago.sh/v1/schema.json", manifest.Schema)
	require.Empty(t, manifest.Plugins, "a leaf")
	require.Empty(t, d.Requires)
	require.Empty(t, d.Consumes)
	require.Equal(t, []string{d.ID, d.Name, d.Version, d.Description, string(d.Stability)},
		[]string{p.Module, p.Name, p.Version, p.Description, p.Stability})
	require.Equal(t, []string{d.Provenance.License, d.Provenance.Homepage, d.Provenance.Repository},
		[]string{p.License, p.Homepage, p.Repository})
	var authors []string
	for _, author := range p.Authors {
		authors = append(authors, author.Name)
	}
	require.ElementsMatch(t, d.Provenance.Authors, authors)
	require.Equal(t, d.Compatibility.Engines, p.Engines)
	require.Equal(t, "concurrency", p.Category)
	require.True(t, slices.Contains(p.Tags, "workers"))
}

func TestDefinitionIsThePublishedInterface(t *testing.T) {
	d := workers.Definition()
	require.Equal(t, "github.com/wago-org/workers", d.ID)
	require.Equal(t, "0.1.0", d.Version)
	require.Equal(t, wago.Experimental, d.Stability)
	require.Equal(t, map[string]string{"wago": ">=0.1.0"}, d.Compatibility.Engines)
	require.Equal(t, []wago.ContractSpec{{ID: "github.com/wago-org/workers/service", Major: 1}}, d.Provides)
	scopes := map[wago.Authority]wago.AuthorityScope{}
	for _, request := range d.Authorities {
		require.Equal(t, wago.AuthorityRequired, request.Mode)
		scopes[request.Name] = request.Scope
	}
	require.Equal(t, map[wago.Authority]wago.AuthorityScope{
		wago.AuthorityInstanceManage:       {MaxInstances: 1_024, MaxMemoryBytes: 4 << 30},
		wago.AuthorityInstanceCloseObserve: {},
	}, scopes)
}

func TestProvidersAreFreshEachTime(t *testing.T) {
	first, second := register.Providers(), register.Providers()
	require.Len(t, first, 1)
	first[0].Definition.Authorities[0].Name = "changed"
	first[0].Definition.Compatibility.Engines["wago"] = "changed"
	first[0].Definition.ConfigSchema[0] = '!'
	require.Equal(t, workers.Definition(), second[0].Definition)
	require.NotSame(t, second[0].New(), second[0].New())
}
