package wago_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// closing begins a close inside a bubble and waits until everybody waits for something.
func closing(t *testing.T, rt *wago.Runtime) <-chan error {
	t.Helper()
	closed := make(chan error, 1)
	go func() { closed <- rt.Close() }()
	synctest.Wait()
	require.Empty(t, closed, "the close waits")
	return closed
}

func TestStopComesAfterTheCreationsInProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goOn, stopped := make(chan struct{}), false
		h := &host{}
		p := h.plug()
		register := p.register
		p.grants = append(p.grants, grant(wago.AuthorityInstanceInstantiateIntercept))
		p.register = func(r *wago.Registrar) error {
			i, err := r.InstanceInstantiateInterceptor()
			require.NoError(t, err)
			return errors.Join(register(r), i.Before(func(wago.InstantiationRequest) error { <-goOn; return nil }),
				r.Lifecycle(wago.PluginLifecycle{Stop: func(context.Context) error { stopped = true; return nil }}))
		}
		rt := wago.NewRuntime()
		require.NoError(t, rt.LoadPlugins(t.Context(), set(t, p)))
		m := compile(t, rt, guestWasm)
		created := make(chan error, 1)
		go func() { _, err := h.manager.Instantiate(t.Context(), m); created <- err }()
		synctest.Wait()
		closed := closing(t, rt)
		assert.False(t, stopped)
		close(goOn)
		assert.ErrorIs(t, <-created, wago.ErrRuntimeClosed)
		require.NoError(t, <-closed)
		assert.True(t, stopped)
	})
}

func TestAPluginsHandlesLiveUntilItsCallbacksHaveLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goOn := make(chan struct{})
		var inside error
		p := observerPlug("example.com/test/o", nil)
		p.grants = append(p.grants, grant(wago.AuthorityHostArgumentsRead))
		p.register = func(r *wago.Registrar) error {
			args, err := r.GuestArguments()
			require.NoError(t, err)
			c, err := r.ModuleCompileObserver()
			require.NoError(t, err)
			return c.Observe(func(wago.ModuleCompiledEvent) {
				<-goOn
				_, inside = args.Args()
			})
		}
		rt := wago.NewRuntime()
		require.NoError(t, rt.LoadPlugins(t.Context(), set(t, p)))
		compiled := make(chan error, 1)
		go func() { _, err := rt.Compile(guestWasm); compiled <- err }()
		synctest.Wait()
		closed := closing(t, rt)
		close(goOn)
		require.NoError(t, <-compiled)
		require.NoError(t, <-closed)
		assert.NoError(t, inside)
	})
}

func TestTheEndOfAPluginEndsTheContextsOfItsGuests(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	child := forkOf(t, h, instantiate(t, rt, guestWasm))
	inside := make(chan struct{})
	h.run = func(m wago.HostModule, _, _, _ int32) int32 {
		ctx, err := h.callers.InvocationContext(m)
		assert.NoError(t, err)
		close(inside)
		<-ctx.Done() // only the host can end it
		return 1
	}
	ended := make(chan error, 1)
	go func() { ended <- child.InvokeVoidTable(t.Context(), 0) }()
	<-inside
	require.NoError(t, rt.Close())
	assertInterrupted(t, <-ended, wago.ErrRuntimeClosed)
}
