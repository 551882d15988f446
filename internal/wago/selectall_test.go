package wago_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// bare is the definition of a plugin that asks for nothing.
func bare(id string) wago.PluginDefinition {
	return wago.PluginDefinition{
		ID: id, Version: "1.0.0", Provenance: wago.PluginProvenance{Repository: "https://" + id, License: "MIT"},
	}
}

func TestSelectAllGrantsAndBindsWhatDefinitionsAskFor(t *testing.T) {
	many := wago.ContractSpec{ID: "example.com/many/svc", Major: 1}
	one, two, user := bare("example.com/one"), bare("example.com/two"), bare("example.com/user")
	one.Provides, two.Provides = []wago.ContractSpec{many}, []wago.ContractSpec{many}
	user.Requires = []wago.PluginRequirement{{ID: one.ID, Version: "^1.0.0"}}
	user.Authorities = []wago.AuthorityRequest{{
		Name: wago.AuthorityHostImportDefine, Mode: wago.AuthorityRequired, Reason: "imports",
		Scope: wago.AuthorityScope{Modules: []string{"env"}},
	}}
	user.Consumes = []wago.ContractRequirement{
		{ID: many.ID, Major: 1, Mode: wago.ContractMany}, {ID: "example.com/none/svc", Major: 1, Mode: wago.ContractOptional},
	}
	set, err := wago.SelectAll(
		[]wago.PluginProvider{{Definition: user}, {Definition: one}, {Definition: two}},
		map[string]json.RawMessage{two.ID: json.RawMessage(`{"a":1}`)},
	)
	require.NoError(t, err)
	plan, err := wago.InspectPluginPlan(set)
	require.NoError(t, err)
	require.Len(t, plan.Plugins, 3)
	last := plan.Plugins[2]
	assert.Equal(t, user.ID, last.ID)
	assert.Equal(t, []wago.AuthorityGrant{{Name: wago.AuthorityHostImportDefine, Scope: wago.AuthorityScope{Modules: []string{"env"}}}}, last.Grants)
	assert.Equal(t, []string{one.ID, two.ID}, last.Contracts[0].Providers)
	assert.Empty(t, last.Contracts[1].Providers)
	assert.JSONEq(t, `{"a":1}`, string(set.Selections[2].Config))
}

func TestSelectAllRefusesAConfigurationOfNobody(t *testing.T) {
	_, err := wago.SelectAll([]wago.PluginProvider{{Definition: bare("example.com/one")}}, map[string]json.RawMessage{"example.com/onne": nil})
	require.ErrorIs(t, err, wago.ErrInvalidSelection)
}
