package manifest_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wago-org/wago/internal/manifest"
)

// One failing example for each statement of the numbered checks.
func TestResolveRefuses(t *testing.T) {
	const (
		validate  = manifest.PluginPhaseValidate
		resolve   = manifest.PluginPhaseResolve
		authorize = manifest.PluginPhaseAuthorize
	)
	binding := func(major uint32, providers ...string) manifest.ContractBinding {
		return manifest.ContractBinding{ID: service, Major: major, Providers: providers}
	}
	for name, row := range map[string]struct {
		spoil  func(t *testing.T, w *world)
		want   error
		plugin string
		phase  manifest.PluginPhase
		path   string
	}{
		"1: definition without an ID": {func(t *testing.T, w *world) {
			w.definitions = append(w.definitions, minimal(""))
		}, manifest.ErrInvalidDefinition, "", validate, "id"},
		"1: definition twice, even unselected": {func(t *testing.T, w *world) {
			w.definitions = append(w.definitions, minimal(logger))
		}, manifest.ErrInvalidDefinition, logger, validate, "id"},
		"1: invalid definition, even unselected": {func(t *testing.T, w *world) {
			w.definition(logger).Version = "1"
		}, manifest.ErrInvalidDefinition, logger, validate, "version"},

		"2: selected twice": {func(t *testing.T, w *world) {
			w.selections = append(w.selections, *w.selection(pool))
		}, manifest.ErrInvalidSelection, pool, resolve, "id"},
		"2: not linked": {func(t *testing.T, w *world) {
			w.selections = append(w.selections, manifest.PluginSelection{ID: "example.com/gone"})
		}, manifest.ErrUnresolved, "example.com/gone", resolve, "id"},
		"2: another digest": {func(t *testing.T, w *world) {
			w.definition(pool).Description = "changed since it was approved"
		}, manifest.ErrInvalidSelection, pool, resolve, "definitionDigest"},
		"2: no digest": {func(t *testing.T, w *world) {
			w.selection(pool).DefinitionDigest = ""
		}, manifest.ErrInvalidSelection, pool, resolve, "definitionDigest"},
		"2: configuration cut off": {func(t *testing.T, w *world) {
			w.selection(pool).Config = json.RawMessage(`{"a":`)
		}, manifest.ErrInvalidSelection, pool, validate, "config"},
		"2: blank configuration": {func(t *testing.T, w *world) {
			w.selection(pool).Config = json.RawMessage(" ")
		}, manifest.ErrInvalidSelection, pool, validate, "config"},
		"2: text behind the configuration": {func(t *testing.T, w *world) {
			w.selection(pool).Config = json.RawMessage("{} {}")
		}, manifest.ErrInvalidSelection, pool, validate, "config"},
		"2: made for a newer host": {func(t *testing.T, w *world) {
			w.redefine(t, workers, func(d *manifest.PluginDefinition) { d.Compatibility.Engines["wago"] = ">0.1.0" })
		}, manifest.ErrIncompatible, workers, resolve, "compatibility.engines.wago"},
		"2: dependency not approved": {func(t *testing.T, w *world) {
			w.selection(pool).Dependencies = nil
		}, manifest.ErrInvalidSelection, pool, resolve, "dependencies"},
		"2: another dependency approved": {func(t *testing.T, w *world) {
			w.selection(pool).Dependencies = map[string]string{logger: "^1.0.0"}
		}, manifest.ErrInvalidSelection, pool, resolve, "dependencies"},
		"2: range approved in other words": {func(t *testing.T, w *world) {
			w.selection(pool).Dependencies[workers] = "^1.0"
		}, manifest.ErrInvalidSelection, pool, resolve, "dependencies"},
		"2: one dependency too many": {func(t *testing.T, w *world) {
			w.selection(pool).Dependencies[logger] = "*"
		}, manifest.ErrInvalidSelection, pool, resolve, "dependencies"},

		"3: unknown authority": {func(t *testing.T, w *world) {
			w.selection(pool).Grants = []manifest.AuthorityGrant{{Name: "host.*"}}
		}, manifest.ErrInvalidSelection, pool, authorize, "grants[0].name"},
		"3: granted twice": {func(t *testing.T, w *world) {
			s := w.selection(consumer)
			s.Grants = append(s.Grants, s.Grants[1])
		}, manifest.ErrInvalidSelection, consumer, authorize, "grants[2].name"},
		"3: not requested": {func(t *testing.T, w *world) {
			w.selection(pool).Grants = []manifest.AuthorityGrant{{Name: manifest.AuthorityHostCallerIdentify}}
		}, manifest.ErrPermissionDenied, pool, authorize, "grants[0].name"},
		"3: wrong shape": {func(t *testing.T, w *world) {
			w.selection(consumer).Grants[1].Scope = modules("env")
		}, manifest.ErrInvalidSelection, consumer, authorize, "grants[1].scope.modules"},
		"3: no modules": {func(t *testing.T, w *world) {
			w.selection(consumer).Grants[0].Scope = modules()
		}, manifest.ErrInvalidSelection, consumer, authorize, "grants[0].scope.modules"},
		"3: limit of nothing": {func(t *testing.T, w *world) {
			w.selection(workers).Grants[0].Scope.MaxInstances = 0
		}, manifest.ErrInvalidSelection, workers, authorize, "grants[0].scope.maxInstances"},
		"3: a module more": {func(t *testing.T, w *world) {
			w.selection(consumer).Grants[0].Scope = modules("env", "sys")
		}, manifest.ErrPermissionDenied, consumer, authorize, "grants[0].scope.modules[1]"},
		"3: an instance more": {func(t *testing.T, w *world) {
			w.selection(workers).Grants[0].Scope.MaxInstances = 9
		}, manifest.ErrPermissionDenied, workers, authorize, "grants[0].scope.maxInstances"},
		"3: a byte more": {func(t *testing.T, w *world) {
			w.selection(workers).Grants[0].Scope.MaxMemoryBytes = 1025
		}, manifest.ErrPermissionDenied, workers, authorize, "grants[0].scope.maxMemoryBytes"},

		"4: required and not linked": {func(t *testing.T, w *world) {
			w.definitions = slices.DeleteFunc(w.definitions, func(d manifest.PluginDefinition) bool { return d.ID == workers })
			w.selections = slices.DeleteFunc(w.selections, func(s manifest.PluginSelection) bool { return s.ID == workers })
		}, manifest.ErrUnresolved, pool, resolve, "requires[0]"},
		"4: required and not selected": {func(t *testing.T, w *world) {
			w.selections = slices.DeleteFunc(w.selections, func(s manifest.PluginSelection) bool { return s.ID == workers })
		}, manifest.ErrUnresolved, pool, resolve, "requires[0]"},
		"4: required version out of range": {func(t *testing.T, w *world) {
			w.redefine(t, workers, func(d *manifest.PluginDefinition) { d.Version = "2.0.0" })
		}, manifest.ErrIncompatible, pool, resolve, "requires[0]"},
		"4: prerelease of the next version": {func(t *testing.T, w *world) {
			w.redefine(t, workers, func(d *manifest.PluginDefinition) { d.Version = "1.1.0-rc.1" })
		}, manifest.ErrIncompatible, pool, resolve, "requires[0]"},

		"5: no binding": {func(t *testing.T, w *world) {
			w.selection(pool).Contracts = nil
		}, manifest.ErrInvalidSelection, pool, resolve, "contracts"},
		"5: no binding for an optional contract": {func(t *testing.T, w *world) {
			w.redefine(t, pool, func(d *manifest.PluginDefinition) { d.Consumes[0].Mode = manifest.ContractOptional })
			w.selection(pool).Contracts = nil
		}, manifest.ErrInvalidSelection, pool, resolve, "contracts"},
		"5: binding of another major": {func(t *testing.T, w *world) {
			w.selection(pool).Contracts[0].Major = 3
		}, manifest.ErrInvalidSelection, pool, resolve, "contracts"},
		"5: bound twice": {func(t *testing.T, w *world) {
			s := w.selection(pool)
			s.Contracts = append(s.Contracts, s.Contracts[0])
		}, manifest.ErrInvalidSelection, pool, resolve, "contracts[1]"},
		"5: one binding too many": {func(t *testing.T, w *world) {
			s := w.selection(pool)
			s.Contracts = append(s.Contracts, binding(2))
		}, manifest.ErrInvalidSelection, pool, resolve, "contracts[1]"},
		"5: required without provider": {func(t *testing.T, w *world) {
			w.selection(pool).Contracts[0] = binding(1)
		}, manifest.ErrInvalidSelection, pool, resolve, "contracts[0].providers"},
		"5: required with two providers": {func(t *testing.T, w *world) {
			w.selectLogger(t)
			w.selection(consumer).Contracts[0] = binding(2, pool, logger)
			w.selection(pool).Contracts[0] = binding(1, workers, logger)
		}, manifest.ErrInvalidSelection, pool, resolve, "contracts[0].providers"},
		"5: optional with two providers": {func(t *testing.T, w *world) {
			w.selectLogger(t)
			w.selection(consumer).Contracts[0] = binding(2, pool, logger)
			w.redefine(t, pool, func(d *manifest.PluginDefinition) { d.Consumes[0].Mode = manifest.ContractOptional })
			w.selection(pool).Contracts[0] = binding(1, workers, logger)
		}, manifest.ErrInvalidSelection, pool, resolve, "contracts[0].providers"},
		"5: many, but not all": {func(t *testing.T, w *world) {
			w.selectLogger(t)
		}, manifest.ErrInvalidSelection, consumer, resolve, "contracts[0].providers"},
		"5: many, but none": {func(t *testing.T, w *world) {
			w.selection(consumer).Contracts[0] = binding(2)
		}, manifest.ErrInvalidSelection, consumer, resolve, "contracts[0].providers"},
		"5: provider not linked": {func(t *testing.T, w *world) {
			w.selection(pool).Contracts[0] = binding(1, "example.com/gone")
		}, manifest.ErrUnresolved, pool, resolve, "contracts[0].providers[0]"},
		"5: provider not selected": {func(t *testing.T, w *world) {
			w.selection(pool).Contracts[0] = binding(1, logger)
		}, manifest.ErrUnresolved, pool, resolve, "contracts[0].providers[0]"},
		"5: provider of another major": {func(t *testing.T, w *world) {
			w.selection(consumer).Contracts[0] = binding(2, pool, workers)
		}, manifest.ErrInvalidSelection, consumer, resolve, "contracts[0].providers[1]"},
		"5: provider twice": {func(t *testing.T, w *world) {
			w.selection(consumer).Contracts[0] = binding(2, pool, pool)
		}, manifest.ErrInvalidSelection, consumer, resolve, "contracts[0].providers[1]"},

		"6: nothing direct": {func(t *testing.T, w *world) {
			w.selection(consumer).Direct = false
		}, manifest.ErrInvalidSelection, consumer, resolve, "direct"},
		"6: left over": {func(t *testing.T, w *world) {
			w.add(t, minimal("example.com/orphan")).Direct = false
		}, manifest.ErrInvalidSelection, "example.com/orphan", resolve, "direct"},

		"7: two that need each other": {func(t *testing.T, w *world) {
			w.redefine(t, workers, func(d *manifest.PluginDefinition) {
				d.Requires = []manifest.PluginRequirement{{ID: consumer, Version: "*"}}
			})
			w.selection(workers).Dependencies = map[string]string{consumer: "*"}
		}, manifest.ErrDependencyCycle, consumer, resolve, ""},
		"7: one that binds itself": {func(t *testing.T, w *world) {
			d := minimal("example.com/self")
			d.Provides = []manifest.ContractSpec{{ID: service, Major: 9}}
			d.Consumes = []manifest.ContractRequirement{{ID: service, Major: 9, Mode: manifest.ContractRequired}}
			w.add(t, d).Contracts = []manifest.ContractBinding{binding(9, d.ID)}
		}, manifest.ErrDependencyCycle, "example.com/self", resolve, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			row.spoil(t, w)
			r, err := manifest.Resolve(w.definitions, w.selections)
			require.Nil(t, r)
			requirePluginError(t, err, row.want, row.plugin, row.phase, row.path)
		})
	}
}

