package wago

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/wago-org/wago/internal/manifest"
)

// register resolves a set and runs the registration of every selected plugin, in plan order. Nothing is published.
func register(set PluginSet, cb *callbacks) ([]*unit, error) {
	resolution, err := manifest.Resolve(definitions(set.Providers), set.Selections)
	if err != nil {
		return nil, err
	}
	units := make([]*unit, 0, len(resolution.Entries))
	byID := make(map[string]*unit)
	for _, entry := range resolution.Entries {
		u := newUnit(entry)
		if err := u.register(set.Providers[entry.Provider], cb); err != nil {
			return nil, err
		}
		units = append(units, u)
		byID[u.id()] = u
	}
	for _, u := range units {
		if err := u.bindContracts(byID); err != nil {
			return nil, pluginError(u, PluginPhaseRegister, err)
		}
	}
	return units, nil
}

// register runs the plugin's ValidateConfig, New and Register, and holds what it contributed against its definition.
func (u *unit) register(p PluginProvider, cb *callbacks) error {
	config := u.entry.Selection.Config
	if p.ValidateConfig != nil {
		err := cb.contain(u.id(), "ValidateConfig", func() error { return p.ValidateConfig(bytes.Clone(config)) })
		if err != nil {
			return pluginError(u, PluginPhaseConfigure, err)
		}
	}
	r := &Registrar{unit: u}
	err := cb.contain(u.id(), "Register", func() error {
		if p.New == nil {
			return fmt.Errorf("%w: the provider has no New", ErrInvalidArgument)
		}
		plugin := p.New()
		if isNil(plugin) {
			return fmt.Errorf("%w: New returned nil", ErrInvalidArgument)
		}
		return plugin.Register(r)
	})
	r.seal()
	if err != nil {
		return pluginError(u, PluginPhaseRegister, err)
	}
	return pluginError(u, PluginPhaseRegister, u.checkContributions())
}

func (u *unit) checkContributions() error {
	if err := u.checkImports(); err != nil {
		return err
	}
	if err := u.checkProvided(); err != nil {
		return err
	}
	return u.checkRequired()
}

func (u *unit) checkImports() error {
	seen := make(map[string]struct{})
	for _, imp := range u.imports {
		if imp.fn == nil {
			return fmt.Errorf("%w: import %s is a nil function", ErrInvalidArgument, imp.key())
		}
		if _, ok := seen[imp.key()]; ok {
			return fmt.Errorf("%w: import %s defined twice", ErrContribution, imp.key())
		}
		if u.wasi != nil && imp.module == WASIModule {
			return fmt.Errorf("%w: import %s defined beside WASI", ErrContribution, imp.key())
		}
		seen[imp.key()] = struct{}{}
	}
	return nil
}

func (u *unit) checkProvided() error {
	declared := u.entry.Definition.Provides
	for _, spec := range declared {
		if _, ok := u.provided[spec]; !ok {
			return fmt.Errorf("%w: contract %s@%d is declared and not provided", ErrContribution, spec.ID, spec.Major)
		}
	}
	if len(u.provided) != len(declared) {
		return fmt.Errorf("%w: %d contracts provided, %d declared", ErrContribution, len(u.provided), len(declared))
	}
	return nil
}

func (u *unit) checkRequired() error {
	declared := u.entry.Definition.Consumes
	for _, want := range declared {
		ref, ok := u.required[ContractSpec{ID: want.ID, Major: want.Major}]
		if !ok {
			return fmt.Errorf("%w: contract %s@%d is declared and not required", ErrContribution, want.ID, want.Major)
		}
		if ref.mode != want.Mode {
			return fmt.Errorf("%w: contract %s@%d is declared as %s and required as %s", ErrContribution, want.ID,
				want.Major, want.Mode, ref.mode)
		}
	}
	if len(u.required) != len(declared) {
		return fmt.Errorf("%w: %d contracts required, %d declared", ErrContribution, len(u.required), len(declared))
	}
	return nil
}

// bindContracts gives the plugin's references the values of the providers its selection names.
func (u *unit) bindContracts(byID map[string]*unit) error {
	for _, binding := range u.entry.Bindings {
		spec := ContractSpec{ID: binding.ID, Major: binding.Major}
		ref := u.required[spec]
		for _, provider := range binding.Providers {
			value := byID[provider].provided[spec]
			if t := reflect.TypeOf(value); !t.AssignableTo(ref.witness) {
				return fmt.Errorf("%w: contract %s@%d: plugin %s provides a %s, which is no %s", ErrContribution, spec.ID,
					spec.Major, provider, t, ref.witness)
			}
			ref.values = append(ref.values, value)
		}
	}
	return nil
}
