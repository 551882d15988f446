package wago_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

func TestNewThatPanicsOrReturnsNilFailsRegistration(t *testing.T) {
	for name, fn := range map[string]func() wago.Plugin{
		"nil": func() wago.Plugin { return nil }, "typed nil": func() wago.Plugin { return registerFunc(nil) },
		"panic": func() wago.Plugin { panic("no") },
	} {
		t.Run(name, func(t *testing.T) {
			err := wago.ValidatePluginSet(set(t, plug{id: "example.com/test/bad", newPlugin: fn}))
			var pe *wago.PluginError
			require.ErrorAs(t, err, &pe)
			assert.Equal(t, wago.PluginPhaseRegister, pe.Phase)
		})
	}
}

func TestContributionsMustBeTheDeclaredOnes(t *testing.T) {
	spec := wago.ContractSpec{ID: "example.com/test/c", Major: 1}
	other := wago.ContractSpec{ID: "example.com/test/d", Major: 1}
	provides := []wago.ContractSpec{spec}
	optional := []wago.ContractRequirement{{ID: spec.ID, Major: 1, Mode: wago.ContractOptional}}
	unbound := []wago.ContractBinding{{ID: spec.ID, Major: 1}}
	require1 := func(r *wago.Registrar, s wago.ContractSpec, m wago.ContractMode) error {
		_, err := wago.RequireContract(r, s, m, (*int)(nil))
		return err
	}
	env := []wago.AuthorityGrant{grantImports("env")}
	nop := func(wago.HostModule, []uint64, []uint64) {}
	cases := map[string]plug{
		"declared and not provided": {provides: provides},
		"provided and not declared": {register: func(r *wago.Registrar) error { return wago.ProvideContract(r, spec, 1) }},
		"provided twice": {provides: provides, register: func(r *wago.Registrar) error {
			return errors.Join(wago.ProvideContract(r, spec, 1), wago.ProvideContract(r, spec, 2))
		}},
		"another one provided": {provides: provides, register: func(r *wago.Registrar) error {
			return wago.ProvideContract(r, other, 1)
		}},
		"declared and not required": {consumes: optional, bindings: unbound},
		"required and not declared": {register: func(r *wago.Registrar) error { return require1(r, spec, wago.ContractOptional) }},
		"required twice": {consumes: optional, bindings: unbound, register: func(r *wago.Registrar) error {
			return errors.Join(require1(r, spec, wago.ContractOptional), require1(r, spec, wago.ContractOptional))
		}},
		"required in another mode": {consumes: optional, bindings: unbound, register: func(r *wago.Registrar) error {
			return require1(r, spec, wago.ContractMany)
		}},
		"one import twice": {grants: env, register: func(r *wago.Registrar) error {
			return errors.Join(defineRun(r, nop), defineRun(r, nop))
		}},
		"lifecycle twice": {register: func(r *wago.Registrar) error {
			return errors.Join(r.Lifecycle(wago.PluginLifecycle{}), r.Lifecycle(wago.PluginLifecycle{}))
		}},
		"capability twice": {register: func(r *wago.Registrar) error {
			return errors.Join(r.GuestCapability(wago.CapKVRead), r.GuestCapability(wago.CapKVRead))
		}},
	}
	for name, p := range cases {
		t.Run(name, func(t *testing.T) {
			p.id = "example.com/test/p"
			err := wago.ValidatePluginSet(set(t, p))
			assert.ErrorIs(t, err, wago.ErrContribution)
			var pe *wago.PluginError
			require.ErrorAs(t, err, &pe)
			assert.Equal(t, wago.PluginPhaseRegister, pe.Phase)
		})
	}
}

func TestAProvidedValueMustFitTheConsumersType(t *testing.T) {
	spec := wago.ContractSpec{ID: "example.com/test/c", Major: 1}
	provider := plug{id: "example.com/test/p", provides: []wago.ContractSpec{spec},
		register: func(r *wago.Registrar) error { return wago.ProvideContract(r, spec, "a string") }}
	consumer := plug{id: "example.com/test/q",
		consumes: []wago.ContractRequirement{{ID: spec.ID, Major: 1, Mode: wago.ContractRequired}},
		bindings: []wago.ContractBinding{{ID: spec.ID, Major: 1, Providers: []string{provider.id}}},
		register: func(r *wago.Registrar) error {
			_, err := wago.RequireContract(r, spec, wago.ContractRequired, (*error)(nil))
			return err
		}}
	err := wago.ValidatePluginSet(set(t, provider, consumer))
	assert.ErrorIs(t, err, wago.ErrContribution)
	var pe *wago.PluginError
	require.ErrorAs(t, err, &pe)
	assert.Equal(t, consumer.id, pe.Plugin)
}

func TestNilContractValuesAndWitnessesAreRefused(t *testing.T) {
	spec := wago.ContractSpec{ID: "example.com/test/c", Major: 1}
	require.NoError(t, wago.ValidatePluginSet(set(t, plug{id: "example.com/test/p", register: func(r *wago.Registrar) error {
		assert.ErrorIs(t, wago.ProvideContract(r, spec, nil), wago.ErrInvalidArgument)
		assert.ErrorIs(t, wago.ProvideContract(r, spec, (*int)(nil)), wago.ErrInvalidArgument)
		assert.ErrorIs(t, wago.ProvideContract(r, spec, (func())(nil)), wago.ErrInvalidArgument)
		for _, witness := range []any{nil, 1, "x"} {
			_, err := wago.RequireContract(r, spec, wago.ContractRequired, witness)
			assert.ErrorIs(t, err, wago.ErrInvalidArgument)
		}
		return nil
	}})))
}

func TestRegistrationEndsWithRegister(t *testing.T) {
	var kept *wago.Registrar
	var observer *wago.InstanceCloseObserver
	p := plug{id: "example.com/test/p", grants: []wago.AuthorityGrant{grant(wago.AuthorityInstanceCloseObserve)},
		register: func(r *wago.Registrar) (err error) {
			kept = r
			observer, err = r.InstanceCloseObserver()
			return err
		}}
	newRuntime(t, nil, p)
	assert.ErrorIs(t, observer.Before(func(wago.InstanceCloseEvent) {}), wago.ErrSealed)
	assert.ErrorIs(t, kept.Lifecycle(wago.PluginLifecycle{}), wago.ErrSealed)
	assert.ErrorIs(t, kept.GuestCapability(wago.CapKVRead), wago.ErrSealed)
	_, err := kept.InstanceCloseObserver()
	assert.ErrorIs(t, err, wago.ErrSealed)
	assert.ErrorIs(t, wago.ProvideContract(kept, wago.ContractSpec{ID: "a.b/c", Major: 1}, 1), wago.ErrSealed)
}