// A plan that breaks two rules is refused for the one that is checked first.
func TestChecksKeepTheirOrder(t *testing.T) {
	breaks := []func(t *testing.T, w *world){
		func(t *testing.T, w *world) { w.definition(logger).Version = "1" },
		func(t *testing.T, w *world) { w.selection(consumer).DefinitionDigest = "" },
		func(t *testing.T, w *world) { w.selection(consumer).Config = json.RawMessage("{") },
		func(t *testing.T, w *world) { w.selection(consumer).Grants[0].Scope = modules("sys") },
		func(t *testing.T, w *world) { w.selection(pool).Dependencies[workers] = "*" },
		func(t *testing.T, w *world) {
			w.selections = slices.DeleteFunc(w.selections, func(s manifest.PluginSelection) bool { return s.ID == workers })
		},
		func(t *testing.T, w *world) { w.selection(consumer).Contracts = nil },
		func(t *testing.T, w *world) { w.selection(consumer).Direct = false },
	}
	for first := range breaks {
		alone := newWorld(t)
		breaks[first](t, alone)
		_, want := manifest.Resolve(alone.definitions, alone.selections)
		require.Error(t, want)
		for _, second := range breaks[first+1:] {
			both := newWorld(t)
			second(t, both)
			breaks[first](t, both)
			_, err := manifest.Resolve(both.definitions, both.selections)
			require.Equal(t, want, err, "check %d", first)
		}
	}
}

