package wago_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

const declarerID = "example.com/test/declarer"

// declaring is a plugin that defines functions of module env without doing anything in them, and manages instances.
func declaring(manager **wago.InstanceManager, define func(*wago.ImportModuleBuilder)) plug {
	return plug{id: declarerID, grants: []wago.AuthorityGrant{grantImports("env"), grantManage(8, 8*mib)},
		register: func(r *wago.Registrar) (err error) {
			if *manager, err = r.ManagedInstances(); err != nil {
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
			define(env)
			return nil
		}}
}

// The guest imports env.run as (i32, i32, i32) -> i32.
func TestAnImportHasTheDeclaredSignature(t *testing.T) {
	type builder = *wago.ImportFuncBuilder
	i32, i64 := wago.ValI32, wago.ValI64
	cases := map[string]struct {
		declare  func(builder)
		declared string // empty: the guest is taken
	}{
		"the same":              {func(b builder) { b.Params(i32, i32, i32).Results(i32) }, ""},
		"the same, later":       {func(b builder) { b.Params(i64).Results(i32).Params(i32, i32, i32) }, ""},
		"none":                  {func(builder) {}, ""},
		"none, but docs":        {func(b builder) { b.Docs("runs").Capability("test.run") }, ""},
		"too few parameters":    {func(b builder) { b.Params(i32, i32).Results(i32) }, "(i32, i32) -> i32"},
		"too many parameters":   {func(b builder) { b.Params(i32, i32, i32, i32).Results(i32) }, "(i32, i32, i32, i32) -> i32"},
		"another parameter":     {func(b builder) { b.Params(i32, i64, i32).Results(i32) }, "(i32, i64, i32) -> i32"},
		"another result":        {func(b builder) { b.Params(i32, i32, i32).Results(wago.ValF32) }, "(i32, i32, i32) -> f32"},
		"a result too many":     {func(b builder) { b.Params(i32, i32, i32).Results(i32, i64) }, "(i32, i32, i32) -> (i32, i64)"},
		"parameters, no result": {func(b builder) { b.Params(i32, i32, i32) }, "(i32, i32, i32)"},
		"a result alone":        {func(b builder) { b.Results(i32) }, "() -> i32"},
		"expressly nothing":     {func(b builder) { b.Params().Results() }, "()"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var manager *wago.InstanceManager
			rt := newRuntime(t, nil, declaring(&manager, func(env *wago.ImportModuleBuilder) { c.declare(env.Func("run", nop)) }))
			module := compile(t, rt, guestWasm)
			_, direct := rt.Instantiate(t.Context(), module)
			_, managed := manager.Instantiate(t.Context(), module)
			for _, err := range []error{direct, managed} {
				if c.declared == "" {
					require.NoError(t, err)
					continue
				}
				refusesSignature(t, err, "env.run", "(i32, i32, i32) -> i32", c.declared)
				assert.NotErrorIs(t, err, wago.ErrManagedImportLifetime)
			}
		})
	}
}

// refusesSignature holds that err says which import was asked for as what, and declared as what.
func refusesSignature(t *testing.T, err error, key, imported, declared string) {
	t.Helper()
	require.ErrorIs(t, err, wago.ErrImportSignature)
	var refused *wago.ImportSignatureError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, key, refused.Module+"."+refused.Name)
	assert.Equal(t, declarerID, refused.Plugin)
	assert.Equal(t, imported, refused.Imported.String())
	assert.Equal(t, declared, refused.Declared.String())
	for _, part := range []string{key, imported, declared, declarerID} {
		assert.Contains(t, err.Error(), part)
	}
}

func TestWhatIsMissingIsSaidBesideAnotherSignature(t *testing.T) {
	var manager *wago.InstanceManager
	rt := newRuntime(t, nil, declaring(&manager, func(env *wago.ImportModuleBuilder) { env.Func("run", nop).Params(wago.ValI32) }))
	_, err := rt.Instantiate(t.Context(), compile(t, rt, importsWasm))
	refusesSignature(t, err, "env.run", "(i32, i32, i32) -> i32", "(i32)")
	assert.ErrorIs(t, err, wago.ErrMissingImport)
	assert.Contains(t, err.Error(), "other.help")
}

// What a test puts in the place of a plugin's function has declared nothing.
func TestAnOverrideHasNoDeclaredSignature(t *testing.T) {
	var manager *wago.InstanceManager
	rt := newRuntime(t, []wago.RuntimeOption{wago.WithImportOverridePolicy(wago.AllowTestOverrides)},
		declaring(&manager, func(env *wago.ImportModuleBuilder) { env.Func("run", nop).Params(wago.ValI32) }))
	instantiate(t, rt, guestWasm, wago.WithImports(wago.Imports{"env.run": nop}))
}
