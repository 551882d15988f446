package wago_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// handles asks for every handle of a registrar that takes an authority.
var handles = map[wago.Authority]func(*wago.Registrar) error{
	wago.AuthorityHostImportDefine:             func(r *wago.Registrar) error { _, err := r.HostImports(); return err },
	wago.AuthorityHostCallerIdentify:           func(r *wago.Registrar) error { _, err := r.HostCallers(); return err },
	wago.AuthorityHostArgumentsRead:            func(r *wago.Registrar) error { _, err := r.GuestArguments(); return err },
	wago.AuthorityRuntimeCloseObserve:          func(r *wago.Registrar) error { _, err := r.RuntimeCloseObserver(); return err },
	wago.AuthorityModuleSourceTransform:        func(r *wago.Registrar) error { _, err := r.ModuleSourceTransformer(); return err },
	wago.AuthorityModuleCompileObserve:         func(r *wago.Registrar) error { _, err := r.ModuleCompileObserver(); return err },
	wago.AuthorityModuleCloseObserve:           func(r *wago.Registrar) error { _, err := r.ModuleCloseObserver(); return err },
	wago.AuthorityInstanceInstantiateIntercept: func(r *wago.Registrar) error { _, err := r.InstanceInstantiateInterceptor(); return err },
	wago.AuthorityInstanceInstantiateObserve:   func(r *wago.Registrar) error { _, err := r.InstanceInstantiateObserver(); return err },
	wago.AuthorityInstanceCloseObserve:         func(r *wago.Registrar) error { _, err := r.InstanceCloseObserver(); return err },
	wago.AuthorityInstanceInvokeIntercept:      func(r *wago.Registrar) error { _, err := r.InstanceInvokeInterceptor(); return err },
	wago.AuthorityInstanceInvokeObserve:        func(r *wago.Registrar) error { _, err := r.InstanceInvokeObserver(); return err },
	wago.AuthorityInstanceManage:               func(r *wago.Registrar) error { _, err := r.ManagedInstances(); return err },
	wago.AuthorityCoreModuleCompile:            func(r *wago.Registrar) error { _, err := r.CoreModuleCompiler(); return err },
	wago.AuthorityCoreInstanceInstantiate:      func(r *wago.Registrar) error { _, err := r.CoreInstanceInstantiator(); return err },
	wago.AuthorityCoreFuncRefCreate:            func(r *wago.Registrar) error { _, err := r.CoreFuncRefFactory(); return err },
	wago.AuthorityCompilerTypeDefine:           func(r *wago.Registrar) error { _, err := r.CompilerTypes(); return err },
	wago.AuthorityCompilerInstructionDefine:    func(r *wago.Registrar) error { _, err := r.CompilerInstructions(); return err },
}

var unsupportedHandles = []wago.Authority{wago.AuthorityModuleSourceTransform, wago.AuthorityCoreModuleCompile,
	wago.AuthorityCoreInstanceInstantiate, wago.AuthorityCoreFuncRefCreate, wago.AuthorityCompilerTypeDefine,
	wago.AuthorityCompilerInstructionDefine}

// scopeOf returns a scope of the shape an authority takes.
func scopeOf(a wago.Authority) wago.AuthorityScope {
	switch a {
	case wago.AuthorityHostImportDefine, wago.AuthorityCompilerTypeDefine, wago.AuthorityCompilerInstructionDefine:
		return wago.AuthorityScope{Modules: []string{"env"}}
	case wago.AuthorityInstanceManage, wago.AuthorityCoreInstanceInstantiate:
		return wago.AuthorityScope{MaxInstances: 1, MaxMemoryBytes: mib}
	}
	return wago.AuthorityScope{}
}

