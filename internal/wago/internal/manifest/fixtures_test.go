package manifest_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wago-org/wago/internal/manifest"
)

// minimal is the smallest valid definition.
func minimal(id string) manifest.PluginDefinition {
	return manifest.PluginDefinition{
		ID:         id,
		Version:    "1.0.0",
		Provenance: manifest.PluginProvenance{Repository: "https://example.com/vec/min", License: "MIT"},
	}
}

// full has every field, each list in an order that is not the canonical one.
func full() manifest.PluginDefinition {
	return manifest.PluginDefinition{
		ID:          "example.com/vec/full",
		Name:        "Full",
		Version:     "1.2.3",
		Description: "a < b & c",
		Stability:   manifest.Stable,
		Compatibility: manifest.Compatibility{
			Engines:   map[string]string{"wago": ">=0.1.0", "go": ">=1.24"},
			Platforms: []string{"linux/amd64", "darwin/arm64"},
		},
		Provenance: manifest.PluginProvenance{
			Homepage:   "https://example.com/h#top",
			Repository: "https://example.com/vec/full",
			License:    "Apache-2.0",
			Authors:    []string{"B", "A"},
		},
		Requires: []manifest.PluginRequirement{
			{ID: "example.com/dep/b", Version: "~2.1"},
			{ID: "example.com/dep/a", Version: "^1.0.0"},
		},
		Authorities: []manifest.AuthorityRequest{
			{
				Name: manifest.AuthorityInstanceManage, Mode: manifest.AuthorityOptional, Reason: "forks",
				Scope: manifest.AuthorityScope{MaxInstances: 4, MaxMemoryBytes: 65536},
			},
			{
				Name: manifest.AuthorityHostImportDefine, Mode: manifest.AuthorityRequired, Reason: "imports",
				Scope: manifest.AuthorityScope{Modules: []string{"b", "a"}},
			},
		},
		ConfigSchema: json.RawMessage(`{ "type": "object",
			"properties": {"z": {"type": "integer"}, "a": {"type": "string"}},
			"additionalProperties": false }`),
		Provides: []manifest.ContractSpec{
			{ID: "example.com/vec/full/svc", Major: 2},
			{ID: "example.com/vec/full/svc", Major: 1},
		},
		Consumes: []manifest.ContractRequirement{
			{ID: "example.com/dep/b/svc", Major: 3, Mode: manifest.ContractMany},
			{ID: "example.com/dep/a/svc", Major: 1, Mode: manifest.ContractRequired},
		},
	}
}

// selected is the selection a definition asks for: everything it requests, nothing bound, no configuration.
func selected(t require.TestingT, d manifest.PluginDefinition) manifest.PluginSelection {
	sum, err := manifest.DefinitionDigest(d)
	require.NoError(t, err)
	s := manifest.PluginSelection{ID: d.ID, DefinitionDigest: sum, Direct: true, Dependencies: map[string]string{}}
	for _, r := range d.Requires {
		s.Dependencies[r.ID] = r.Version
	}
	for _, a := range d.Authorities {
		s.Grants = append(s.Grants, manifest.AuthorityGrant{Name: a.Name, Scope: a.Scope})
	}
	return s
}

// requirePluginError holds an error against what it must name.
func requirePluginError(t *testing.T, err, sentinel error, plugin string, phase manifest.PluginPhase, path string) {
	t.Helper()
	require.ErrorIs(t, err, sentinel)
	var e *manifest.PluginError
	require.ErrorAs(t, err, &e)
	require.Equal(t, plugin, e.Plugin, err)
	require.Equal(t, phase, e.Phase, err)
	require.Equal(t, path, e.Path, err)
	require.NotEmpty(t, e.Error())
}

// names are texts that JSON has to escape, or not.
var names = rapid.OneOf(
	rapid.StringMatching(`[a-z <>&"\\]{0,20}`),
	rapid.SampledFrom([]string{"", "é", "日本", "a\u2028b", "line\nbreak", "tab\t", "\x00", "\x7f", "<&>"}),
)

func distinct[T any](t *rapid.T, label string, most int, value *rapid.Generator[T], key func(T) string) []T {
	return rapid.SliceOfNDistinct(value, 0, most, key).Draw(t, label)
}

