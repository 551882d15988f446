package engine

import "github.com/tetratelabs/wazero"

// NewInterpreted returns an engine on wazero's interpreter, which is what it
// falls back to where it has no compiler.
func NewInterpreted(cfg Config) (*Engine, error) {
	return newEngine(cfg, wazero.NewRuntimeConfigInterpreter())
}

// WazeroClosed reports whether wazero has closed the module.
func (i *Instance) WazeroClosed() bool { return i.mod.IsClosed() }
