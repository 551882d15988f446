package wago

import (
	"fmt"
	"slices"
	"sync"

	"github.com/wago-org/wago/internal/engine"
)

// Compiled is the compiled code of a module, shared by every [Module] and instance made from it. It is freed when the last
// of them is closed.
//
// Safe for concurrent use.
type Compiled struct {
	// set once
	rt     *Runtime
	code   *engine.Module
	digest ModuleSourceDigest
	size   int

	mu   sync.Mutex
	refs int // guarded by mu: modules and instances; 0: freed
}

// retain keeps the code; false once it has been freed.
func (c *Compiled) retain() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.refs == 0 {
		return false
	}
	c.refs++
	return true
}

func (c *Compiled) release() error {
	c.mu.Lock()
	c.refs--
	last := c.refs == 0
	c.mu.Unlock()
	if !last {
		return nil
	}
	return c.code.Close()
}

// Module is a compiled module of one runtime. Close it when no more instances are to be made from it; those that exist, and
// their forks, are unaffected. The runtime's close closes what is left.
//
// Safe for concurrent use.
type Module struct {
	// set once
	rt       *Runtime
	id       ModuleIdentity
	compiled *Compiled

	mu     sync.Mutex
	closed bool // guarded by mu
}

// ModuleMetadata describes a module's source. The fields are this host's own.
type ModuleMetadata struct {
	Source      ModuleSourceDigest // of the bytes given to Compile
	SourceBytes int                // how many they were
	HasStart    bool               // a start section runs in every instance and fork
	HasMemory   bool
	MinPages    uint32 // the memory's first size, in pages of 64 KiB
	MaxPages    uint32 // how far it can grow here: the declared maximum or the runtime's limit, whichever is lower
	MaxDeclared bool   // the module declares a maximum

	Interruption Interruption // how its guests are stopped
}

// Interruption says how the guests of a module are stopped when the context of a call ends, their instance or the runtime
// closes, or their policy's time is up. See [InterruptCountdown] and [InterruptWatched].
type Interruption = engine.Interruption

const (
	// InterruptCountdown: the guests look up from their work some ten thousand times a second, and compute at nearly full
	// speed. This is so for nearly every module.
	InterruptCountdown = engine.InterruptCountdown
	// InterruptWatched: the guests look up at every turn of every loop, which makes them several times slower, and a
	// garbage collection may have to wait for one that recurses without a loop. This is so for modules with instructions
	// that the host doesn't know well enough, and for those whose memory starts with 4 GiB.
	InterruptWatched = engine.InterruptWatched
)

// Exports returns the names of the exports, in the order of the module.
func (m *Module) Exports() []string {
	exports := m.compiled.code.Exports()
	names := make([]string, len(exports))
	for i, e := range exports {
		names[i] = e.Name
	}
	return names
}

// Imports describes the imports, in the order of the module, and which of them the runtime's plugins provide.
func (m *Module) Imports() []ImportSpec {
	imports := m.compiled.code.Imports()
	specs := make([]ImportSpec, len(imports))
	for i, imp := range imports {
		specs[i] = m.rt.describe(imp)
	}
	return specs
}

// RequiredCapabilities returns, sorted, the capabilities of the provided imports that the module uses.
func (m *Module) RequiredCapabilities() []Capability {
	var caps []Capability
	for _, spec := range m.Imports() {
		if spec.HasCapability {
			caps = append(caps, spec.Capability)
		}
	}
	slices.Sort(caps)
	return slices.Compact(caps)
}

// Compiled returns the module's code, for [Runtime.Module].
func (m *Module) Compiled() *Compiled { return m.compiled }

// Metadata describes the module's source.
func (m *Module) Metadata() ModuleMetadata {
	meta := ModuleMetadata{Source: m.compiled.digest, SourceBytes: m.compiled.size, HasStart: m.compiled.code.HasStart(),
		Interruption: m.compiled.code.Interruption()}
	if memory, ok := m.compiled.code.Memory(); ok {
		meta.HasMemory, meta.MinPages, meta.MaxPages, meta.MaxDeclared = true, memory.Min, memory.Max, memory.HasMax
	}
	return meta
}

// Close refuses further instances with [ErrInvalidHandle] and frees the code once its instances are gone. A second Close
// returns nil.
func (m *Module) Close() error {
	if !m.markClosed() {
		return nil
	}
	m.rt.forgetModule(m)
	observe(m.rt, "ModuleCloseObserver", m.rt.hooks.moduleClose, ModuleCloseEvent{Module: ModuleView{m}})
	return m.compiled.release()
}

func (m *Module) markClosed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	first := !m.closed
	m.closed = true
	return first
}

// use keeps the module's code for a new instance.
func (m *Module) use() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return fmt.Errorf("%w: module is closed", ErrInvalidHandle)
	}
	m.compiled.retain()
	return nil
}

// ModuleView is what events tell of a module.
//
// Safe for concurrent use.
type ModuleView struct{ m *Module }

// Identity returns the module's identity, zero for the zero view.
func (v ModuleView) Identity() ModuleIdentity {
	if v.m == nil {
		return ModuleIdentity{}
	}
	return v.m.id
}

// Imports describes the module's imports as [Module.Imports] does.
func (v ModuleView) Imports() []ImportSpec {
	if v.m == nil {
		return nil
	}
	return v.m.Imports()
}
