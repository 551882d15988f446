package wago_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// entries is a journal for several goroutines.
type entries struct {
	mu    sync.Mutex
	lines []string
}

func (e *entries) add(line string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lines = append(e.lines, line)
}

func TestRuntimeCloseGoesStepByStep(t *testing.T) {
	var j entries
	h := &host{}
	p := h.plug()
	p.grants = append(p.grants, grant(wago.AuthorityInstanceCloseObserve), grant(wago.AuthorityRuntimeCloseObserve))
	register := p.register
	var child *wago.ManagedInstance
	names := map[wago.InstanceIdentity]string{}
	p.register = func(r *wago.Registrar) error {
		closes, err := r.InstanceCloseObserver()
		require.NoError(t, err)
		require.NoError(t, closes.Before(func(e wago.InstanceCloseEvent) { j.add("close " + names[e.Instance]) }))
		ends, err := r.RuntimeCloseObserver()
		require.NoError(t, err)
		require.NoError(t, ends.Observe(func(wago.RuntimeCloseEvent) { j.add("observer 1") },
			func(wago.RuntimeCloseEvent) { j.add("observer 2") }))
		require.NoError(t, r.Lifecycle(wago.PluginLifecycle{Stop: func(context.Context) error {
			j.add("stop")
			h.run = func(wago.HostModule, int32, int32, int32) int32 { t.Error("admitted"); return 1 }
			// The instances are still usable; the plugin's own imports are not.
			err := child.InvokeVoidTable(context.Background(), 0)
			assert.ErrorIs(t, err, wago.ErrPermissionDenied)
			return nil
		}}))
		return register(r)
	}
	rt := wago.NewRuntime()
	require.NoError(t, rt.LoadPlugins(t.Context(), set(t, p)))
	h.run = func(m wago.HostModule, op, _, _ int32) int32 {
		id, err := h.manager.CallerIdentity(m)
		require.NoError(t, err)
		names[id] = map[int32]string{1: "old", 2: "new"}[op]
		return 0
	}
	for op, in := range []*wago.Instance{nil, instantiate(t, rt, guestWasm), instantiate(t, rt, guestWasm)} {
		if in == nil {
			continue
		}
		_, err := in.Invoke("call", uint64(op), 0, 0)
		require.NoError(t, err)
		if child == nil {
			child = forkOf(t, h, in)
		}
	}
	require.NoError(t, rt.Close())
	assert.Equal(t, []string{"observer 2", "observer 1", "close new", "close old", "stop"}, j.lines,
		"hooks of a stopped plugin are skipped: the managed instance closes after its Stop")
	opened, closed := rt.Instances()
	assert.Equal(t, opened, closed)
	assert.True(t, child.Identity().IsZero())
}

func TestEveryClosingChannelIsClosedBeforeAnythingIsWaitedFor(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	a, b := instantiate(t, rt, guestWasm), instantiate(t, rt, guestWasm)
	child := forkOf(t, h, a)
	// Each host call waits until the instances of all three are told to close; closed one after the other, the first
	// would never come back.
	const guests = 3
	var all sync.WaitGroup
	all.Add(guests)
	inside := make(chan struct{}, guests)
	h.run = func(m wago.HostModule, _, _, _ int32) int32 {
		closing, err := h.manager.Closing(m)
		require.NoError(t, err)
		inside <- struct{}{}
		<-closing
		all.Done()
		all.Wait()
		return 1
	}
	var calls sync.WaitGroup
	for _, call := range []func(){
		func() { _, _ = a.Invoke("call", 0, 0, 0) },
		func() { _, _ = b.Invoke("call", 0, 0, 0) },
		func() { _ = child.InvokeVoidTable(context.Background(), 0) },
	} {
		calls.Go(call)
	}
	for range guests {
		<-inside
	}
	require.NoError(t, rt.Close())
	calls.Wait()
}

