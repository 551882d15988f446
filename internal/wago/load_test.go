package wago_test

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// journal is a list of what happened, in order.
type journal struct{ lines []string }

func (j *journal) add(line string) { j.lines = append(j.lines, line) }

// lifecycle registers hooks that write "start id" and "stop id".
func (j *journal) lifecycle(id string, startErr, stopErr error) func(*wago.Registrar) error {
	return func(r *wago.Registrar) error {
		return r.Lifecycle(wago.PluginLifecycle{
			Start: func(context.Context) error { j.add("start " + id); return startErr },
			Stop:  func(context.Context) error { j.add("stop " + id); return stopErr },
		})
	}
}

func chain(j *journal, startErr, stopErr error) (a, b, c plug) {
	need := func(id string) []wago.PluginRequirement { return []wago.PluginRequirement{{ID: id, Version: "^1.0.0"}} }
	a = plug{id: "example.com/z/a", register: j.lifecycle("a", nil, nil)}
	b = plug{id: "example.com/y/b", requires: need(a.id), register: j.lifecycle("b", startErr, stopErr)}
	c = plug{id: "example.com/x/c", requires: need(b.id), register: j.lifecycle("c", nil, nil)}
	return a, b, c
}

func TestPluginsStartInPlanOrderAndStopInReverse(t *testing.T) {
	var j journal
	a, b, c := chain(&j, nil, nil)
	rt := wago.NewRuntime()
	require.NoError(t, rt.LoadPlugins(context.Background(), set(t, c, a, b)))
	ids := []string{}
	for _, def := range rt.Plugins() {
		ids = append(ids, def.ID)
	}
	assert.Equal(t, []string{a.id, b.id, c.id}, ids)
	require.NoError(t, rt.Close())
	require.NoError(t, rt.Close(), "a second close has the same result")
	assert.Equal(t, []string{"start a", "start b", "start c", "stop c", "stop b", "stop a"}, j.lines)
	assert.Empty(t, rt.Plugins())
}

func TestAFailedStartStopsWhatHadStartedTheFailingPluginIncluded(t *testing.T) {
	boom, stopBoom := errors.New("boom"), errors.New("stop boom")
	var j journal
	a, b, c := chain(&j, boom, stopBoom)
	rt := wago.NewRuntime()
	err := rt.LoadPlugins(context.Background(), set(t, a, b, c))
	assert.ErrorIs(t, err, boom)
	assert.ErrorIs(t, err, stopBoom)
	var pe *wago.PluginError
	require.ErrorAs(t, err, &pe)
	assert.Equal(t, b.id, pe.Plugin)
	assert.Equal(t, wago.PluginPhaseStart, pe.Phase)
	assert.Equal(t, []string{"start a", "start b", "stop b", "stop a"}, j.lines)
	assert.Empty(t, rt.Plugins())
	_, err = rt.Compile(guestWasm)
	assert.ErrorIs(t, err, wago.ErrRuntimeClosed)
	assert.ErrorIs(t, rt.LoadPlugins(context.Background(), wago.PluginSet{}), wago.ErrRuntimeClosed)
}

func TestAStopErrorIsReportedAndTeardownGoesOn(t *testing.T) {
	stopBoom := errors.New("stop boom")
	var j journal
	a, b, c := chain(&j, nil, stopBoom)
	rt := wago.NewRuntime()
	require.NoError(t, rt.LoadPlugins(context.Background(), set(t, a, b, c)))
	err := rt.Close()
	assert.ErrorIs(t, err, stopBoom)
	var pe *wago.PluginError
	require.ErrorAs(t, err, &pe)
	assert.Equal(t, wago.PluginPhaseStop, pe.Phase)
	assert.Equal(t, "stop a", j.lines[len(j.lines)-1])
	assert.ErrorIs(t, rt.Close(), stopBoom, "the result stays")
}

