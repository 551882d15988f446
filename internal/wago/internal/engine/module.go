package engine

import (
	"context"
	"errors"
	"sync"

	"github.com/tetratelabs/wazero"
)

// Module is a compiled guest. Its descriptions stay readable after Close. Safe
// for concurrent use.
type Module struct {
	// set once
	engine   *Engine
	machine  *machine
	compiled wazero.CompiledModule
	shape    *shape
	hosts    map[string]*hostModule // by import module; WASI's own not included
	wasi     *wasiModule            // nil: WASI's imports, if any, go to the Host

	// mu guards what follows.
	mu        sync.Mutex
	closed    bool
	instances int
	constants map[string]*constants // by their values
}

// Imports describes the module's imports in their order. The slice is the
// caller's.
func (m *Module) Imports() []Import { return append([]Import(nil), m.shape.imports...) }

// Exports describes the module's exports in their order. The slice is the
// caller's.
func (m *Module) Exports() []Export { return append([]Export(nil), m.shape.exports...) }

// Memory describes the module's memory; false if it has none.
func (m *Module) Memory() (MemoryInfo, bool) {
	if m.shape.memory == nil {
		return MemoryInfo{}, false
	}
	return *m.shape.memory, true
}

// Tables describes the module's tables in their order. The slice is the
// caller's.
func (m *Module) Tables() []TableInfo { return append([]TableInfo(nil), m.shape.tables...) }

// HasStart reports whether the module has a start section, which runs in every
// instance before Instantiate returns.
func (m *Module) HasStart() bool { return m.shape.hasStart }

// Close refuses further instances with ErrModuleClosed and waits for nothing:
// the code is freed when the module's last instance is closed, so that live
// instances go on. A second Close returns nil.
func (m *Module) Close() error {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return nil
	}
	m.closed = true
	idle := m.instances == 0
	m.mu.Unlock()
	if !idle {
		return nil
	}
	return m.free()
}

func (m *Module) acquire() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrModuleClosed
	}
	m.instances++
	return nil
}

func (m *Module) release() error {
	m.mu.Lock()
	m.instances--
	last := m.closed && m.instances == 0
	m.mu.Unlock()
	if !last {
		return nil
	}
	return m.free()
}

// free runs once: when the module is closed and no instance is left.
func (m *Module) free() error {
	var errs []error
	for _, h := range m.hosts {
		errs = append(errs, h.close())
	}
	return errors.Join(append(errs, m.compiled.Close(context.Background()))...)
}
