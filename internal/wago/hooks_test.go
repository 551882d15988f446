package wago_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/wago/tests/wasmtest"
)

// observerPlug holds every hook authority; register adds the hooks a test wants.
func observerPlug(id string, register func(*wago.Registrar) error) plug {
	p := plug{id: id, register: register}
	for _, a := range []wago.Authority{wago.AuthorityRuntimeCloseObserve, wago.AuthorityModuleCompileObserve,
		wago.AuthorityModuleCloseObserve, wago.AuthorityInstanceInstantiateIntercept, wago.AuthorityInstanceInstantiateObserve,
		wago.AuthorityInstanceCloseObserve, wago.AuthorityInstanceInvokeIntercept, wago.AuthorityInstanceInvokeObserve} {
		p.grants = append(p.grants, grant(a))
	}
	return p
}

var runNothing = wago.WithImports(wago.Imports{"env.run": wago.HostFunc(func(wago.HostModule, []uint64, []uint64) {})})

func TestCompileObserversHearOfSuccessAndFailure(t *testing.T) {
	var compiled []wago.ModuleCompiledEvent
	var failed []wago.ModuleCompileErrorEvent
	var closed []wago.ModuleCloseEvent
	rt := newRuntime(t, nil, observerPlug("example.com/test/o", func(r *wago.Registrar) error {
		c, err := r.ModuleCompileObserver()
		require.NoError(t, err)
		m, err := r.ModuleCloseObserver()
		require.NoError(t, err)
		return errors.Join(
			c.Observe(func(e wago.ModuleCompiledEvent) { compiled = append(compiled, e) }),
			c.OnError(func(e wago.ModuleCompileErrorEvent) { failed = append(failed, e) }),
			m.Observe(func(e wago.ModuleCloseEvent) { closed = append(closed, e) }))
	}))
	m := compile(t, rt, guestWasm)
	_, err := rt.Compile([]byte("no module"))
	assert.ErrorIs(t, err, wago.ErrInvalidModule)
	require.Len(t, compiled, 1)
	require.Len(t, failed, 1)
	assert.Equal(t, wago.DigestModuleSource(guestWasm), compiled[0].SourceDigest)
	assert.Equal(t, "env.run", compiled[0].Module.Imports()[0].Key())
	assert.Equal(t, err, failed[0].Err)
	assert.NotEqual(t, compiled[0].Compilation, failed[0].Compilation)
	assert.False(t, compiled[0].Compilation.IsZero())
	require.NoError(t, m.Close())
	require.NoError(t, m.Close())
	require.Len(t, closed, 1)
	assert.Equal(t, compiled[0].Module.Identity(), closed[0].Module.Identity())
}

func TestInstantiateHooksRunInOrderAndRefuse(t *testing.T) {
	boom := errors.New("boom")
	var j journal
	refuseBefore, refuseAfter := false, false
	var closes []wago.InstanceIdentity
	rt := newRuntime(t, nil, observerPlug("example.com/test/o", func(r *wago.Registrar) error {
		i, err := r.InstanceInstantiateInterceptor()
		require.NoError(t, err)
		o, err := r.InstanceInstantiateObserver()
		require.NoError(t, err)
		c, err := r.InstanceCloseObserver()
		require.NoError(t, err)
		refuse := func(what string, when *bool) error {
			j.add(what)
			if *when {
				return boom
			}
			return nil
		}
		return errors.Join(
			i.Before(func(wago.InstantiationRequest) error { return refuse("before 1", &refuseBefore) },
				func(wago.InstantiationRequest) error { return refuse("before 2", new(bool)) }),
			i.After(func(wago.InstantiationEvent) error { return refuse("after 1", &refuseAfter) }),
			o.After(func(wago.InstantiationEvent) { j.add("observed") }),
			o.OnError(func(e wago.InstantiationErrorEvent) { assert.Error(t, e.Err); j.add("failed") }),
			c.Before(func(e wago.InstanceCloseEvent) { closes = append(closes, e.Instance) }))
	}))
	m := compile(t, rt, guestWasm)
	in, err := rt.Instantiate(t.Context(), m, runNothing)
	require.NoError(t, err)
	assert.Equal(t, []string{"before 1", "before 2", "after 1", "observed"}, j.lines)
	require.NoError(t, in.Close())
	assert.Len(t, closes, 1)

	j.lines, refuseBefore = nil, true
	_, err = rt.Instantiate(t.Context(), m, runNothing)
	assert.ErrorIs(t, err, boom)
	assert.Equal(t, []string{"before 1", "failed"}, j.lines)
	assert.Len(t, closes, 1, "nobody has met the instance")

	j.lines, refuseBefore, refuseAfter = nil, false, true
	_, err = rt.Instantiate(t.Context(), m, runNothing)
	assert.ErrorIs(t, err, boom)
	assert.Equal(t, []string{"before 1", "before 2", "after 1", "failed"}, j.lines)
	assert.Len(t, closes, 2, "the interceptor has met it")

	refuseAfter = false
	_, err = rt.Instantiate(t.Context(), compile(t, rt, badData))
	var trap *wago.TrapError
	require.ErrorAs(t, err, &trap)
	assert.Len(t, closes, 2, "no guest code has run")
}

