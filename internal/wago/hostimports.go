package wago

import (
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/wago-org/wago/internal/engine"
)

// hostImport is one function that a plugin defines for guests. Constant once registration has ended.
type hostImport struct {
	unit         *unit
	module, name string
	fn           HostFunc
	declared     bool // params and results are a signature, not nothing said
	params       []ValType
	results      []ValType
	capability   Capability
	docs         string
}

func (h *hostImport) key() string { return h.module + "." + h.name }

// HostImportRegistrar defines functions that guests import. Get one from [Registrar.HostImports].
//
// Safe for concurrent use.
type HostImportRegistrar struct {
	r     *Registrar
	scope AuthorityScope
}

// HostImports returns the handle that defines host functions in the granted import modules (host.import.define).
func (r *Registrar) HostImports() (*HostImportRegistrar, error) {
	scope, err := r.authorize(AuthorityHostImportDefine)
	if err != nil {
		return nil, err
	}
	return &HostImportRegistrar{r: r, scope: scope}, nil
}

// Module opens an import module, which must be one of the granted ones. Opening it again continues it.
func (h *HostImportRegistrar) Module(name string) (*ImportModuleBuilder, error) {
	if err := h.claim(name); err != nil {
		return nil, err
	}
	return &ImportModuleBuilder{r: h.r, module: name}, nil
}

func (h *HostImportRegistrar) claim(name string) error {
	if !slices.Contains(h.scope.Modules, name) {
		return &PluginError{Plugin: h.r.unit.id(), Phase: PluginPhaseAuthorize, Authority: AuthorityHostImportDefine,
			Err: fmt.Errorf("%w: import module %q is not granted", ErrPermissionDenied, name)}
	}
	return h.r.add(func(c *contributions) error {
		if c.modules == nil {
			c.modules = make(map[string]struct{})
		}
		c.modules[name] = struct{}{}
		return nil
	})
}

// WASIModule is the import module of WASI preview 1.
const WASIModule = "wasi_snapshot_preview1"

// WASIConfig is what guests find behind their WASI imports. The zero value gives nothing: no files, no environment, no
// arguments, no input, output discarded. Readers and writers are used by all guests at the same time, so they have to be
// safe for concurrent use.
type WASIConfig struct {
	Stdin          io.Reader // nil: empty
	Stdout, Stderr io.Writer // nil: discarded
	Args           []string  // the program's name first
	Env            []string  // "NAME=value"
	FS             fs.FS     // mounted at "/", read-only; nil: no files
}

func (c *WASIConfig) engine() *engine.WASIConfig {
	return &engine.WASIConfig{Stdin: c.Stdin, Stdout: c.Stdout, Stderr: c.Stderr, Args: slices.Clone(c.Args),
		Env: slices.Clone(c.Env), FS: c.FS}
}

// WASI answers the guests' imports of [WASIModule], which must be one of the granted modules, with the engine's own
// implementation. Once for each plugin. An extra of this host.
func (h *HostImportRegistrar) WASI(config WASIConfig) error {
	if err := h.claim(WASIModule); err != nil {
		return err
	}
	return h.r.add(func(c *contributions) error {
		if c.wasi != nil {
			return fmt.Errorf("%w: WASI called twice", ErrContribution)
		}
		c.wasi = &config
		return nil
	})
}

// ImportModuleBuilder adds functions to one import module.
//
// Safe for concurrent use.
type ImportModuleBuilder struct {
	r      *Registrar
	module string
}

// Func defines a function. Defining one twice, or nil, fails the load. Without effect once Register has returned.
//
// Where the builder declares a signature, guests that import the function with another one are refused with an
// [*ImportSignatureError] when they are instantiated. Where it declares none, the call uses the signature of the importing
// module, whatever it is. The rest that the builder declares is for inspection and policies.
func (b *ImportModuleBuilder) Func(name string, fn HostFunc) *ImportFuncBuilder {
	imp := &hostImport{unit: b.r.unit, module: b.module, name: name, fn: fn}
	_ = b.r.add(func(c *contributions) error {
		c.imports = append(c.imports, imp)
		return nil
	})
	return &ImportFuncBuilder{r: b.r, imp: imp}
}

// ImportFuncBuilder describes a function. Its methods return it; they have no effect once Register has returned.
//
// Safe for concurrent use.
type ImportFuncBuilder struct {
	r   *Registrar
	imp *hostImport
}

func (b *ImportFuncBuilder) set(change func(*hostImport)) *ImportFuncBuilder {
	_ = b.r.add(func(*contributions) error {
		change(b.imp)
		return nil
	})
	return b
}

// Params declares the types of the parameters, and so a signature: without Results it has none.
func (b *ImportFuncBuilder) Params(types ...ValType) *ImportFuncBuilder {
	return b.set(func(h *hostImport) { h.declared, h.params = true, slices.Clone(types) })
}

// Results declares the types of the results, and so a signature: without Params it has none.
func (b *ImportFuncBuilder) Results(types ...ValType) *ImportFuncBuilder {
	return b.set(func(h *hostImport) { h.declared, h.results = true, slices.Clone(types) })
}

// Capability names what a guest can do through the function: guests that import it need the capability, and a [Policy] can
// refuse it to them.
func (b *ImportFuncBuilder) Capability(c Capability) *ImportFuncBuilder {
	return b.set(func(h *hostImport) { h.capability = c })
}

// Docs describes the function for inspection.
func (b *ImportFuncBuilder) Docs(docs string) *ImportFuncBuilder {
	return b.set(func(h *hostImport) { h.docs = docs })
}
