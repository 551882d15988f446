package manifest_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wago-org/wago/internal/manifest"
)

const (
	workers  = "example.com/workers"
	pool     = "example.com/pool"
	consumer = "example.com/consumer"
	logger   = "example.com/logger"
	service  = "example.com/svc"
)

// world is three plugins on top of each other: the consumer binds the pool's contract, the pool requires the workers and
// binds theirs. The logger is linked and not selected.
type world struct {
	definitions []manifest.PluginDefinition
	selections  []manifest.PluginSelection
}

func newWorld(t require.TestingT) *world {
	w := minimal(workers)
	w.Compatibility.Engines = map[string]string{"wago": ">=0.1.0"}
	w.Provides = []manifest.ContractSpec{{ID: service, Major: 1}}
	w.Authorities = request(manifest.AuthorityInstanceManage, manifest.AuthorityScope{MaxInstances: 8, MaxMemoryBytes: 1024})
	p := minimal(pool)
	p.Requires = []manifest.PluginRequirement{{ID: workers, Version: "^1.0.0"}}
	p.Provides = []manifest.ContractSpec{{ID: service, Major: 2}}
	p.Consumes = []manifest.ContractRequirement{{ID: service, Major: 1, Mode: manifest.ContractRequired}}
	c := minimal(consumer)
	c.Authorities = append(request(manifest.AuthorityHostImportDefine, modules("env", "log")),
		request(manifest.AuthorityHostCallerIdentify, manifest.AuthorityScope{})...)
	c.Consumes = []manifest.ContractRequirement{{ID: service, Major: 2, Mode: manifest.ContractMany}}
	l := minimal(logger)
	l.Provides = []manifest.ContractSpec{{ID: service, Major: 1}, {ID: service, Major: 2}}

	ws, ps, cs := selected(t, w), selected(t, p), selected(t, c)
	ws.Direct, ps.Direct = false, false
	ps.Contracts = []manifest.ContractBinding{{ID: service, Major: 1, Providers: []string{workers}}}
	cs.Contracts = []manifest.ContractBinding{{ID: service, Major: 2, Providers: []string{pool}}}
	cs.Config = json.RawMessage(`{"a":1}`)
	return &world{[]manifest.PluginDefinition{c, p, w, l}, []manifest.PluginSelection{cs, ps, ws}}
}

func (w *world) definition(id string) *manifest.PluginDefinition {
	return &w.definitions[slices.IndexFunc(w.definitions, func(d manifest.PluginDefinition) bool { return d.ID == id })]
}

func (w *world) selection(id string) *manifest.PluginSelection {
	return &w.selections[slices.IndexFunc(w.selections, func(s manifest.PluginSelection) bool { return s.ID == id })]
}

// redefine changes a definition and approves the change.
func (w *world) redefine(t *testing.T, id string, change func(*manifest.PluginDefinition)) {
	change(w.definition(id))
	sum, err := manifest.DefinitionDigest(*w.definition(id))
	require.NoError(t, err)
	w.selection(id).DefinitionDigest = sum
}

// add links and selects one more.
func (w *world) add(t *testing.T, d manifest.PluginDefinition) *manifest.PluginSelection {
	w.definitions = append(w.definitions, d)
	w.selections = append(w.selections, selected(t, d))
	return &w.selections[len(w.selections)-1]
}

func (w *world) selectLogger(t *testing.T) {
	w.selections = append(w.selections, selected(t, *w.definition(logger)))
}

func order(r *manifest.Resolution) (ids []string) {
	for _, entry := range r.Entries {
		ids = append(ids, entry.Definition.ID)
	}
	return ids
}

func ids(selections []manifest.PluginSelection) (ids []string) {
	for _, s := range selections {
		ids = append(ids, s.ID)
	}
	return ids
}