// badData is a module whose data segment lies outside its memory.
var badData = wasmtest.Module(wasmtest.Section(5, wasmtest.Vec([]byte{0, 0})),
	wasmtest.Section(11, wasmtest.Vec([]byte{0, 0x41, 0, 0x0b, 1, 'x'})))

func TestInvokeHooksRunForCallAndNotForInvoke(t *testing.T) {
	boom := errors.New("boom")
	var requests []wago.InvocationRequest
	var events []wago.InvocationEvent
	refuse := false
	rt := newRuntime(t, nil, observerPlug("example.com/test/o", func(r *wago.Registrar) error {
		i, err := r.InstanceInvokeInterceptor()
		require.NoError(t, err)
		o, err := r.InstanceInvokeObserver()
		require.NoError(t, err)
		return errors.Join(
			i.Before(func(q wago.InvocationRequest) error {
				q.Args[0] = wago.ValueI32(99) // a copy
				return nil
			}, func(q wago.InvocationRequest) error {
				requests = append(requests, q)
				if refuse {
					return boom
				}
				return nil
			}),
			o.After(func(e wago.InvocationEvent) { events = append(events, e) }))
	}))
	in := instantiate(t, rt, guestWasm, runNothing)
	_, err := in.Invoke("add", 1, 2)
	require.NoError(t, err)
	assert.Empty(t, requests)
	res, err := in.Call(t.Context(), "add", wago.ValueI32(1), wago.ValueI32(2))
	require.NoError(t, err)
	assert.Equal(t, []wago.Value{wago.ValueI32(3)}, res)
	require.Len(t, requests, 1)
	require.Len(t, events, 1)
	assert.Equal(t, []wago.Value{wago.ValueI32(1), wago.ValueI32(2)}, requests[0].Args)
	assert.Equal(t, requests[0].Operation, events[0].Operation)
	assert.Equal(t, res, events[0].Results)
	assert.Equal(t, "add", events[0].Export)
	refuse = true
	_, err = in.Call(t.Context(), "add", wago.ValueI32(1), wago.ValueI32(2))
	assert.ErrorIs(t, err, boom)
	assert.Len(t, events, 1, "the guest didn't run")
}

func TestPanicsOfHooksAreContained(t *testing.T) {
	boom := errors.New("boom")
	for how, bad := range map[string]func(){"panic": func() { panic(boom) }, "goexit": runtime.Goexit} {
		t.Run(how, func(t *testing.T) {
			want := map[string]error{"panic": wago.ErrCallbackPanic, "goexit": wago.ErrCallbackGoexit}[how]
			after := 0
			rt := wago.NewRuntime()
			require.NoError(t, rt.LoadPlugins(t.Context(), set(t, observerPlug("example.com/test/o", func(r *wago.Registrar) error {
				c, err := r.ModuleCompileObserver()
				require.NoError(t, err)
				o, err := r.InstanceCloseObserver()
				require.NoError(t, err)
				v, err := r.InstanceInvokeInterceptor()
				require.NoError(t, err)
				e, err := r.RuntimeCloseObserver()
				require.NoError(t, err)
				return errors.Join(
					c.Observe(func(wago.ModuleCompiledEvent) { bad() }, func(wago.ModuleCompiledEvent) { after++ }),
					o.Before(func(wago.InstanceCloseEvent) { after++ }, func(wago.InstanceCloseEvent) { bad() }),
					v.Before(func(wago.InvocationRequest) error { bad(); return nil }),
					e.Observe(func(wago.RuntimeCloseEvent) { bad() }))
			}))))
			in := instantiate(t, rt, guestWasm, runNothing)
			_, err := in.Call(t.Context(), "add", wago.ValueI32(1), wago.ValueI32(2))
			assert.ErrorIs(t, err, want, "an interceptor's panic refuses the call")
			require.NoError(t, in.Close())
			assert.Equal(t, 2, after, "the other observers ran")
			assert.ErrorIs(t, rt.Close(), want, "and the close reports what nobody else could")
			assert.ErrorIs(t, rt.Close(), want)
		})
	}
}
