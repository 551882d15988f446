package pool_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// The digest is what an operator approves: it is computed here once more, from the rules and nothing of the host's.
func TestTheDigestFollowsFromTheRules(t *testing.T) {
	want := digest(t, pool.Definition())
	got, err := wago.DefinitionDigest(pool.Definition())
	require.NoError(t, err)
	assert.Equal(t, want, got)

	text, err := os.ReadFile(wago.ProviderCatalogFile)
	require.NoError(t, err)
	assert.Contains(t, string(text), fmt.Sprintf("%q", want))
}

// The smallest definition there can be, and its digest as others compute it.
func TestTheRulesOfTheDigestGiveAKnownOne(t *testing.T) {
	assert.Equal(t, "sha256:198bf452b289b1648c3cf74c091fc2952b964a997a10663fa187345594d6cb1a", digest(t, wago.PluginDefinition{
		ID: "example.com/vec/min", Version: "1.0.0",
		Provenance: wago.PluginProvenance{Repository: "https://example.com/vec/min", License: "MIT"},
	}))
}

// digest sorts whatever has no order of its own, writes the definition as compact JSON, and takes the SHA-256 of it.
func digest(t testing.TB, d wago.PluginDefinition) string {
	t.Helper()
	slices.Sort(d.Compatibility.Platforms)
	slices.Sort(d.Provenance.Authors)
	slices.SortFunc(d.Requires, func(a, b wago.PluginRequirement) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), strings.Compare(a.Version, b.Version))
	})
	slices.SortFunc(d.Authorities, func(a, b wago.AuthorityRequest) int { return cmp.Compare(a.Name, b.Name) })
	for _, request := range d.Authorities {
		slices.Sort(request.Scope.Modules)
	}
	slices.SortFunc(d.Provides, func(a, b wago.ContractSpec) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), cmp.Compare(a.Major, b.Major))
	})
	slices.SortFunc(d.Consumes, func(a, b wago.ContractRequirement) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), cmp.Compare(a.Major, b.Major), cmp.Compare(a.Mode, b.Mode))
	})
	d.ConfigSchema = sortedKeys(t, d.ConfigSchema)
	text, err := json.Marshal(d)
	require.NoError(t, err)
	return fmt.Sprintf("sha256:%x", sha256.Sum256(text))
}

// sortedKeys writes a JSON object without blanks, its names sorted and its numbers as they stand.
func sortedKeys(t testing.TB, object json.RawMessage) json.RawMessage {
	t.Helper()
	if object == nil {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(object))
	decoder.UseNumber()
	var generic map[string]any
	require.NoError(t, decoder.Decode(&generic))
	text, err := json.Marshal(generic)
	require.NoError(t, err)
	return text
}
