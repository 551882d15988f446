package wago

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/wago-org/wago/internal/engine"
)

// LoadPlugins registers a set of plugins, publishes everything they contribute in one step, and starts them in plan order:
// dependencies and providers first. It comes before the first Compile, and once in a runtime's life: a failed attempt counts
// and closes the runtime, for which the plugins that were started, the failing one included, are stopped in reverse order. A
// nil ctx never ends; Start gets it, and so does Stop after a failure.
//
// What is wrong with the set or a plugin comes back as a [*PluginError] with the phase, joined with the errors of stopping:
// [ErrPluginConflict] in the commit phase, [ErrPermissionDenied] in the authorize phase, panics of plugin code as
// [*PanicError]. Other errors: [ErrAlreadyLoaded], [ErrRuntimeClosed], and the configuration's mistake, with which nothing
// has happened.
//
// Safe for concurrent use.
func (rt *Runtime) LoadPlugins(ctx context.Context, set PluginSet) error {
	if err := rt.beginLoad(); err != nil {
		return err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	err := rt.load(ctx, set)
	if err == nil {
		rt.endLoad(phaseReady)
		return nil
	}
	rt.endLoad(phaseClosing)
	if closeErr := rt.finishClose(ctx); closeErr != nil {
		return errors.Join(err, closeErr)
	}
	return err
}

func (rt *Runtime) beginLoad() error {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	switch {
	case rt.phase >= phaseClosing:
		return ErrRuntimeClosed
	case rt.setupErr != nil:
		return rt.setupErr
	case rt.phase != phaseFresh:
		return ErrAlreadyLoaded
	}
	rt.phase, rt.loaded = phaseLoading, make(chan struct{})
	return nil
}

func (rt *Runtime) endLoad(next phase) {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	rt.phase = next
	close(rt.loaded)
}

func (rt *Runtime) load(ctx context.Context, set PluginSet) error {
	units, err := register(set, &rt.callbacks)
	if err != nil {
		return err
	}
	if err := rt.commit(units); err != nil {
		return err
	}
	for _, u := range units {
		if err := rt.startUnit(ctx, u); err != nil {
			return err
		}
	}
	return nil
}

func (rt *Runtime) startUnit(ctx context.Context, u *unit) error {
	u.eligible = true
	if u.lifecycle == nil || u.lifecycle.Start == nil {
		return nil
	}
	err := rt.callbacks.contain(u.id(), "Start", func() error { return u.lifecycle.Start(ctx) })
	if err != nil {
		return &PluginError{Plugin: u.id(), Phase: PluginPhaseStart, Err: err}
	}
	return nil
}

// commit publishes everything the plugins contribute, or nothing.
func (rt *Runtime) commit(units []*unit) error {
	imports, err := rt.joinImports(units)
	if err != nil {
		return err
	}
	wasi, err := rt.joinWASI(units)
	if err != nil {
		return err
	}
	var hooks hookSet
	for _, u := range units {
		hooks.append(&u.hooks)
	}
	rt.mu.Lock()
	defer rt.mu.Unlock()
	rt.units, rt.imports, rt.capabilities, rt.hooks, rt.wasi = units, imports, joinCapabilities(units), hooks, wasi
	for _, u := range units {
		u.publish(rt)
	}
	return nil
}

// joinCapabilities returns what the plugins declare, with its docs, and what their imports name.
func joinCapabilities(units []*unit) map[Capability]string {
	capabilities := make(map[Capability]string)
	for _, u := range units {
		for c, info := range u.capabilities {
			capabilities[c] = info.docs
		}
	}
	for _, u := range units {
		for _, imp := range u.imports {
			if _, ok := capabilities[imp.capability]; !ok && imp.capability != "" {
				capabilities[imp.capability] = ""
			}
		}
	}
	return capabilities
}

// joinWASI makes the engine answer WASI if a plugin asks for it; joinImports has seen to it that only one does.
func (rt *Runtime) joinWASI(units []*unit) (*engine.WASIConfig, error) {
	for _, u := range units {
		if u.wasi == nil {
			continue
		}
		if err := rt.engine.EnableWASI(); err != nil {
			return nil, pluginError(u, PluginPhaseCommit, err)
		}
		return u.wasi.engine(), nil
	}
	return nil, nil
}

// joinImports merges what the plugins define for guests: a module belongs to one plugin, unless tests may override.
func (rt *Runtime) joinImports(units []*unit) (map[string]*hostImport, error) {
	owners := make(map[string]*unit)
	imports := make(map[string]*hostImport)
	for _, u := range units {
		for _, name := range slices.Sorted(maps.Keys(u.modules)) {
			owner, taken := owners[name]
			if taken && (rt.overrides != AllowTestOverrides || owner.wasi != nil || u.wasi != nil) {
				return nil, pluginError(u, PluginPhaseCommit, fmt.Errorf("%w: import module %q is defined by plugin %s too",
					ErrPluginConflict, name, owner.id()))
			}
			owners[name] = u
		}
		for _, imp := range u.imports {
			imports[imp.key()] = imp
		}
	}
	return imports, nil
}

// pluginError names plugin and phase; nil stays nil, and an error that names them already stays as it is.
func pluginError(u *unit, phase PluginPhase, err error) error {
	var already *PluginError
	if err == nil || errors.As(err, &already) && already.Plugin == u.id() {
		return err
	}
	return &PluginError{Plugin: u.id(), Phase: phase, Err: err}
}