func TestEveryHandleNeedsItsGrant(t *testing.T) {
	for authority, ask := range handles {
		for _, withheld := range []bool{true, false} {
			name := string(authority) + " not requested"
			p := plug{id: "example.com/test/p", register: ask}
			if withheld {
				name = string(authority) + " requested, not granted"
				p.withhold = true
				p.grants = []wago.AuthorityGrant{{Name: authority, Scope: scopeOf(authority)}}
			}
			t.Run(name, func(t *testing.T) {
				err := wago.ValidatePluginSet(set(t, p))
				assert.ErrorIs(t, err, wago.ErrPermissionDenied)
				var pe *wago.PluginError
				require.ErrorAs(t, err, &pe)
				assert.Equal(t, wago.PluginPhaseAuthorize, pe.Phase)
				assert.Equal(t, authority, pe.Authority)
			})
		}
	}
}

func TestAGrantGivesTheHandleOrSaysItIsUnsupported(t *testing.T) {
	for authority, ask := range handles {
		t.Run(string(authority), func(t *testing.T) {
			granted := false
			err := wago.ValidatePluginSet(set(t, plug{id: "example.com/test/p",
				grants: []wago.AuthorityGrant{{Name: authority, Scope: scopeOf(authority)}},
				register: func(r *wago.Registrar) error {
					granted = r.Granted(authority) && !r.Granted("no.such.authority")
					return ask(r)
				}}))
			assert.True(t, granted)
			for _, a := range unsupportedHandles {
				if a == authority {
					assert.ErrorIs(t, err, wago.ErrUnsupported)
					return
				}
			}
			assert.NoError(t, err)
		})
	}
}

func TestImportModulesOutsideTheGrantAreRefused(t *testing.T) {
	err := wago.ValidatePluginSet(set(t, plug{id: "example.com/test/p", grants: []wago.AuthorityGrant{grantImports("env")},
		register: func(r *wago.Registrar) error {
			imports, err := r.HostImports()
			require.NoError(t, err)
			_, err = imports.Module("other")
			return err
		}}))
	assert.ErrorIs(t, err, wago.ErrPermissionDenied)
}

func TestCallbacksMustNotBeNil(t *testing.T) {
	p := plug{id: "example.com/test/p", grants: []wago.AuthorityGrant{grant(wago.AuthorityInstanceCloseObserve),
		grant(wago.AuthorityInstanceInvokeIntercept), grantImports("env")}}
	p.register = func(r *wago.Registrar) error {
		o, err := r.InstanceCloseObserver()
		require.NoError(t, err)
		assert.ErrorIs(t, o.Before(func(wago.InstanceCloseEvent) {}, nil), wago.ErrInvalidArgument)
		i, err := r.InstanceInvokeInterceptor()
		require.NoError(t, err)
		assert.ErrorIs(t, i.Before(nil), wago.ErrInvalidArgument)
		return defineRun(r, nil)
	}
	assert.ErrorIs(t, wago.ValidatePluginSet(set(t, p)), wago.ErrInvalidArgument, "a nil host function")
}

func TestGuestArgumentsAreACopyWithinTheActiveLife(t *testing.T) {
	var access *wago.GuestArgumentsAccess
	args := []string{"a", "b"}
	rt := wago.NewRuntime(wago.WithGuestArguments(args))
	args[0] = "changed"
	require.NoError(t, rt.LoadPlugins(t.Context(), set(t, plug{id: "example.com/test/p",
		grants: []wago.AuthorityGrant{grant(wago.AuthorityHostArgumentsRead)},
		register: func(r *wago.Registrar) (err error) {
			access, err = r.GuestArguments()
			require.NoError(t, err)
			_, early := access.Args()
			assert.ErrorIs(t, early, wago.ErrPermissionDenied)
			return nil
		}})))
	got, err := access.Args()
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b"}, got)
	got[0] = "mine"
	again, err := access.Args()
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b"}, again)
	require.NoError(t, rt.Close())
	_, err = access.Args()
	assert.ErrorIs(t, err, wago.ErrPermissionDenied)
}
