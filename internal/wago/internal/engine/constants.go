package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// constants are the modules that give a guest its imported globals: a host
// module can't export any. There is one for each module name that globals are
// imported from; it passes that name's functions on. Instances with the same
// values share them.
type constants struct {
	key       string
	instances int // guarded by Module.mu
	compiled  []wazero.CompiledModule
	modules   map[string]api.Module
}

// acquireConstants returns the constants for these values; nil if the module
// imports no globals.
func (m *Module) acquireConstants(values map[int]uint64) (*constants, error) {
	globals := m.byModule(ImportGlobal)
	if len(globals) == 0 {
		return nil, nil
	}
	key, err := constantsKey(m.shape.imports, values)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.constants[key]
	if c == nil {
		if c, err = m.buildConstants(globals, values); err != nil {
			return nil, fmt.Errorf("%w: constants: %w", ErrLink, err)
		}
		c.key = key
		m.constants[key] = c
	}
	c.instances++
	return c, nil
}

func (m *Module) releaseConstants(c *constants) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	c.instances--
	if c.instances > 0 {
		return nil
	}
	delete(m.constants, c.key)
	return c.close()
}

func constantsKey(imports []Import, values map[int]uint64) (string, error) {
	var key []byte
	for _, imp := range imports {
		if imp.Kind != ImportGlobal {
			continue
		}
		bits, ok := values[imp.Index]
		if !ok {
			return "", fmt.Errorf("%w: no value for the imported global %q.%q (Bindings.Globals[%d])",
				ErrLink, imp.Module, imp.Name, imp.Index)
		}
		key = binary.LittleEndian.AppendUint64(key, bits)
	}
	return string(key), nil
}

// byModule groups the imports of a kind, each name once, by module name. WASI's
// functions are left out.
func (m *Module) byModule(kind ImportKind) map[string][]Import {
	groups := make(map[string][]Import)
	seen := make(map[[2]string]bool)
	for _, imp := range m.shape.imports {
		key := [2]string{imp.Module, imp.Name}
		if imp.Kind == kind && !imp.WASI && !seen[key] {
			seen[key] = true
			groups[imp.Module] = append(groups[imp.Module], imp)
		}
	}
	return groups
}

func (m *Module) buildConstants(globals map[string][]Import, values map[int]uint64) (*constants, error) {
	c := &constants{modules: make(map[string]api.Module)}
	functions := m.byModule(ImportFunc)
	ctx := experimental.WithImportResolver(context.Background(), m.resolveHost)
	for name, group := range globals {
		err := c.add(ctx, m.machine.rt, name, constantsModule(functions[name], group, values))
		if err != nil {
			return nil, errors.Join(err, c.close())
		}
	}
	return c, nil
}

func (c *constants) add(ctx context.Context, rt wazero.Runtime, name string, wasm []byte) error {
	compiled, err := rt.CompileModule(ctx, wasm)
	if err != nil {
		return err
	}
	c.compiled = append(c.compiled, compiled)
	mod, err := rt.InstantiateModule(ctx, compiled, anonymous)
	if err != nil {
		return err
	}
	c.modules[name] = mod
	return nil
}

func (c *constants) close() error {
	var errs []error
	for _, mod := range c.modules {
		errs = append(errs, mod.Close(context.Background()))
	}
	for _, compiled := range c.compiled {
		errs = append(errs, compiled.Close(context.Background()))
	}
	return errors.Join(errs...)
}

// resolveHost finds a module of host functions.
func (m *Module) resolveHost(name string) api.Module {
	if m.wasi.owns(name) {
		return m.wasi.mod
	}
	if h := m.hosts[name]; h != nil {
		return h.mod
	}
	return nil
}
