package plugin_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/wago/plugin"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type greeter interface{ Greet() string }

type name string

func (n name) Greet() string { return "hello from " + string(n) }

var contract = plugin.NewContract[greeter]("example.com/greeter/service", 1)

const providerID, consumerID = "example.com/greeter", "example.com/consumer"

type registerFunc func(*wago.Registrar) error

func (f registerFunc) Register(r *wago.Registrar) error { return f(r) }

func definition(id string) wago.PluginDefinition {
	return wago.PluginDefinition{ID: id, Version: "1.0.0",
		Provenance: wago.PluginProvenance{Repository: "https://" + id, License: "MIT"}}
}

// member is a plugin of a set: what it is and how it is selected.
type member struct {
	def      wago.PluginDefinition
	bindings []wago.ContractBinding
	register func(*wago.Registrar) error
}

func provider(id string, register func(*wago.Registrar) error) member {
	def := definition(id)
	def.Provides = []wago.ContractSpec{contract.Spec()}
	return member{def: def, register: func(r *wago.Registrar) error {
		if register != nil {
			if err := register(r); err != nil {
				return err
			}
		}
		return plugin.Provide[greeter](r, contract, name(id))
	}}
}

func consumer(id string, mode wago.ContractMode, register func(*wago.Registrar) error, providers ...string) member {
	def := definition(id)
	spec := contract.Spec()
	def.Consumes = []wago.ContractRequirement{{ID: spec.ID, Major: spec.Major, Mode: mode}}
	return member{def: def, register: register,
		bindings: []wago.ContractBinding{{ID: spec.ID, Major: spec.Major, Providers: providers}}}
}

func load(t testing.TB, members ...member) *wago.Runtime {
	t.Helper()
	var set wago.PluginSet
	for _, m := range members {
		digest, err := wago.DefinitionDigest(m.def)
		require.NoError(t, err)
		set.Providers = append(set.Providers, wago.PluginProvider{Definition: m.def,
			New: func() wago.Plugin { return registerFunc(m.register) }})
		set.Selections = append(set.Selections, wago.PluginSelection{ID: m.def.ID, DefinitionDigest: digest, Direct: true,
			Dependencies: map[string]string{}, Contracts: m.bindings})
	}
	rt := wago.NewRuntime()
	require.NoError(t, rt.LoadPlugins(t.Context(), set))
	t.Cleanup(func() { require.NoError(t, rt.Close()) })
	return rt
}

// required loads a provider and a consumer and returns the consumer's reference.
func required(t testing.TB, lifecycle wago.PluginLifecycle) (*wago.Runtime, *plugin.Ref[greeter]) {
	t.Helper()
	var ref *plugin.Ref[greeter]
	rt := load(t, provider(providerID, nil), consumer(consumerID, wago.ContractRequired, func(r *wago.Registrar) (err error) {
		if ref, err = plugin.Require(r, contract); err != nil {
			return err
		}
		return r.Lifecycle(lifecycle)
	}, providerID))
	return rt, ref
}
