package wago

import (
	"context"
	"encoding/json"

	"github.com/wago-org/wago/internal/manifest"
)

// Plugin is one activation of a plugin: made by [PluginProvider].New, registered once, never used again.
type Plugin interface {
	// Register says through the registrar what the plugin contributes and asks it for the handles it needs. An error fails
	// the whole load. Handles and contract references work from the commit on, which comes before any Start.
	Register(*Registrar) error
}

// PluginProvider is a linked plugin: what it is, and how to make one.
type PluginProvider struct {
	// Definition is the plugin's identity; its digest is what selections approve.
	Definition PluginDefinition
	// New returns a fresh plugin.
	New func() Plugin
	// ValidateConfig refuses a configuration before New is called. It gets a copy of the selection's, nil when there is
	// none. Optional.
	ValidateConfig func(json.RawMessage) error
}

// PluginSet is what [Runtime.LoadPlugins] takes: the linked plugins and the operator's choice among them. The order of both
// is irrelevant; linked plugins that aren't selected stay inert.
type PluginSet struct {
	Providers  []PluginProvider
	Selections []PluginSelection
}

// PluginLifecycle is what a plugin does when it starts and stops; either may be nil. Start runs after the commit, in plan
// order, Stop in the reverse order. Stop's contract references still work. Both get the context of the call that loads or
// closes the runtime.
type PluginLifecycle struct {
	Start, Stop func(context.Context) error
}

// Errors of plugins.
type (
	// PluginError says which plugin failed, in which phase, and where.
	PluginError = manifest.PluginError
	// PluginPhase names the step of a plugin's life in which an error happened.
	PluginPhase = manifest.PluginPhase
)

// The phases, in the order a plugin goes through them.
const (
	PluginPhaseValidate  = manifest.PluginPhaseValidate
	PluginPhaseResolve   = manifest.PluginPhaseResolve
	PluginPhaseAuthorize = manifest.PluginPhaseAuthorize
	PluginPhaseConfigure = manifest.PluginPhaseConfigure
	PluginPhaseRegister  = manifest.PluginPhaseRegister
	PluginPhaseCommit    = manifest.PluginPhaseCommit
	PluginPhaseStart     = manifest.PluginPhaseStart
	PluginPhaseStop      = manifest.PluginPhaseStop
)

// InspectPluginPlan resolves a set and returns what would be activated, in activation order. It runs no plugin code. What is
// wrong with the set comes back as a [*PluginError].
//
// Safe for concurrent use.
func InspectPluginPlan(set PluginSet) (*PluginPlan, error) {
	resolution, err := manifest.Resolve(definitions(set.Providers), set.Selections)
	if err != nil {
		return nil, err
	}
	return resolution.Plan(), nil
}

// ValidatePluginSet resolves a set and registers its plugins on trial: ValidateConfig, New and Register run, nothing is
// published or started, and every handle and reference stays inert. What is wrong comes back as a [*PluginError].
//
// Safe for concurrent use as far as the plugins are.
func ValidatePluginSet(set PluginSet) error {
	_, err := register(set, new(callbacks))
	return err
}

// EncodeProviderCatalog returns the catalog file of a module that links these plugins by one import path: 1 to 128
// providers with New set and different IDs, one of which is the module's own ID, the import path being that ID and
// "/register". Anything else fails with [ErrInvalidCatalog].
//
// Safe for concurrent use.
func EncodeProviderCatalog(importPath string, providers []PluginProvider) ([]byte, error) {
	for _, p := range providers {
		if p.New == nil {
			return nil, &PluginError{Plugin: p.Definition.ID, Phase: PluginPhaseValidate, Path: "new", Err: ErrInvalidCatalog}
		}
	}
	return manifest.EncodeProviderCatalog(importPath, definitions(providers))
}

func definitions(providers []PluginProvider) []PluginDefinition {
	defs := make([]PluginDefinition, len(providers))
	for i, p := range providers {
		defs[i] = p.Definition
	}
	return defs
}
