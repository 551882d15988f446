package manifest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wago-org/wago/internal/manifest"
)

func TestFieldsThatAreRefused(t *testing.T) {
	requires := func(list ...manifest.PluginRequirement) func(*definition) {
		return func(d *definition) { d.Requires = list }
	}
	authorities := func(list ...manifest.AuthorityRequest) func(*definition) {
		return func(d *definition) { d.Authorities = list }
	}
	provides := func(list ...manifest.ContractSpec) func(*definition) {
		return func(d *definition) { d.Provides = list }
	}
	consumes := func(list ...manifest.ContractRequirement) func(*definition) {
		return func(d *definition) { d.Consumes = list }
	}
	engines := func(name, wanted string) func(*definition) {
		return func(d *definition) { d.Compatibility.Engines = map[string]string{name: wanted} }
	}
	platforms := func(list ...string) func(*definition) {
		return func(d *definition) { d.Compatibility.Platforms = list }
	}
	imports := func(list ...string) func(*definition) {
		return func(d *definition) { d.Authorities = request(manifest.AuthorityHostImportDefine, modules(list...)) }
	}
	scoped := func(name manifest.Authority, scope manifest.AuthorityScope) func(*definition) {
		return func(d *definition) { d.Authorities = request(name, scope) }
	}
	config := func(text string) func(*definition) {
		return func(d *definition) { d.ConfigSchema = json.RawMessage(text) }
	}
	identify := request(manifest.AuthorityHostCallerIdentify, manifest.AuthorityScope{})[0]
	with := func(change func(*manifest.AuthorityRequest)) manifest.AuthorityRequest {
		r := identify
		change(&r)
		return r
	}
	const dep = "example.com/dep"

	for name, row := range map[string]struct {
		path   string
		change func(*definition)
	}{
		"no version":                    {"version", func(d *definition) { d.Version = "" }},
		"partial version":               {"version", func(d *definition) { d.Version = "1.2" }},
		"version with upper-case V":     {"version", func(d *definition) { d.Version = "V1.2.3" }},
		"version that is a range":       {"version", func(d *definition) { d.Version = "^1.2.3" }},
		"name is not UTF-8":             {"name", func(d *definition) { d.Name = "\xff" }},
		"description is not UTF-8":      {"description", func(d *definition) { d.Description = "\xff" }},
		"unknown stability":             {"stability", func(d *definition) { d.Stability = "beta" }},
		"stability in other case":       {"stability", func(d *definition) { d.Stability = "Stable" }},
		"engine in upper case":          {"compatibility.engines", engines("Wago", "*")},
		"engine that is no slug":        {"compatibility.engines", engines("wa_go", "*")},
		"engine that ends in a hyphen":  {"compatibility.engines", engines("wago-", "*")},
		"engine without a name":         {"compatibility.engines", engines("", "*")},
		"engine with a blank range":     {"compatibility.engines.wago", engines("wago", " ")},
		"engine with a broken range":    {"compatibility.engines.go", engines("go", "latest")},
		"platform in upper case":        {"compatibility.platforms[0]", platforms("Linux/amd64")},
		"platform without architecture": {"compatibility.platforms[0]", platforms("linux")},
		"platform with three parts":     {"compatibility.platforms[0]", platforms("linux/arm/v7")},
		"platform twice":                {"compatibility.platforms[1]", platforms("linux/amd64", "linux/amd64")},
		"no license":                    {"provenance.license", func(d *definition) { d.Provenance.License = "" }},
		"blank license":                 {"provenance.license", func(d *definition) { d.Provenance.License = " \t" }},
		"license is not UTF-8":          {"provenance.license", func(d *definition) { d.Provenance.License = "\xff" }},
		"author is not UTF-8": {"provenance.authors[1]", func(d *definition) {
			d.Provenance.Authors = []string{"a", "\xff"}
		}},
		"requirement with a bad ID":        {"requires[0].id", requires(manifest.PluginRequirement{ID: "dep", Version: "*"})},
		"requires itself":                  {"requires[0].id", requires(manifest.PluginRequirement{ID: plugin, Version: "*"})},
		"requires the same twice":          {"requires[1].id", requires(manifest.PluginRequirement{ID: dep, Version: "*"}, manifest.PluginRequirement{ID: dep, Version: "^1"})},
		"requirement without a range":      {"requires[0].version", requires(manifest.PluginRequirement{ID: dep})},
		"requirement with a blank range":   {"requires[0].version", requires(manifest.PluginRequirement{ID: dep, Version: "  "})},
		"requirement with a broken range":  {"requires[0].version", requires(manifest.PluginRequirement{ID: dep, Version: ">=1,<2"})},
		"unknown authority":                {"authorities[0].name", authorities(with(func(r *manifest.AuthorityRequest) { r.Name = "host.import" }))},
		"authority with a wildcard":        {"authorities[0].name", authorities(with(func(r *manifest.AuthorityRequest) { r.Name = "host.*" }))},
		"authority in other case":          {"authorities[0].name", authorities(with(func(r *manifest.AuthorityRequest) { r.Name = "Host.caller.identify" }))},
		"authority twice":                  {"authorities[1].name", authorities(identify, identify)},
		"authority without mode":           {"authorities[0].mode", authorities(with(func(r *manifest.AuthorityRequest) { r.Mode = "" }))},
		"authority with unknown mode":      {"authorities[0].mode", authorities(with(func(r *manifest.AuthorityRequest) { r.Mode = "many" }))},
		"authority without reason":         {"authorities[0].reason", authorities(with(func(r *manifest.AuthorityRequest) { r.Reason = "" }))},
		"authority with blank reason":      {"authorities[0].reason", authorities(with(func(r *manifest.AuthorityRequest) { r.Reason = " \n" }))},
		"reason is not UTF-8":              {"authorities[0].reason", authorities(with(func(r *manifest.AuthorityRequest) { r.Reason = "\xff" }))},
		"no modules where they are needed": {"authorities[0].scope.modules", imports()},
		"module without a name":            {"authorities[0].scope.modules[0]", imports("")},
		"module with a blank before":       {"authorities[0].scope.modules[0]", imports(" env")},
		"module with a blank behind":       {"authorities[0].scope.modules[0]", imports("env\t")},
		"module that is a wildcard":        {"authorities[0].scope.modules[0]", imports("*")},
		"module with a wildcard":           {"authorities[0].scope.modules[1]", imports("env", "e*v")},
		"module with NUL":                  {"authorities[0].scope.modules[0]", imports("e\x00v")},
		"module with CR":                   {"authorities[0].scope.modules[0]", imports("e\rv")},
		"module with LF":                   {"authorities[0].scope.modules[0]", imports("e\nv")},
		"module twice":                     {"authorities[0].scope.modules[1]", imports("env", "env")},
		"module is not UTF-8":              {"authorities[0].scope.modules[0]", imports("\xff")},
		"instance limit with modules": {"authorities[0].scope.maxInstances", scoped(manifest.AuthorityHostImportDefine,
			manifest.AuthorityScope{Modules: []string{"env"}, MaxInstances: 1})},
		"memory limit with modules": {"authorities[0].scope.maxMemoryBytes", scoped(manifest.AuthorityHostImportDefine,
			manifest.AuthorityScope{Modules: []string{"env"}, MaxMemoryBytes: 1})},
		"no instance limit where it is needed": {"authorities[0].scope.maxInstances", scoped(manifest.AuthorityInstanceManage,
			manifest.AuthorityScope{MaxMemoryBytes: 1})},
		"no memory limit where it is needed": {"authorities[0].scope.maxMemoryBytes", scoped(manifest.AuthorityInstanceManage,
			manifest.AuthorityScope{MaxInstances: 1})},
		"modules with limits": {"authorities[0].scope.modules", scoped(manifest.AuthorityCoreInstanceInstantiate,
			manifest.AuthorityScope{Modules: []string{"env"}, MaxInstances: 1, MaxMemoryBytes: 1})},
		"modules where there is no scope": {"authorities[0].scope.modules", scoped(manifest.AuthorityHostCallerIdentify, modules("env"))},
		"instances where there is no scope": {"authorities[0].scope.maxInstances", scoped(manifest.AuthorityHostCallerIdentify,
			manifest.AuthorityScope{MaxInstances: 1})},
		"memory where there is no scope": {"authorities[0].scope.maxMemoryBytes", scoped(manifest.AuthorityHostCallerIdentify,
			manifest.AuthorityScope{MaxMemoryBytes: 1})},
		"schema that is no JSON":         {"configSchema", config(`{"type":"object"`)},
		"schema that is blank":           {"configSchema", config(` `)},
		"schema that is an array":        {"configSchema", config(`[]`)},
		"schema that is null":            {"configSchema", config(`null`)},
		"schema that is true":            {"configSchema", config(`true`)},
		"two schemas":                    {"configSchema", config(string(schema("")) + string(schema("")))},
		"schema with a name twice":       {"configSchema", config(string(schema(`,"type":"object"`)))},
		"schema nested without end":      {"configSchema", config(`{"x":` + strings.Repeat("[", 100_000))},
		"schema without type":            {"configSchema.type", config(`{"additionalProperties":false}`)},
		"schema of another type":         {"configSchema.type", config(`{"type":"array","additionalProperties":false}`)},
		"schema of several types":        {"configSchema.type", config(`{"type":["object"],"additionalProperties":false}`)},
		"schema that is open":            {"configSchema.additionalProperties", config(`{"type":"object"}`)},
		"schema that is open on purpose": {"configSchema.additionalProperties", config(`{"type":"object","additionalProperties":true}`)},
		"schema that is closed by a schema": {"configSchema.additionalProperties", config(
			`{"type":"object","additionalProperties":{"not":{}}}`)},
		"schema of another dialect":   {"configSchema.$schema", config(string(schema(`,"$schema":"http://json-schema.org/draft-07/schema#"`)))},
		"schema of no dialect":        {"configSchema.$schema", config(string(schema(`,"$schema":null`)))},
		"provides with a bad ID":      {"provides[0].id", provides(manifest.ContractSpec{ID: "svc", Major: 1})},
		"provides major 0":            {"provides[0].major", provides(manifest.ContractSpec{ID: dep})},
		"provides the same twice":     {"provides[1]", provides(manifest.ContractSpec{ID: dep, Major: 1}, manifest.ContractSpec{ID: dep, Major: 1})},
		"consumes with a bad ID":      {"consumes[0].id", consumes(manifest.ContractRequirement{ID: "svc", Major: 1, Mode: "many"})},
		"consumes major 0":            {"consumes[0].major", consumes(manifest.ContractRequirement{ID: dep, Mode: "many"})},
		"consumes without mode":       {"consumes[0].mode", consumes(manifest.ContractRequirement{ID: dep, Major: 1})},
		"consumes with unknown mode":  {"consumes[0].mode", consumes(manifest.ContractRequirement{ID: dep, Major: 1, Mode: "one"})},
		"consumes twice in two modes": {"consumes[1]", consumes(manifest.ContractRequirement{ID: dep, Major: 1, Mode: "many"}, manifest.ContractRequirement{ID: dep, Major: 1, Mode: "optional"})},
	} {
		t.Run(name, func(t *testing.T) {
			d := minimal(plugin)
			row.change(&d)
			_, err := manifest.DefinitionDigest(d)
			requirePluginError(t, err, manifest.ErrInvalidDefinition, plugin, manifest.PluginPhaseValidate, row.path)
			_, err = manifest.CanonicalPluginDefinition(d)
			requirePluginError(t, err, manifest.ErrInvalidDefinition, plugin, manifest.PluginPhaseValidate, row.path)
		})
	}
}