func itself(text string) string { return text }

// definitions makes valid ones with the given ID.
func definitions(id string) *rapid.Generator[manifest.PluginDefinition] {
	return rapid.Custom(func(t *rapid.T) manifest.PluginDefinition {
		d := minimal(id)
		d.Name = names.Draw(t, "name")
		d.Description = names.Draw(t, "description")
		d.Version = rapid.SampledFrom([]string{"0.1.0", "v1.2.3", "1.0.0-rc.1+build.5"}).Draw(t, "version")
		d.Stability = rapid.SampledFrom([]manifest.Stability{"", manifest.Experimental, manifest.Stable}).Draw(t, "stability")
		d.Compatibility.Platforms = distinct(t, "platforms", 3, rapid.StringMatching(`[a-z]{1,3}/[a-z0-9]{1,3}`), itself)
		d.Compatibility.Engines = rapid.MapOfN(rapid.StringMatching(`[a-z]{1,3}`), rapid.Just(">=0.1.0 <2"), 0, 3).Draw(t, "engines")
		d.Provenance.Authors = rapid.SliceOfN(names, 0, 3).Draw(t, "authors")
		d.Requires = distinct(t, "requires", 3, rapid.Custom(func(t *rapid.T) manifest.PluginRequirement {
			return manifest.PluginRequirement{ID: "dep.example/" + rapid.StringMatching(`[a-c]`).Draw(t, "id"), Version: "^1.0.0"}
		}), func(r manifest.PluginRequirement) string { return r.ID })
		d.Authorities = distinct(t, "authorities", 3, requests, func(r manifest.AuthorityRequest) string { return string(r.Name) })
		d.ConfigSchema = schemas.Draw(t, "schema")
		d.Provides = distinct(t, "provides", 3, rapid.Custom(func(t *rapid.T) manifest.ContractSpec {
			return manifest.ContractSpec{ID: id + "/svc", Major: rapid.Uint32Range(1, 9).Draw(t, "major")}
		}), func(s manifest.ContractSpec) string { return fmt.Sprint(s) })
		d.Consumes = distinct(t, "consumes", 3, rapid.Custom(func(t *rapid.T) manifest.ContractRequirement {
			mode := rapid.SampledFrom([]manifest.ContractMode{"required", "optional", "many"}).Draw(t, "mode")
			return manifest.ContractRequirement{ID: "dep.example/svc", Major: rapid.Uint32Range(1, 9).Draw(t, "major"), Mode: mode}
		}), func(r manifest.ContractRequirement) string { return fmt.Sprint(r.Major) })
		return d
	})
}

var requests = rapid.Custom(func(t *rapid.T) manifest.AuthorityRequest {
	r := manifest.AuthorityRequest{
		Name: rapid.SampledFrom([]manifest.Authority{
			manifest.AuthorityHostImportDefine, manifest.AuthorityInstanceManage, manifest.AuthorityHostCallerIdentify,
		}).Draw(t, "name"),
		Mode:   rapid.SampledFrom([]manifest.AuthorityMode{"required", "optional"}).Draw(t, "mode"),
		Reason: "because " + names.Draw(t, "reason"),
	}
	switch r.Name {
	case manifest.AuthorityHostImportDefine:
		r.Scope.Modules = rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,4}`), 1, 4, itself).Draw(t, "modules")
	case manifest.AuthorityInstanceManage:
		r.Scope.MaxInstances = rapid.Uint32Min(1).Draw(t, "instances")
		r.Scope.MaxMemoryBytes = rapid.Uint64Min(1).Draw(t, "memory")
	}
	return r
})

var schemas = rapid.Custom(func(t *rapid.T) json.RawMessage {
	if rapid.Bool().Draw(t, "none") {
		return nil
	}
	number := rapid.SampledFrom([]string{"1", "1.0", "1e2", "12345678901234567890", "-0"}).Draw(t, "number")
	title, err := json.Marshal(names.Draw(t, "title"))
	require.NoError(t, err)
	return json.RawMessage(fmt.Sprintf(
		` {"type":"object", "title":%s, "additionalProperties":false, "properties":{"n":{"maximum":%s},"N":{}}}`, title, number))
})
