package manifest_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wago-org/wago/internal/manifest"
)

// Whatever is accepted is written again as a catalog that says the same.
func FuzzDecodeProviderCatalog(f *testing.F) {
	f.Add(encoded(f, module))
	f.Add(encoded(f, module, module+"/sub"))
	d := full()
	text, err := manifest.EncodeProviderCatalog(d.ID+"/register", []manifest.PluginDefinition{d})
	require.NoError(f, err)
	f.Add(text)
	f.Add([]byte(`{"$schema":"https://wago.sh/v1/providers.schema.json","providers":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		document, err := manifest.DecodeProviderCatalog(text)
		if err != nil {
			require.ErrorIs(t, err, manifest.ErrInvalidCatalog)
			return
		}
		again, err := manifest.EncodeProviderCatalog(document.Providers[0].ImportPath, read(document))
		require.NoError(t, err)
		same, err := manifest.DecodeProviderCatalog(again)
		require.NoError(t, err)
		require.Equal(t, document, same)
	})
}

// Whatever has a canonical form: the form is a fixed point, has the same digest, and survives JSON.
func FuzzCanonicalPluginDefinition(f *testing.F) {
	f.Add([]byte(minimalJSON))
	f.Add([]byte(fullJSON))
	text, err := json.Marshal(full())
	require.NoError(f, err)
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		var d manifest.PluginDefinition
		if json.Unmarshal(text, &d) != nil {
			return
		}
		canonical, err := manifest.CanonicalPluginDefinition(d)
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

		one, err := manifest.DefinitionDigest(d)
		require.NoError(t, err)
		other, err := manifest.DefinitionDigest(read)
		require.NoError(t, err)
		require.Equal(t, one, other)
	})
}
