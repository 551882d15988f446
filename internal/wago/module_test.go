package wago_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// describing is a plugin that defines env.run with everything a definition can say.
func describing() plug {
	return plug{id: "example.com/test/d", grants: []wago.AuthorityGrant{grantImports("env")}, register: func(r *wago.Registrar) error {
		if err := r.GuestCapability("test.run", wago.CapabilityDocs("runs things")); err != nil {
			return err
		}
		imports, err := r.HostImports()
		if err != nil {
			return err
		}
		env, err := imports.Module("env")
		if err != nil {
			return err
		}
		env.Func("run", func(wago.HostModule, []uint64, []uint64) {}).Params(wago.ValI32, wago.ValI32, wago.ValI32).
			Results(wago.ValI32).Capability("test.run").Docs("runs")
		env.Func("clock", func(wago.HostModule, []uint64, []uint64) {}).Capability(wago.CapTimerRead)
		return nil
	}}
}

func TestAModuleDescribesItself(t *testing.T) {
	rt := newRuntime(t, nil, describing())
	m := compile(t, rt, importsWasm)
	i32 := wago.ValI32
	assert.Equal(t, []wago.ImportSpec{
		{Module: "env", Name: "run", Kind: wago.ImportFunc, Params: []wago.ValType{i32, i32, i32}, Results: []wago.ValType{i32},
			Capability: "test.run", HasCapability: true, Docs: "runs", Provided: true},
		{Module: "other", Name: "help", Kind: wago.ImportFunc, Index: 1, Params: []wago.ValType{wago.ValI64}, Results: []wago.ValType{wago.ValF64}},
		{Module: "env", Name: "constant", Kind: wago.ImportGlobal, Type: i32},
	}, m.Imports())
	assert.Equal(t, []wago.Capability{"test.run"}, m.RequiredCapabilities())
	assert.Equal(t, []string{"constant"}, m.Exports())
	meta := compile(t, rt, guestWasm).Metadata()
	assert.Equal(t, wago.ModuleMetadata{Source: wago.DigestModuleSource(guestWasm), SourceBytes: len(guestWasm),
		HasMemory: true, MinPages: 1, MaxPages: 2, MaxDeclared: true}, meta)
	assert.True(t, compile(t, rt, startWasm).Metadata().HasStart)
	assert.Equal(t, wago.InterruptCountdown, meta.Interruption)
}

func TestARuntimeSaysWhatItProvides(t *testing.T) {
	rt := newRuntime(t, nil, describing())
	provided := rt.ProvidedImports()
	require.Len(t, provided, 2)
	assert.Equal(t, []string{"env.clock", "env.run"}, []string{provided[0].Key(), provided[1].Key()})
	assert.True(t, provided[1].Provided)
	assert.Equal(t, []wago.Capability{"test.run", wago.CapTimerRead}, rt.Capabilities())
	assert.Equal(t, "runs things", rt.CapabilityDocs("test.run"))
	assert.Equal(t, wago.Version, "0.1.0")
}

func TestMissingImportsAreAllNamed(t *testing.T) {
	rt := newRuntime(t, nil)
	_, err := rt.Instantiate(t.Context(), compile(t, rt, importsWasm))
	assert.ErrorIs(t, err, wago.ErrMissingImport)
	for _, key := range []string{"env.run", "other.help", "env.constant"} {
		assert.Contains(t, err.Error(), key)
	}
}

func TestImportsOfTheEmbedder(t *testing.T) {
	nop := func(wago.HostModule, []uint64, []uint64) {}
	with := func(run, help, constant any) wago.InstantiateOption {
		return wago.WithImports(wago.Imports{"env.run": run, "other.help": help, "env.constant": constant, "not.imported": 1})
	}
	seven := wago.GlobalImport{Type: wago.ValI32, Bits: wago.I32(7)}
	cases := map[string]struct {
		opt  wago.InstantiateOption
		want error
	}{
		"functions and a constant":       {with(wago.HostFunc(nop), nop, seven), nil},
		"a nil function":                 {with(wago.HostFunc(nil), nop, seven), wago.ErrInvalidArgument},
		"no function":                    {with(1, nop, seven), wago.ErrInvalidArgument},
		"a function reference":           {with(&wago.HostFuncRef{}, nop, seven), wago.ErrUnsupported},
		"another instance's function":    {with(&wago.InstanceExport{}, nop, seven), wago.ErrUnsupported},
		"a mutable global":               {with(nop, nop, &wago.Global{}), wago.ErrUnsupported},
		"a constant of another type":     {with(nop, nop, wago.GlobalImport{Type: wago.ValI64}), wago.ErrInvalidArgument},
		"a function where a constant is": {with(nop, nop, nop), wago.ErrInvalidArgument},
		"garbage collection":             {wago.WithGC(wago.GCConfig{}), wago.ErrUnsupported},
	}
	rt := newRuntime(t, nil)
	m := compile(t, rt, importsWasm)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			in, err := rt.Instantiate(t.Context(), m, wago.WithSynchronousHostCalls(), c.opt)
			if c.want != nil {
				assert.ErrorIs(t, err, c.want)
				return
			}
			require.NoError(t, err)
			res, err := in.Invoke("constant")
			require.NoError(t, err)
			assert.Equal(t, []uint64{7}, res)
		})
	}
}

