package manifest_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wago-org/wago/internal/manifest"
)

func TestResolveOrdersProvidersFirst(t *testing.T) {
	w := newWorld(t)
	r, err := manifest.Resolve(w.definitions, w.selections)
	require.NoError(t, err)
	require.Equal(t, []string{workers, pool, consumer}, order(r))

	last := r.Entries[2]
	require.Equal(t, 0, last.Provider)
	require.Equal(t, w.definitions[0], last.Definition)
	require.Equal(t, w.selections[0].DefinitionDigest, last.Digest)
	require.Equal(t, w.selections[0], last.Selection)
	require.Equal(t, w.selections[0].Contracts, last.Bindings)
	require.Equal(t, w.selections[0].Grants, last.Grants)
}

func TestPlanShowsTheResolution(t *testing.T) {
	w := newWorld(t)
	r, err := manifest.Resolve(w.definitions, w.selections)
	require.NoError(t, err)
	text, err := json.Marshal(r.Plan())
	require.NoError(t, err)
	require.JSONEq(t, `{"plugins":[
		{"id":"example.com/workers","definitionDigest":"`+r.Entries[0].Digest+`",
		 "grants":[{"name":"instance.manage","scope":{"maxInstances":8,"maxMemoryBytes":1024}}],
		 "provides":[{"id":"example.com/svc","major":1}]},
		{"id":"example.com/pool","definitionDigest":"`+r.Entries[1].Digest+`",
		 "provides":[{"id":"example.com/svc","major":2}],
		 "consumes":[{"id":"example.com/svc","major":1,"mode":"required"}],
		 "contracts":[{"id":"example.com/svc","major":1,"providers":["example.com/workers"]}]},
		{"id":"example.com/consumer","definitionDigest":"`+r.Entries[2].Digest+`",
		 "grants":[{"name":"host.import.define","scope":{"modules":["env","log"]}},{"name":"host.caller.identify","scope":{}}],
		 "consumes":[{"id":"example.com/svc","major":2,"mode":"many"}],
		 "contracts":[{"id":"example.com/svc","major":2,"providers":["example.com/pool"]}]}
	]}`, string(text))
}

func TestNothingSelectedIsAValidPlan(t *testing.T) {
	w := newWorld(t)
	r, err := manifest.Resolve(w.definitions, nil)
	require.NoError(t, err)
	text, err := json.Marshal(r.Plan())
	require.NoError(t, err)
	require.Equal(t, `{"plugins":[]}`, string(text))
}

func TestResolutionSharesNoMemory(t *testing.T) {
	w := newWorld(t)
	r, err := manifest.Resolve(w.definitions, w.selections)
	require.NoError(t, err)
	before := order(r)
	plan := r.Plan()

	w.definitions[0].Authorities[0].Scope.Modules[0] = "changed"
	w.selections[0].Grants[0].Scope.Modules[0] = "changed"
	w.selections[0].Contracts[0].Providers[0] = "changed"
	w.selections[0].Config[0] = 'x'
	plan.Plugins[2].Grants[0].Scope.Modules[0] = "changed"
	plan.Plugins[2].Contracts[0].Providers[0] = "changed"
	plan.Plugins[2].Consumes[0].ID = "changed"

	require.Equal(t, before, order(r))
	last := r.Entries[2]
	require.Equal(t, []string{"env", "log"}, last.Definition.Authorities[0].Scope.Modules)
	require.Equal(t, []string{"env", "log"}, last.Selection.Grants[0].Scope.Modules)
	require.Equal(t, []string{"env", "log"}, last.Grants[0].Scope.Modules)
	require.Equal(t, []string{pool}, last.Bindings[0].Providers)
	require.Equal(t, []string{pool}, last.Selection.Contracts[0].Providers)
	require.Equal(t, service, last.Definition.Consumes[0].ID)
	require.Equal(t, `{"a":1}`, string(last.Selection.Config))
}

// On any graph: a circle is found exactly when there is one, everything comes after what it needs, the outcome doesn't depend
// on the order of the arguments, and the order is the lexically smallest one.
func TestResolveOrdersAnyGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := []string{"e.com/a", "e.com/b", "e.com/c", "e.com/d", "e.com/e", "e.com/f"}[:rapid.IntRange(1, 6).Draw(t, "n")]
		needs := map[string][]string{}
		w := world{}
		for _, id := range ids {
			d := minimal(id)
			others := slices.DeleteFunc(slices.Clone(ids), func(other string) bool { return other == id })
			if len(others) > 0 {
				needs[id] = rapid.SliceOfNDistinct(rapid.SampledFrom(others), 0, min(2, len(others)), itself).Draw(t, id)
			}
			for _, need := range needs[id] {
				d.Requires = append(d.Requires, manifest.PluginRequirement{ID: need, Version: "*"})
			}
			w.definitions = append(w.definitions, d)
			w.selections = append(w.selections, selected(t, d))
		}
		want := smallestOrder(ids, needs)
		r, err := manifest.Resolve(w.definitions, w.selections)
		if len(want) < len(ids) {
			require.ErrorIs(t, err, manifest.ErrDependencyCycle)
			return
		}
		require.NoError(t, err)
		require.Equal(t, want, order(r))

		again, err := manifest.Resolve(
			rapid.Permutation(w.definitions).Draw(t, "definitions"), rapid.Permutation(w.selections).Draw(t, "selections"))
		require.NoError(t, err)
		require.Equal(t, r.Plan(), again.Plan())
	})
}

// smallestOrder repeats the definition: always the first one all of whose needs have been placed.
func smallestOrder(ids []string, needs map[string][]string) (placed []string) {
	for range ids {
		for _, id := range ids {
			missing := func(need string) bool { return !slices.Contains(placed, need) }
			if !slices.Contains(placed, id) && !slices.ContainsFunc(needs[id], missing) {
				placed = append(placed, id)
				break
			}
		}
	}
	return placed
}