func TestEveryAuthorityTakesExactlyItsScope(t *testing.T) {
	limits := manifest.AuthorityScope{MaxInstances: 1, MaxMemoryBytes: 1}
	env := modules("env")
	none := manifest.AuthorityScope{}
	for authority, right := range map[manifest.Authority]manifest.AuthorityScope{
		"host.import.define":             env,
		"host.caller.identify":           none,
		"host.arguments.read":            none,
		"runtime.close.observe":          none,
		"module.source.transform":        none,
		"module.compile.observe":         none,
		"module.close.observe":           none,
		"instance.instantiate.intercept": none,
		"instance.instantiate.observe":   none,
		"instance.close.observe":         none,
		"instance.invoke.intercept":      none,
		"instance.invoke.observe":        none,
		"instance.manage":                limits,
		"core.module.compile":            none,
		"core.instance.instantiate":      limits,
		"core.funcref.create":            none,
		"compiler.type.define":           env,
		"compiler.instruction.define":    env,
	} {
		for _, scope := range []manifest.AuthorityScope{none, env, limits} {
			d := minimal(plugin)
			d.Authorities = request(authority, scope)
			_, err := manifest.DefinitionDigest(d)
			if fmt.Sprint(scope) == fmt.Sprint(right) {
				require.NoError(t, err, authority)
			} else {
				require.ErrorIs(t, err, manifest.ErrInvalidDefinition, authority)
			}
		}
	}
}