func TestImportsMustNotHideAPluginsUnlessTestsMay(t *testing.T) {
	mine := wago.WithImports(wago.Imports{"env.run": wago.HostFunc(func(_ wago.HostModule, _, res []uint64) { res[0] = 9 })})
	h := &host{run: func(wago.HostModule, int32, int32, int32) int32 { return 1 }}
	rt := newRuntime(t, nil, h.plug())
	_, err := rt.Instantiate(t.Context(), compile(t, rt, guestWasm), mine)
	assert.ErrorIs(t, err, wago.ErrPluginConflict)
	rt = newRuntime(t, []wago.RuntimeOption{wago.WithImportOverridePolicy(wago.AllowTestOverrides)}, h.plug())
	res, err := instantiate(t, rt, guestWasm, mine).Invoke("call", 0, 0, 0)
	require.NoError(t, err)
	assert.Equal(t, []uint64{9}, res)
}

func TestImportedMemoriesAreUnsupported(t *testing.T) {
	_, err := newRuntime(t, nil).Compile(importedMemoryWasm)
	assert.ErrorIs(t, err, wago.ErrUnsupported)
}

// A module that wants more than guests get was refused with an error that nobody outside could tell from others.
func TestAModuleThatWantsTooMuchIsRefusedByName(t *testing.T) {
	header := "\x00asm\x01\x00\x00\x00"
	for name, wasm := range map[string]string{
		"a memory above the limit":         header + "\x05\x04\x01\x00\x81\x08", // 1025 pages
		"a table of two million entries":   header + "\x04\x07\x01\x70\x00\x80\x80\x80\x01",
		"an import of seventeen i64 slots": header + "\x01\x15\x01\x60\x11" + strings.Repeat("\x7e", 17) + "\x00\x02\x07\x01\x01m\x01n\x00\x00",
	} {
		_, err := newRuntime(t, nil).Compile([]byte(wasm))
		assert.ErrorIs(t, err, wago.ErrLimit, name)
		assert.NotErrorIs(t, err, wago.ErrInvalidModule, name)
	}
}

func TestModulesBelongToTheirRuntimeAndCanBeShared(t *testing.T) {
	rt, other := newRuntime(t, nil), newRuntime(t, nil)
	m := compile(t, rt, guestWasm)
	_, err := other.Instantiate(t.Context(), m)
	assert.ErrorIs(t, err, wago.ErrForeignModule)
	_, err = other.Module(m.Compiled())
	assert.ErrorIs(t, err, wago.ErrForeignModule)
	_, err = rt.Module(nil)
	assert.ErrorIs(t, err, wago.ErrInvalidHandle)
	_, err = rt.Instantiate(t.Context(), nil)
	assert.ErrorIs(t, err, wago.ErrInvalidHandle)
	second, err := rt.Module(m.Compiled())
	require.NoError(t, err)
	require.NoError(t, m.Close())
	_, err = rt.Instantiate(t.Context(), m, runNothing)
	assert.ErrorIs(t, err, wago.ErrInvalidHandle)
	_, err = rt.Instantiate(t.Context(), second, runNothing)
	require.NoError(t, err)
}

func TestFreedCodeCantBeSharedAgain(t *testing.T) {
	rt := newRuntime(t, nil)
	m := compile(t, rt, guestWasm)
	code := m.Compiled()
	in, err := rt.Instantiate(t.Context(), m, runNothing)
	require.NoError(t, err)
	require.NoError(t, m.Close())
	again, err := rt.Module(code)
	require.NoError(t, err, "its instance keeps it")
	require.NoError(t, again.Close())
	require.NoError(t, in.Close())
	_, err = rt.Module(code)
	assert.ErrorIs(t, err, wago.ErrInvalidHandle)
}
