package manifest_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wago-org/wago/internal/manifest"
)

// FuzzDecodeProviderCatalog: whatever is accepted is canonical, has the digests it names, and is written again as a catalog
// that says the same. What was changed gets the right digests as well, which nothing finds by chance.
func FuzzDecodeProviderCatalog(f *testing.F) {
	f.Add(encoded(f, module))
	f.Add(encoded(f, module, module+"/sub"))
	d := full()
	text, err := manifest.EncodeProviderCatalog(d.ID+"/register", []manifest.PluginDefinition{d})
	require.NoError(f, err)
	f.Add(text)
	f.Add(bytes.ReplaceAll(text, []byte("\\u003c"), []byte("<")))
	f.Add([]byte(`{"$schema":"https://wago.sh/v1/providers.schema.json","providers":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		catalogHolds(t, text)
		if text = signed(text); text != nil {
			catalogHolds(t, text)
		}
	})
}

func catalogHolds(t *testing.T, text []byte) {
	document, err := manifest.DecodeProviderCatalog(text)
	if err != nil {
		require.ErrorIs(t, err, manifest.ErrInvalidCatalog)
		return
	}
	for i, entry := range document.Providers {
		require.Equal(t, canonicalText(t, entry.Definition), compact(t, readLoosely(text).Providers[i].Definition))
		sum, err := manifest.DefinitionDigest(entry.Definition)
		require.NoError(t, err)
		require.Equal(t, sum, entry.DefinitionDigest)
	}
	again, err := manifest.EncodeProviderCatalog(document.Providers[0].ImportPath, read(document))
	require.NoError(t, err)
	same, err := manifest.DecodeProviderCatalog(again)
	require.NoError(t, err)
	require.Equal(t, document, same)
}

// looseCatalog is a catalog as any decoder reads it.
type looseCatalog struct {
	Schema    string       `json:"$schema"`
	Providers []looseEntry `json:"providers"`
}

type looseEntry struct {
	ImportPath       string          `json:"importPath"`
	Definition       json.RawMessage `json:"definition"`
	DefinitionDigest string          `json:"definitionDigest"`
}

func readLoosely(text []byte) *looseCatalog {
	loose := new(looseCatalog)
	if json.Unmarshal(text, loose) != nil {
		return nil
	}
	return loose
}

// signed returns the catalog with the right digests; nil if there is none to sign.
func signed(text []byte) []byte {
	loose := readLoosely(text)
	if loose == nil {
		return nil
	}
	for i := range loose.Providers {
		entry := &loose.Providers[i]
		var d manifest.PluginDefinition
		if json.Unmarshal(entry.Definition, &d) != nil {
			return nil
		}
		sum, err := manifest.DefinitionDigest(d)
		if err != nil {
			return nil
		}
		entry.DefinitionDigest = sum
	}
	out, err := json.Marshal(loose)
	if err != nil {
		return nil
	}
	return out
}

func canonicalText(t *testing.T, d manifest.PluginDefinition) string {
	canonical, err := manifest.CanonicalPluginDefinition(d)
	require.NoError(t, err)
	text, err := json.Marshal(canonical)
	require.NoError(t, err)
	return string(text)
}

func compact(t *testing.T, text json.RawMessage) string {
	out, err := json.Marshal(text)
	require.NoError(t, err)
	return string(out)
}

// FuzzCanonicalPluginDefinition: whatever has a canonical form: the form is a fixed point, survives JSON and a catalog, and
// its SHA-256 is the digest, which no order of lists and no blank in the schema changes.
func FuzzCanonicalPluginDefinition(f *testing.F) {
	f.Add([]byte(minimalJSON))
	f.Add([]byte(fullJSON))
	text, err := json.Marshal(full())
	require.NoError(f, err)
	f.Add(text)
	for _, change := range []struct{ old, new string }{
		{`"a \u003c b \u0026 c"`, `"\u2028 < > & é"`}, {`"1.2.3"`, `"v1.2.3-rc.1+b"`}, {`"integer"`, `"integer","maximum":1.50e+2`},
		{`"B","A"`, `"é","e","E"`}, {`"stable"`, `""`}, {`"z":`, `"\u007a":{},"Z":`},
	} {
		f.Add([]byte(strings.Replace(string(text), change.old, change.new, 1)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var d manifest.PluginDefinition
		if json.Unmarshal(text, &d) != nil {
			return
		}
		given := manifest.CloneDefinition(d)
		canonical, err := manifest.CanonicalPluginDefinition(d)
		require.Equal(t, given, d, "the argument is left alone")
		if err != nil {
			require.ErrorIs(t, err, manifest.ErrInvalidDefinition)
			return
		}
		again, err := manifest.CanonicalPluginDefinition(canonical)
		require.NoError(t, err)
		require.Equal(t, canonical, again)
		written, err := json.Marshal(canonical)
		require.NoError(t, err)
		var read manifest.PluginDefinition
		require.NoError(t, json.Unmarshal(written, &read))
		require.Equal(t, canonical, read)
		hash := sha256.Sum256(written)
		sum := "sha256:" + hex.EncodeToString(hash[:])
		for _, same := range []manifest.PluginDefinition{d, read, turned(t, d)} {
			other, err := manifest.DefinitionDigest(same)
			require.NoError(t, err)
			require.Equal(t, sum, other)
		}
		survivesACatalog(t, canonical, sum)
	})
}

// turned returns the definition with every list the other way round and its schema on many lines.
func turned(t *testing.T, d manifest.PluginDefinition) manifest.PluginDefinition {
	d = manifest.CloneDefinition(d)
	slices.Reverse(d.Compatibility.Platforms)
	slices.Reverse(d.Provenance.Authors)
	slices.Reverse(d.Requires)
	slices.Reverse(d.Authorities)
	for i := range d.Authorities {
		slices.Reverse(d.Authorities[i].Scope.Modules)
	}
	slices.Reverse(d.Provides)
	slices.Reverse(d.Consumes)
	if len(d.ConfigSchema) > 0 {
		var out bytes.Buffer
		require.NoError(t, json.Indent(&out, d.ConfigSchema, "", " "))
		if out.Len() <= 256<<10 { // more is refused
			d.ConfigSchema = out.Bytes()
		}
	}
	return d
}

func survivesACatalog(t *testing.T, canonical manifest.PluginDefinition, sum string) {
	text, err := manifest.EncodeProviderCatalog(canonical.ID+"/register", []manifest.PluginDefinition{canonical})
	if err != nil {
		var lines bytes.Buffer
		require.NoError(t, json.Indent(&lines, []byte(canonicalText(t, canonical)), "      ", "  "))
		require.Greater(t, lines.Len(), 2<<20-1000, "nothing but its size can be wrong with a catalog of one: %v", err)
		return
	}
	document, err := manifest.DecodeProviderCatalog(text)
	require.NoError(t, err)
	require.Equal(t, canonical, document.Providers[0].Definition)
	require.Equal(t, sum, document.Providers[0].DefinitionDigest)
}
