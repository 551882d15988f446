package wasi_test

import (
	"bytes"
	"context"
	_ "embed"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/wago/wasi"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The guest: see the .wat beside it.
//
//go:embed testdata/wasi.wasm
var guest []byte

func load(t *testing.T, o wasi.Options, grants []wago.AuthorityGrant) (*wago.Runtime, error) {
	t.Helper()
	p := wasi.Provider(o)
	digest, err := wago.DefinitionDigest(p.Definition)
	require.NoError(t, err)
	rt := wago.NewRuntime()
	t.Cleanup(func() { require.NoError(t, rt.Close()) })
	return rt, rt.LoadPlugins(context.Background(), wago.PluginSet{Providers: []wago.PluginProvider{p},
		Selections: []wago.PluginSelection{{ID: wasi.PluginID, DefinitionDigest: digest, Direct: true,
			Dependencies: map[string]string{}, Grants: grants}}})
}

func granted() []wago.AuthorityGrant {
	request := wasi.Definition().Authorities[0]
	return []wago.AuthorityGrant{{Name: request.Name, Scope: request.Scope}}
}

func TestProcExitEndsTheCallWithItsCode(t *testing.T) {
	rt, err := load(t, wasi.Options{}, granted())
	require.NoError(t, err)
	m, err := rt.Compile(guest)
	require.NoError(t, err)
	for _, code := range []int32{0, 3, -1, -0x10000001} { // the last two are the engine's own for interrupted calls
		in, err := rt.Instantiate(t.Context(), m)
		require.NoError(t, err)
		_, err = in.Invoke("exit", wago.I32(code))
		var exit *wago.ExitError
		require.ErrorAs(t, err, &exit)
		assert.Equal(t, code, exit.Code)
		_, err = in.Invoke("hello")
		assert.ErrorIs(t, err, wago.ErrInstanceEnded)
	}
}

// output is a buffer for several guests.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func TestOutputGoesWhereTheEmbedderWantsIt(t *testing.T) {
	for name, out := range map[string]*output{"captured": {}, "discarded": nil} {
		t.Run(name, func(t *testing.T) {
			var o wasi.Options
			if out != nil {
				o.Stdout = out
			}
			rt, err := load(t, o, granted())
			require.NoError(t, err)
			m, err := rt.Compile(guest)
			require.NoError(t, err)
			in, err := rt.Instantiate(t.Context(), m)
			require.NoError(t, err)
			errno, err := in.Invoke("hello")
			require.NoError(t, err)
			assert.Equal(t, []uint64{0}, errno)
			if out != nil {
				assert.Equal(t, "hello\n", out.buf.String())
			}
		})
	}
}

func TestWithoutTheGrantNothingLoads(t *testing.T) {
	_, err := load(t, wasi.Options{}, nil)
	assert.ErrorIs(t, err, wago.ErrPermissionDenied)
}

func TestWithoutThePluginTheImportsAreMissing(t *testing.T) {
	rt := wago.NewRuntime()
	defer func() { require.NoError(t, rt.Close()) }()
	m, err := rt.Compile(guest)
	require.NoError(t, err)
	_, err = rt.Instantiate(t.Context(), m)
	assert.ErrorIs(t, err, wago.ErrMissingImport)
	assert.Contains(t, err.Error(), "wasi_snapshot_preview1.proc_exit")
}

func TestImportsAreProvidedAndCantBeReplaced(t *testing.T) {
	rt, err := load(t, wasi.Options{}, granted())
	require.NoError(t, err)
	m, err := rt.Compile(guest)
	require.NoError(t, err)
	for _, spec := range m.Imports() {
		assert.True(t, spec.Provided, spec.Key())
	}
	_, err = rt.Instantiate(t.Context(), m, wago.WithImports(wago.Imports{
		"wasi_snapshot_preview1.proc_exit": wago.HostFunc(func(wago.HostModule, []uint64, []uint64) {})}))
	assert.ErrorIs(t, err, wago.ErrPluginConflict)
}

func TestTheDefinitionIsValidAndFresh(t *testing.T) {
	a, b := wasi.Definition(), wasi.Definition()
	a.Authorities[0].Scope.Modules[0] = "changed"
	assert.Equal(t, wago.WASIModule, b.Authorities[0].Scope.Modules[0])
	_, err := wago.CanonicalPluginDefinition(b)
	assert.NoError(t, err)
}
