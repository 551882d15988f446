package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
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
	compiled, err := e.compile(capTables(bytes.Clone(wasm), outline))
	if err != nil {
		return nil, err
	}
	m := &Module{
		engine: e, compiled: compiled, wasi: wasi,
		shape:     newShape(outline, e.limitPages),
		constants: make(map[string]*constants),
	}
	for i := range m.shape.imports {
		m.shape.imports[i].WASI = wasi.owns(m.shape.imports[i].Module)
	}
	if m.hosts, err = e.buildHosts(m.shape.imports); err != nil {
		return nil, errors.Join(err, compiled.Close(context.Background()))
	}
	return m, nil
}

// compile keeps a panic of the compiler, which a malformed module can cause,
// from the caller.
func (e *Engine) compile(wasm []byte) (c wazero.CompiledModule, err error) {
	defer func() {
		if v := recover(); v != nil {
			c, err = nil, invalid(fmt.Errorf("the compiler panicked: %v", v))
		}
	}()
	c, err = e.rt.CompileModule(context.Background(), wasm)
	if err != nil {
		return nil, invalid(err)
	}
	return c, nil
}

func invalid(err error) error { return fmt.Errorf("%w: %w", ErrInvalidModule, err) }