func TestConcurrentRuntimeClosesShareTheResult(t *testing.T) {
	boom := errors.New("boom")
	stopping, stop := make(chan struct{}), make(chan struct{})
	rt := wago.NewRuntime()
	type key struct{}
	require.NoError(t, rt.LoadPlugins(t.Context(), set(t, plug{id: "example.com/test/p", register: func(r *wago.Registrar) error {
		return r.Lifecycle(wago.PluginLifecycle{Stop: func(ctx context.Context) error {
			assert.Equal(t, "first", ctx.Value(key{}), "Stop gets the first closer's context")
			close(stopping)
			<-stop
			return boom
		}})
	}})))
	assert.Nil(t, rt.Closed())
	results := make(chan error, 3)
	go func() { results <- rt.CloseContext(context.WithValue(context.Background(), key{}, "first")) }()
	<-stopping
	closed := rt.Closed()
	require.NotNil(t, closed)
	go func() { results <- rt.Close() }()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.ErrorIs(t, rt.WaitClosed(ctx), context.Canceled)
	go func() { results <- rt.WaitClosed(context.Background()) }()
	_, err := rt.Compile(guestWasm)
	assert.ErrorIs(t, err, wago.ErrRuntimeClosed)
	close(stop)
	for range 3 {
		assert.ErrorIs(t, <-results, boom)
	}
	<-closed
	assert.ErrorIs(t, rt.Close(), boom)
}

func TestCloseDuringALoadWaitsForIt(t *testing.T) {
	starting, start := make(chan struct{}), make(chan struct{})
	var j entries
	rt := wago.NewRuntime()
	loaded := make(chan error, 1)
	s := set(t, plug{id: "example.com/test/p", register: func(r *wago.Registrar) error {
		return r.Lifecycle(wago.PluginLifecycle{
			Start: func(context.Context) error { close(starting); <-start; j.add("started"); return nil },
			Stop:  func(context.Context) error { j.add("stopped"); return nil },
		})
	}})
	go func() { loaded <- rt.LoadPlugins(context.Background(), s) }()
	<-starting
	closed := make(chan error, 1)
	go func() { closed <- rt.Close() }()
	close(start)
	require.NoError(t, <-loaded)
	require.NoError(t, <-closed)
	assert.Equal(t, []string{"started", "stopped"}, j.lines)
}

func TestTheHooksOfADirectInstanceAreTheProvidersLastChance(t *testing.T) {
	// What Workers does: a managed instance tied to a direct one is joined in the creator's Before hook.
	h := &host{}
	p := h.plug()
	p.grants = append(p.grants, grant(wago.AuthorityInstanceCloseObserve))
	register := p.register
	ended := make(chan error, 1)
	var child *wago.ManagedInstance
	p.register = func(r *wago.Registrar) error {
		o, err := r.InstanceCloseObserver()
		require.NoError(t, err)
		require.NoError(t, o.Before(func(e wago.InstanceCloseEvent) {
			if e.Origin == wago.InstantiateDirect {
				assert.NoError(t, child.Close())
				ended <- <-ended
			}
		}))
		return register(r)
	}
	rt := wago.NewRuntime()
	require.NoError(t, rt.LoadPlugins(t.Context(), set(t, p)))
	child = forkOf(t, h, instantiate(t, rt, guestWasm))
	guest := child.Instance()
	go func() { ended <- child.InvokeVoidTable(context.Background(), 1) }()
	eventually(t, func() bool { return running(guest) != nil })
	require.NoError(t, rt.Close())
	assertInterrupted(t, <-ended, wago.ErrInstanceClosed)
}

func TestAfterTheCloseNothingWorks(t *testing.T) {
	h := &host{}
	rt := wago.NewRuntime()
	require.NoError(t, rt.LoadPlugins(t.Context(), set(t, h.plug())))
	m := compile(t, rt, guestWasm)
	in, err := rt.Instantiate(t.Context(), m)
	require.NoError(t, err)
	require.NoError(t, rt.Close())
	_, err = rt.Instantiate(t.Context(), m)
	assert.ErrorIs(t, err, wago.ErrRuntimeClosed)
	_, err = rt.Module(m.Compiled())
	assert.ErrorIs(t, err, wago.ErrRuntimeClosed)
	_, err = in.Invoke("add", 1, 2)
	assert.ErrorIs(t, err, wago.ErrInstanceClosed)
	_, err = h.manager.Instantiate(t.Context(), m)
	assert.ErrorIs(t, err, wago.ErrPermissionDenied)
	assert.NoError(t, m.Close())
	assert.NoError(t, in.Close())
}
