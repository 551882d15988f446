package wago

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/wago-org/wago/internal/engine"
	"github.com/wago-org/wago/internal/manifest"
)

// phase is where a runtime is in its life.
type phase uint8

const (
	phaseFresh   phase = iota // plugins may still be loaded
	phaseLoading              // LoadPlugins runs
	phaseReady                // modules can be compiled and instantiated
	phaseClosing              // Close has begun
	phaseClosed
)

// Runtime hosts plugins and runs guests. Make one with [NewRuntime], load plugins at most once, compile and instantiate, and
// close it: everything it made is gone when Close returns.
//
// Safe for concurrent use.
type Runtime struct {
	// set once
	config    *RuntimeConfig
	overrides ImportOverridePolicy
	args      []string
	engine    *engine.Engine // nil if setupErr isn't
	setupErr  error
	closed    chan struct{} // closed when Close is complete
	callbacks callbacks

	// set at the commit of a load, before any module exists
	units        []*unit // activation order
	hooks        hookSet
	imports      map[string]*hostImport // by "module.name"
	capabilities map[Capability]string  // and their docs
	wasi         *engine.WASIConfig     // nil: no plugin grants WASI

	operations sync.WaitGroup // compilations and instantiations in progress; added to under mu

	mu           sync.Mutex
	phase        phase                  // guarded by mu
	loaded       chan struct{}          // guarded by mu: the load in progress, closed at its end
	instances    map[*Instance]struct{} // guarded by mu
	modules      map[*Module]struct{}   // guarded by mu
	sequence     uint64                 // guarded by mu: instances ever registered
	hookFailures []error                // guarded by mu: see noteHookFailure
	closeErr     error                  // guarded by mu
}

// NewRuntime returns a runtime without plugins. It starts nothing; a mistake in the configuration is reported by the first
// method that needs it.
func NewRuntime(opts ...RuntimeOption) *Runtime {
	rt := &Runtime{
		config:    NewRuntimeConfig(),
		closed:    make(chan struct{}),
		instances: make(map[*Instance]struct{}),
		modules:   make(map[*Module]struct{}),
	}
	for _, opt := range opts {
		if opt != nil {
			opt(rt)
		}
	}
	if rt.setupErr = rt.config.Validate(); rt.setupErr == nil {
		rt.engine, rt.setupErr = engine.New(engine.Config{
			MemoryLimitPages: rt.config.MemoryLimitPages(), Memory: rt.config.memoryKind,
		})
	}
	return rt
}

// Config returns a copy of the configuration.
func (rt *Runtime) Config() *RuntimeConfig { return rt.config.clone() }

// Plugins returns copies of the definitions of the active plugins in activation order: none before LoadPlugins has succeeded
// and once the runtime closes.
func (rt *Runtime) Plugins() []PluginDefinition {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	defs := []PluginDefinition{}
	if rt.phase == phaseReady {
		for _, u := range rt.units {
			defs = append(defs, manifest.CloneDefinition(u.entry.Definition))
		}
	}
	return defs
}

// Capabilities returns, sorted, what plugins bring to guests: declared with [Registrar.GuestCapability] or named by an
// import.
func (rt *Runtime) Capabilities() []Capability {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	return slices.Sorted(maps.Keys(rt.capabilities))
}

// CapabilityDocs returns how a plugin describes a capability, empty if none does. An extra of this host.
func (rt *Runtime) CapabilityDocs(c Capability) string {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	return rt.capabilities[c]
}

// ProvidedImports returns what plugins define for guests, sorted by key. The engine's own WASI functions are not listed:
// [Module.Imports] says which of a module's imports are provided.
func (rt *Runtime) ProvidedImports() []ImportSpec {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	specs := make([]ImportSpec, 0, len(rt.imports))
	for _, key := range slices.Sorted(maps.Keys(rt.imports)) {
		specs = append(specs, rt.imports[key].spec())
	}
	return specs
}

// Instances returns how many instances were begun and how many of them are gone, for leak checks: both are equal when none
// is left. An extra of this host.
func (rt *Runtime) Instances() (opened, closed uint64) {
	if rt.engine == nil {
		return 0, 0
	}
	return rt.engine.Instances()
}

// Mappings returns how many guest memories were mapped and how many of them have been unmapped, for leak checks as
// [Runtime.Instances]. Both are 0 when memories are the Go heap's. An extra of this host.
func (rt *Runtime) Mappings() (mapped, unmapped uint64) {
	if rt.engine == nil {
		return 0, 0
	}
	return rt.engine.Mappings()
}

// begin admits an operation of the embedder, which must call rt.operations.Done at its end.
func (rt *Runtime) begin() error {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	switch {
	case rt.phase >= phaseClosing:
		return ErrRuntimeClosed
	case rt.setupErr != nil:
		return rt.setupErr
	case rt.phase == phaseLoading:
		return ErrRuntimeLoading
	}
	rt.phase = phaseReady
	rt.operations.Add(1)
	return nil
}

// maxHookFailures bounds what a runtime remembers of observers that panic.
const maxHookFailures = 8

// noteHookFailure keeps what an observer did wrong for the result of the runtime's close: the first few, nobody else could
// return them.
func (rt *Runtime) noteHookFailure(err error) {
	if err == nil {
		return
	}
	rt.mu.Lock()
	defer rt.mu.Unlock()
	if len(rt.hookFailures) < maxHookFailures {
		rt.hookFailures = append(rt.hookFailures, err)
	}
}

// Closed returns a channel that is closed when the runtime's close is complete, nil before a close begins.
func (rt *Runtime) Closed() <-chan struct{} {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	if rt.phase < phaseClosing {
		return nil
	}
	return rt.closed
}

// WaitClosed waits until the runtime's close is complete and returns its result, or the context's error when that ends
// first. It doesn't begin a close. A nil ctx never ends.
func (rt *Runtime) WaitClosed(ctx context.Context) error {
	if ctx == nil {
		ctx = context.Background()
	}
	select {
	case <-rt.closed:
		return rt.closeResult()
	case <-ctx.Done():
		return fmt.Errorf("waiting for the runtime's close: %w", errors.Join(ctx.Err(), causeOf(ctx)))
	}
}

// causeOf returns a context's cause when it says more than its error.
func causeOf(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(ctx.Err(), cause) {
		return cause
	}
	return nil
}