func TestFailuresOfPluginCodeNameThePhase(t *testing.T) {
	const id = "example.com/test/bad"
	boom := errors.New("boom")
	fail := func(how string) error {
		switch how {
		case "panic":
			panic(boom)
		case "goexit":
			runtime.Goexit()
		}
		return boom
	}
	at := func(how string) map[wago.PluginPhase]plug {
		lifecycle := func(l wago.PluginLifecycle) func(*wago.Registrar) error {
			return func(r *wago.Registrar) error { return r.Lifecycle(l) }
		}
		return map[wago.PluginPhase]plug{
			wago.PluginPhaseConfigure: {id: id, validate: func(json.RawMessage) error { return fail(how) }},
			wago.PluginPhaseRegister:  {id: id, register: func(*wago.Registrar) error { return fail(how) }},
			wago.PluginPhaseStart: {id: id, register: lifecycle(wago.PluginLifecycle{
				Start: func(context.Context) error { return fail(how) }})},
			wago.PluginPhaseStop: {id: id, register: lifecycle(wago.PluginLifecycle{
				Stop: func(context.Context) error { return fail(how) }})},
		}
	}
	for how, want := range map[string]error{"error": boom, "panic": wago.ErrCallbackPanic, "goexit": wago.ErrCallbackGoexit} {
		for phase, p := range at(how) {
			t.Run(string(phase)+" "+how, func(t *testing.T) {
				rt := wago.NewRuntime()
				err := errors.Join(rt.LoadPlugins(context.Background(), set(t, p)), rt.Close())
				assert.ErrorIs(t, err, want)
				var pe *wago.PluginError
				require.ErrorAs(t, err, &pe)
				assert.Equal(t, phase, pe.Phase)
				assert.Equal(t, id, pe.Plugin)
				if how == "panic" {
					assert.ErrorIs(t, err, boom, "the panic's value is found")
				}
			})
		}
	}
}

func TestLoadPluginsIsOneAttemptBeforeTheFirstCompile(t *testing.T) {
	ctx := context.Background()
	t.Run("a second load", func(t *testing.T) {
		rt := newRuntime(t, nil)
		assert.ErrorIs(t, rt.LoadPlugins(ctx, wago.PluginSet{}), wago.ErrAlreadyLoaded)
	})
	t.Run("after a compile", func(t *testing.T) {
		rt := wago.NewRuntime()
		compile(t, rt, startSpinWasm)
		assert.ErrorIs(t, rt.LoadPlugins(ctx, wago.PluginSet{}), wago.ErrAlreadyLoaded)
		require.NoError(t, rt.Close())
	})
	t.Run("after close", func(t *testing.T) {
		rt := wago.NewRuntime()
		require.NoError(t, rt.Close())
		assert.ErrorIs(t, rt.LoadPlugins(ctx, wago.PluginSet{}), wago.ErrRuntimeClosed)
	})
	t.Run("nil context", func(t *testing.T) {
		rt := wago.NewRuntime()
		var none context.Context
		require.NoError(t, rt.LoadPlugins(none, set(t, plug{id: "example.com/test/a", register: func(r *wago.Registrar) error {
			return r.Lifecycle(wago.PluginLifecycle{Start: func(ctx context.Context) error { return ctx.Err() }})
		}})))
		require.NoError(t, rt.CloseContext(none))
	})
}

func TestWhileLoadingTheEmbedderCantCompile(t *testing.T) {
	rt := wago.NewRuntime()
	var during error
	require.NoError(t, rt.LoadPlugins(context.Background(), set(t, plug{id: "example.com/test/a",
		register: func(r *wago.Registrar) error {
			return r.Lifecycle(wago.PluginLifecycle{Start: func(context.Context) error {
				_, during = rt.Compile(guestWasm)
				return nil
			}})
		}})))
	assert.ErrorIs(t, during, wago.ErrRuntimeLoading)
	compile(t, rt, startSpinWasm)
	require.NoError(t, rt.Close())
}

