package wago_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// The guests: see the .wat beside each.
var (
	//go:embed testdata/guest.wasm
	guestWasm []byte
	//go:embed testdata/start.wasm
	startWasm []byte
	//go:embed testdata/startspin.wasm
	startSpinWasm []byte
	//go:embed testdata/nomax.wasm
	noMaxWasm []byte
	//go:embed testdata/imports.wasm
	importsWasm []byte
	//go:embed testdata/imported_memory.wasm
	importedMemoryWasm []byte
	//go:embed testdata/memory.wasm
	memoryWasm []byte
)

// plug is a plugin for one test: a definition and what Register does.
type plug struct {
	id        string
	grants    []wago.AuthorityGrant
	requires  []wago.PluginRequirement
	provides  []wago.ContractSpec
	consumes  []wago.ContractRequirement
	bindings  []wago.ContractBinding
	config    json.RawMessage
	validate  func(json.RawMessage) error
	register  func(*wago.Registrar) error
	withhold  bool // request the authorities, grant none
	newPlugin func() wago.Plugin
}

type registerFunc func(*wago.Registrar) error

func (f registerFunc) Register(r *wago.Registrar) error { return f(r) }

func (p plug) definition() wago.PluginDefinition {
	def := wago.PluginDefinition{
		ID: p.id, Version: "1.0.0",
		Provenance: wago.PluginProvenance{Repository: "https://" + p.id, License: "MIT"},
		Requires:   p.requires, Provides: p.provides, Consumes: p.consumes,
	}
	for _, g := range p.grants {
		def.Authorities = append(def.Authorities, wago.AuthorityRequest{
			Name: g.Name, Mode: wago.AuthorityRequired, Reason: "test", Scope: g.Scope})
	}
	return def
}

func (p plug) provider() wago.PluginProvider {
	newPlugin := p.newPlugin
	if newPlugin == nil {
		newPlugin = func() wago.Plugin {
			return registerFunc(func(r *wago.Registrar) error {
				if p.register == nil {
					return nil
				}
				return p.register(r)
			})
		}
	}
	return wago.PluginProvider{Definition: p.definition(), New: newPlugin, ValidateConfig: p.validate}
}

func (p plug) selection(t testing.TB) wago.PluginSelection {
	t.Helper()
	digest, err := wago.DefinitionDigest(p.definition())
	require.NoError(t, err)
	s := wago.PluginSelection{ID: p.id, DefinitionDigest: digest, Direct: true, Config: p.config, Contracts: p.bindings,
		Dependencies: map[string]string{}}
	for _, r := range p.requires {
		s.Dependencies[r.ID] = r.Version
	}
	if !p.withhold {
		s.Grants = p.grants
	}
	return s
}

func set(t testing.TB, plugs ...plug) wago.PluginSet {
	t.Helper()
	var s wago.PluginSet
	for _, p := range plugs {
		s.Providers = append(s.Providers, p.provider())
		s.Selections = append(s.Selections, p.selection(t))
	}
	return s
}

func grant(a wago.Authority) wago.AuthorityGrant { return wago.AuthorityGrant{Name: a} }

func grantImports(modules ...string) wago.AuthorityGrant {
	return wago.AuthorityGrant{Name: wago.AuthorityHostImportDefine, Scope: wago.AuthorityScope{Modules: modules}}
}

func grantManage(instances uint32, memory uint64) wago.AuthorityGrant {
	return wago.AuthorityGrant{Name: wago.AuthorityInstanceManage,
		Scope: wago.AuthorityScope{MaxInstances: instances, MaxMemoryBytes: memory}}
}

// newRuntime loads plugins into a runtime that the test closes.
func newRuntime(t testing.TB, opts []wago.RuntimeOption, plugs ...plug) *wago.Runtime {
	t.Helper()
	rt := wago.NewRuntime(opts...)
	t.Cleanup(func() {
		require.NoError(t, rt.Close())
		opened, closed := rt.Instances()
		require.Equal(t, opened, closed, "instances left")
		mapped, unmapped := rt.Mappings()
		require.Equal(t, mapped, unmapped, "memories left")
	})
	require.NoError(t, rt.LoadPlugins(context.Background(), set(t, plugs...)))
	return rt
}

// host is a plugin that answers env.run with a function and manages instances.
type host struct {
	manager *wago.InstanceManager
	callers *wago.CallerResolver
	run     func(m wago.HostModule, op, a, b int32) int32
}

const mib = 1 << 20

func (h *host) plug() plug {
	return plug{
		id:     "example.com/test/host",
		grants: []wago.AuthorityGrant{grantImports("env"), grantManage(64, 64*mib), grant(wago.AuthorityHostCallerIdentify)},
		register: func(r *wago.Registrar) (err error) {
			if h.manager, err = r.ManagedInstances(); err != nil {
				return err
			}
			if h.callers, err = r.HostCallers(); err != nil {
				return err
			}
			return defineRun(r, func(m wago.HostModule, p, res []uint64) {
				res[0] = wago.I32(h.run(m, wago.AsI32(p[0]), wago.AsI32(p[1]), wago.AsI32(p[2])))
			})
		},
	}
}

func defineRun(r *wago.Registrar, fn wago.HostFunc) error {
	imports, err := r.HostImports()
	if err != nil {
		return err
	}
	env, err := imports.Module("env")
	if err != nil {
		return err
	}
	env.Func("run", fn)
	return nil
}

func compile(t testing.TB, rt *wago.Runtime, wasm []byte) *wago.Module {
	t.Helper()
	m, err := rt.Compile(wasm)
	require.NoError(t, err)
	return m
}

func instantiate(t testing.TB, rt *wago.Runtime, wasm []byte, opts ...wago.InstantiateOption) *wago.Instance {
	t.Helper()
	in, err := rt.Instantiate(context.Background(), compile(t, rt, wasm), opts...)
	require.NoError(t, err)
	return in
}