func TestWhatIsAccepted(t *testing.T) {
	for name, change := range map[string]func(*definition){
		"everything":                func(d *definition) { *d = full() },
		"version with lower-case v": func(d *definition) { d.Version = "v1.2.3-rc.1+build" },
		"one contract in two majors": func(d *definition) {
			d.Provides = []manifest.ContractSpec{{ID: plugin, Major: 1}, {ID: plugin, Major: 2}}
		},
		"provides and consumes the same": func(d *definition) {
			d.Provides = []manifest.ContractSpec{{ID: plugin, Major: 1}}
			d.Consumes = []manifest.ContractRequirement{{ID: plugin, Major: 1, Mode: "many"}}
		},
		"schema of the dialect": func(d *definition) {
			d.ConfigSchema = schema(`,"$schema":"https://json-schema.org/draft/2020-12/schema"`)
		},
		"schema names that differ by case": func(d *definition) { d.ConfigSchema = schema(`,"properties":{"a":{},"A":{"default":null}}`) },
		"module with an inner blank":       func(d *definition) { d.Authorities = request(manifest.AuthorityHostImportDefine, modules("my env")) },
		"text of any language":             func(d *definition) { d.Name, d.Description = "Schwimmbecken", "プール" },
	} {
		d := minimal(plugin)
		change(&d)
		_, err := manifest.DefinitionDigest(d)
		require.NoError(t, err, name)
	}
}