func TestTwoPluginsOneImportModule(t *testing.T) {
	noop := func(r *wago.Registrar) error {
		return defineRun(r, func(_ wago.HostModule, _, res []uint64) { res[0] = 1 })
	}
	started := false
	a := plug{id: "example.com/test/a", grants: []wago.AuthorityGrant{grantImports("env")}, register: noop}
	b := plug{id: "example.com/test/b", grants: []wago.AuthorityGrant{grantImports("env")},
		register: func(r *wago.Registrar) error {
			return errors.Join(r.Lifecycle(wago.PluginLifecycle{Start: func(context.Context) error { started = true; return nil }}),
				defineRun(r, func(_ wago.HostModule, _, res []uint64) { res[0] = 2 }))
		}}
	t.Run("conflict", func(t *testing.T) {
		rt := wago.NewRuntime()
		err := rt.LoadPlugins(context.Background(), set(t, a, b))
		assert.ErrorIs(t, err, wago.ErrPluginConflict)
		var pe *wago.PluginError
		require.ErrorAs(t, err, &pe)
		assert.Equal(t, wago.PluginPhaseCommit, pe.Phase)
		assert.Empty(t, rt.ProvidedImports(), "nothing was published")
		assert.False(t, started)
		require.NoError(t, rt.Close())
	})
	t.Run("allowed in tests, the later plugin wins", func(t *testing.T) {
		rt := newRuntime(t, []wago.RuntimeOption{wago.WithImportOverridePolicy(wago.AllowTestOverrides)}, a, b)
		res, err := instantiate(t, rt, guestWasm).Invoke("call", 0, 0, 0)
		require.NoError(t, err)
		assert.Equal(t, []uint64{2}, res)
	})
}

func TestValidatePluginSetStartsNothingAndLeavesHandlesInert(t *testing.T) {
	var j journal
	h := &host{}
	p := h.plug()
	register := p.register
	p.register = func(r *wago.Registrar) error { return errors.Join(register(r), j.lifecycle("p", nil, nil)(r)) }
	require.NoError(t, wago.ValidatePluginSet(set(t, p)))
	assert.Empty(t, j.lines)
	_, err := h.manager.CallerIdentity(nil)
	assert.ErrorIs(t, err, wago.ErrPermissionDenied)
}

func TestInspectRunsNoPluginCode(t *testing.T) {
	bad := func() { t.Error("plugin code ran") }
	p := plug{id: "example.com/test/p", validate: func(json.RawMessage) error { bad(); return nil },
		newPlugin: func() wago.Plugin { bad(); return nil }}
	plan, err := wago.InspectPluginPlan(set(t, p))
	require.NoError(t, err)
	require.Len(t, plan.Plugins, 1)
	assert.Equal(t, p.id, plan.Plugins[0].ID)
	_, err = wago.InspectPluginPlan(wago.PluginSet{Selections: []wago.PluginSelection{p.selection(t)}})
	assert.ErrorIs(t, err, wago.ErrUnresolved)
}

func TestACatalogGoesRound(t *testing.T) {
	p := plug{id: "example.com/test/p"}.provider()
	data, err := wago.EncodeProviderCatalog("example.com/test/p/register", []wago.PluginProvider{p})
	require.NoError(t, err)
	doc, err := wago.DecodeProviderCatalog(data)
	require.NoError(t, err)
	require.Len(t, doc.Providers, 1)
	assert.Equal(t, wago.ProviderCatalogSchemaURI, doc.Schema)
	assert.Equal(t, p.Definition.ID, doc.Providers[0].Definition.ID)
	p.New = nil
	_, err = wago.EncodeProviderCatalog("example.com/test/p/register", []wago.PluginProvider{p})
	assert.ErrorIs(t, err, wago.ErrInvalidCatalog)
}

func TestPluginsReturnsCopies(t *testing.T) {
	rt := newRuntime(t, nil, describing())
	rt.Plugins()[0].Authorities[0].Scope.Modules[0] = "changed"
	assert.Equal(t, []string{"env"}, rt.Plugins()[0].Authorities[0].Scope.Modules)
}
