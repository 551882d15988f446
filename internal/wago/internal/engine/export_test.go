package engine

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/wago-org/wago/internal/countdown"
	"github.com/wago-org/wago/internal/engine/binfmt"
)

// NewInterpreted returns an engine on wazero's interpreter, which is what it
// falls back to where it has no compiler.
func NewInterpreted(cfg Config) (*Engine, error) {
	return newEngine(cfg, wazero.NewRuntimeConfigInterpreter())
}

// NewWatching returns an engine that rewrites no module.
func NewWatching(cfg Config) (*Engine, error) {
	e, err := New(cfg)
	if err != nil {
		return nil, err
	}
	e.rewrite = func(*binfmt.Outline, []byte) ([]byte, error) { return nil, countdown.ErrUnknownInstruction }
	return e, nil
}

// WazeroClosed reports whether wazero has closed the module.
func (i *Instance) WazeroClosed() bool { return i.mod.IsClosed() }

// PanicInWazero makes wazero panic whenever it compiles or instantiates, until
// the returned function is called.
func (e *Engine) PanicInWazero(value any) (restore func()) {
	rt := e.counting.rt
	e.counting.rt = panickingRuntime{rt, value}
	return func() { e.counting.rt = rt }
}

type panickingRuntime struct {
	wazero.Runtime
	value any
}

func (r panickingRuntime) CompileModule(context.Context, []byte) (wazero.CompiledModule, error) {
	panic(r.value)
}

func (r panickingRuntime) InstantiateModule(context.Context, wazero.CompiledModule, wazero.ModuleConfig) (api.Module, error) {
	panic(r.value)
}
