package manifest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wago-org/wago/internal/manifest"
)

const plugin = "example.com/vec/min"

type definition = manifest.PluginDefinition

// long is a valid text, ID segment or name of n bytes.
func long(n int) string { return strings.Repeat("a", n) }

// many is a list of n different values.
func many[T any](n int, make func(i int) T) []T {
	list := []T{}
	for i := range n {
		list = append(list, make(i))
	}
	return list
}

func request(name manifest.Authority, scope manifest.AuthorityScope) []manifest.AuthorityRequest {
	return []manifest.AuthorityRequest{{Name: name, Mode: manifest.AuthorityRequired, Reason: "r", Scope: scope}}
}

func schema(members string) json.RawMessage {
	return json.RawMessage(`{"type":"object","additionalProperties":false` + members + `}`)
}

// schemaOf is a valid schema of n bytes.
func schemaOf(n int) json.RawMessage {
	frame := len(schema(`,"title":""`))
	return schema(`,"title":"` + long(n-frame) + `"`)
}

func modules(names ...string) manifest.AuthorityScope { return manifest.AuthorityScope{Modules: names} }

// Each bound of a definition: what is just allowed, and what is just too much.
func TestBounds(t *testing.T) {
	for name, row := range map[string]struct {
		path string
		set  func(d *definition, n int)
		at   int
	}{
		"ID":          {"id", func(d *definition, n int) { d.ID = "example.com/" + long(n-len("example.com/")) }, 300},
		"Name":        {"name", func(d *definition, n int) { d.Name = long(n) }, 100},
		"Description": {"description", func(d *definition, n int) { d.Description = long(n) }, 500},
		"engines": {"compatibility.engines", func(d *definition, n int) {
			d.Compatibility.Engines = map[string]string{}
			for i := range n {
				d.Compatibility.Engines[fmt.Sprintf("e%d", i)] = "*"
			}
		}, 64},
		"engine name": {"compatibility.engines", func(d *definition, n int) {
			d.Compatibility.Engines = map[string]string{long(n): "*"}
		}, 64},
		"platforms": {"compatibility.platforms", func(d *definition, n int) {
			d.Compatibility.Platforms = many(n, func(i int) string { return fmt.Sprintf("os/a%d", i) })
		}, 128},
		"authors": {"provenance.authors", func(d *definition, n int) {
			d.Provenance.Authors = many(n, func(i int) string { return fmt.Sprint(i) })
		}, 64},
		"author": {"provenance.authors[0]", func(d *definition, n int) { d.Provenance.Authors = []string{long(n)} }, 200},
		"requires": {"requires", func(d *definition, n int) {
			d.Requires = many(n, func(i int) manifest.PluginRequirement {
				return manifest.PluginRequirement{ID: fmt.Sprintf("example.com/%d", i), Version: "*"}
			})
		}, 128},
		"required ID": {"requires[0].id", func(d *definition, n int) {
			d.Requires = []manifest.PluginRequirement{{ID: "e.com/" + long(n-len("e.com/")), Version: "*"}}
		}, 300},
		"reason": {"authorities[0].reason", func(d *definition, n int) {
			d.Authorities = request(manifest.AuthorityHostCallerIdentify, manifest.AuthorityScope{})
			d.Authorities[0].Reason = long(n)
		}, 500},
		"scope modules": {"authorities[0].scope.modules", func(d *definition, n int) {
			names := many(n, func(i int) string { return fmt.Sprint(i) })
			d.Authorities = request(manifest.AuthorityHostImportDefine, modules(names...))
		}, 128},
		"scope module": {"authorities[0].scope.modules[0]", func(d *definition, n int) {
			d.Authorities = request(manifest.AuthorityHostImportDefine, modules(long(n)))
		}, 200},
		"schema": {"configSchema", func(d *definition, n int) { d.ConfigSchema = schemaOf(n) }, 256 << 10},
		"schema in canonical form": {"configSchema", func(d *definition, n int) {
			escaped := `,"title":"<<<<<`
			d.ConfigSchema = schema(escaped + long(n-len(schema(escaped+`"`))-5*5) + `"`)
		}, 256 << 10},
		"provides": {"provides", func(d *definition, n int) {
			d.Provides = many(n, func(i int) manifest.ContractSpec { return manifest.ContractSpec{ID: plugin, Major: uint32(i + 1)} })
		}, 128},
		"consumes": {"consumes", func(d *definition, n int) {
			d.Consumes = many(n, func(i int) manifest.ContractRequirement {
				return manifest.ContractRequirement{ID: plugin, Major: uint32(i + 1), Mode: manifest.ContractMany}
			})
		}, 128},
		"contract ID": {"provides[0].id", func(d *definition, n int) {
			d.Provides = []manifest.ContractSpec{{ID: "e.com/" + long(n-len("e.com/")), Major: 1}}
		}, 300},
	} {
		t.Run(name, func(t *testing.T) {
			d := minimal(plugin)
			row.set(&d, row.at)
			_, err := manifest.DefinitionDigest(d)
			require.NoError(t, err, "at the bound")

			row.set(&d, row.at+1)
			_, err = manifest.DefinitionDigest(d)
			requirePluginError(t, err, manifest.ErrInvalidDefinition, d.ID, manifest.PluginPhaseValidate, row.path)
			require.Less(t, len(err.Error()), 600, "an error is read by people")
		})
	}
}

// There are fewer authorities than the bound, so only a list with repetitions can pass it: the bound is what is reported.
func TestTooManyAuthoritiesAreCountedFirst(t *testing.T) {
	d := minimal(plugin)
	d.Authorities = many(65, func(int) manifest.AuthorityRequest { return manifest.AuthorityRequest{} })
	_, err := manifest.DefinitionDigest(d)
	requirePluginError(t, err, manifest.ErrInvalidDefinition, plugin, manifest.PluginPhaseValidate, "authorities")

	d.Authorities = d.Authorities[:64]
	_, err = manifest.DefinitionDigest(d)
	requirePluginError(t, err, manifest.ErrInvalidDefinition, plugin, manifest.PluginPhaseValidate, "authorities[0].name")
}
