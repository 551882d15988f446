package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/wago-org/wago/internal/countdown"
	"github.com/wago-org/wago/internal/engine/binfmt"
)

// Compile compiles a binary. The bytes are copied. Whether WASI's imports are
// answered by the engine is settled here: EnableWASI doesn't change modules
// compiled before it.
//
// Errors: ErrInvalidModule, ErrUnsupported, ErrEngineClosed, the error of a ctx
// that has already ended (a compilation that runs isn't interrupted), and a
// *[LimitError] for an initial memory above Config.MemoryLimitPages, tables above
// MaxTableEntries, or an import of more than MaxHostSlots slots. A nil ctx is
// context.Background().
func (e *Engine) Compile(ctx context.Context, wasm []byte) (*Module, error) {
	if ctx != nil && ctx.Err() != nil {
		return nil, interrupted(ctx)
	}
	wasi, err := e.beginCompile()
	if err != nil {
		return nil, err
	}
	defer e.endCompile()
	outline, err := binfmt.Parse(wasm)
	if err != nil {
		return nil, invalid(err)
	}
	if err := checkSupported(outline, e.limitPages, wasi); err != nil {
		return nil, err
	}
	m := &Module{engine: e, wasi: wasi, constants: make(map[string]*constants)}
	if err := m.compile(outline, bytes.Clone(wasm)); err != nil {
		return nil, err
	}
	m.describe(outline)
	if m.hosts, err = m.machine.buildHosts(m.shape.imports); err != nil {
		return nil, errors.Join(err, m.compiled.Close(context.Background()))
	}
	return m, nil
}

// compile compiles the module with the countdown in it, or else without it for
// the machine that watches. What is validated are the bytes as they were given:
// what is encoded anew could have lost what makes a module invalid.
func (m *Module) compile(outline *binfmt.Outline, wasm []byte) error {
	m.machine = m.engine.counting
	if err := m.machine.validate(wasm); err != nil {
		return err
	}
	wasm = capTables(wasm, outline)
	rewritten, err := m.engine.rewrite(outline, wasm)
	if err == nil {
		m.compiled, err = m.machine.compile(rewritten)
	}
	if err == nil {
		return nil
	}
	if m.machine, m.wasi, err = m.engine.watched(m.wasi != nil); err != nil {
		return err
	}
	m.compiled, err = m.machine.compile(wasm)
	return err
}

func (m *Module) describe(outline *binfmt.Outline) {
	limitPages := m.engine.limitPages
	if m.machine.interruption == InterruptCountdown {
		limitPages = min(limitPages, countdown.MaxMemoryPages)
	}
	m.shape = newShape(outline, limitPages)
	for i := range m.shape.imports {
		m.shape.imports[i].WASI = m.wasi.owns(m.shape.imports[i].Module)
	}
}

func invalid(err error) error { return fmt.Errorf("%w: %w", ErrInvalidModule, err) }