// Of two that stand for one plugin, the first was held against the rules before the second was noticed.
func TestWhatIsThereTwiceIsRefusedForThatInAnyOrder(t *testing.T) {
	w := newWorld(t)
	other := *w.selection(pool)
	other.DefinitionDigest = ""
	w.selections = append(w.selections, other)
	for range 2 {
		_, err := manifest.Resolve(w.definitions, w.selections)
		requirePluginError(t, err, manifest.ErrInvalidSelection, pool, manifest.PluginPhaseResolve, "id")
		slices.Reverse(w.selections)
	}
	invalid := minimal(logger)
	invalid.Version = ""
	w.definitions = append(w.definitions, invalid)
	for range 2 {
		_, err := manifest.Resolve(w.definitions, w.selections)
		requirePluginError(t, err, manifest.ErrInvalidDefinition, logger, manifest.PluginPhaseValidate, "id")
		slices.Reverse(w.definitions)
	}
}

func TestWhatResolveAccepts(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, w *world){
		"a missing grant, even of a required authority": func(t *testing.T, w *world) { w.selection(workers).Grants = nil },
		"a narrower grant": func(t *testing.T, w *world) {
			w.selection(workers).Grants[0].Scope = manifest.AuthorityScope{MaxInstances: 1, MaxMemoryBytes: 1}
			w.selection(consumer).Grants[0].Scope = modules("log")
		},
		"configuration of any shape": func(t *testing.T, w *world) { w.selection(pool).Config = json.RawMessage(" null\n") },
		"an optional contract without provider": func(t *testing.T, w *world) {
			w.redefine(t, pool, func(d *manifest.PluginDefinition) { d.Consumes[0].Mode = manifest.ContractOptional })
			w.selection(pool).Contracts[0].Providers = nil
		},
		"many of none": func(t *testing.T, w *world) {
			w.redefine(t, consumer, func(d *manifest.PluginDefinition) { d.Consumes[0].Major = 7 })
			w.selection(consumer).Contracts[0] = manifest.ContractBinding{ID: service, Major: 7}
			w.selection(pool).Direct = true
		},
		"many in the order that was chosen": func(t *testing.T, w *world) {
			w.selectLogger(t)
			w.selection(consumer).Contracts[0].Providers = []string{pool, logger}
		},
		"a direct plugin that is needed as well": func(t *testing.T, w *world) { w.selection(workers).Direct = true },
		"no word about the host": func(t *testing.T, w *world) {
			w.redefine(t, workers, func(d *manifest.PluginDefinition) { d.Compatibility.Engines = nil })
		},
		"another engine's range": func(t *testing.T, w *world) {
			w.redefine(t, workers, func(d *manifest.PluginDefinition) { d.Compatibility.Engines["go"] = ">=99" })
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			change(t, w)
			r, err := manifest.Resolve(w.definitions, w.selections)
			require.NoError(t, err)
			require.ElementsMatch(t, ids(w.selections), order(r))
			for _, entry := range r.Entries {
				require.Equal(t, w.selection(entry.Definition.ID).Contracts, entry.Bindings)
				require.Equal(t, w.selection(entry.Definition.ID).Grants, entry.Grants)
			}
		})
	}
}

func TestBindingsFollowTheDefinition(t *testing.T) {
	w := newWorld(t)
	w.redefine(t, consumer, func(d *manifest.PluginDefinition) {
		d.Consumes = append(d.Consumes, manifest.ContractRequirement{ID: service, Major: 1, Mode: manifest.ContractRequired})
	})
	s := w.selection(consumer)
	s.Contracts = []manifest.ContractBinding{{ID: service, Major: 1, Providers: []string{workers}}, s.Contracts[0]}
	r, err := manifest.Resolve(w.definitions, w.selections)
	require.NoError(t, err)
	require.Equal(t, []manifest.ContractBinding{s.Contracts[1], s.Contracts[0]}, r.Entries[2].Bindings)
}
