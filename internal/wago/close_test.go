package wago_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// watcher is a plugin that observes closes; write is called with "name before" and "name after".
func watcher(id string, before, after func(wago.InstanceCloseEvent)) plug {
	return plug{id: id, grants: []wago.AuthorityGrant{grant(wago.AuthorityInstanceCloseObserve)},
		register: func(r *wago.Registrar) error {
			o, err := r.InstanceCloseObserver()
			if err != nil {
				return err
			}
			if before != nil {
				if err := o.Before(before); err != nil {
					return err
				}
			}
			if after != nil {
				return o.After(after)
			}
			return nil
		}}
}

func TestCloseRunsHooksAroundTheReleaseLastRegisteredFirst(t *testing.T) {
	var j journal
	note := func(what string) func(wago.InstanceCloseEvent) {
		return func(e wago.InstanceCloseEvent) {
			assert.False(t, e.Instance.IsZero())
			assert.False(t, e.Module.Identity().IsZero())
			assert.Equal(t, wago.InstantiateDirect, e.Origin)
			j.add(what)
		}
	}
	rt := newRuntime(t, nil, watcher("example.com/test/a", note("before a"), note("after a")),
		watcher("example.com/test/b", note("before b"), note("after b")))
	in := instantiate(t, rt, guestWasm, wago.WithImports(wago.Imports{"env.run": wago.HostFunc(func(wago.HostModule, []uint64, []uint64) {})}))
	require.NoError(t, in.Close())
	require.NoError(t, in.Close(), "idempotent")
	assert.Equal(t, []string{"before b", "before a", "after b", "after a"}, j.lines)
	_, err := in.Invoke("add", 1, 2)
	assert.ErrorIs(t, err, wago.ErrInstanceClosed)
	assert.ErrorIs(t, err, wago.ErrInvalidHandle)
	_, ok := in.Read(0, 1)
	assert.False(t, ok)
}

func TestConcurrentClosersWaitForTheFirst(t *testing.T) {
	h := &host{}
	var released sync.WaitGroup
	rt := newRuntime(t, nil, h.plug())
	in := instantiate(t, rt, guestWasm)
	inside, leave := make(chan struct{}), make(chan struct{})
	left := false
	h.run = func(wago.HostModule, int32, int32, int32) int32 { close(inside); <-leave; left = true; return 0 }
	ended := make(chan error, 1)
	go func() { _, err := in.Invoke("call", 0, 0, 0); ended <- err }()
	<-inside
	for range 4 {
		released.Go(func() {
			assert.NoError(t, in.Close())
			assert.True(t, left, "a close returned before the call had left")
		})
	}
	eventually(t, func() bool { _, err := in.Invoke("add", 1, 2); return err != nil })
	close(leave)
	released.Wait()
	assertInterrupted(t, <-ended, wago.ErrInstanceClosed)
}

func TestCloseFromInsideTheInstancesOwnCallFinishesWhenTheCallLeaves(t *testing.T) {
	var closedAfter []string
	var mu sync.Mutex
	after := func(e wago.InstanceCloseEvent) { mu.Lock(); closedAfter = append(closedAfter, "after"); mu.Unlock() }
	h := &host{}
	rt := newRuntime(t, nil, h.plug(), watcher("example.com/test/w", nil, after))
	in := instantiate(t, rt, guestWasm)
	child := forkOf(t, h, in)
	for name, c := range map[string]struct {
		close func() error
		call  func() error
		guest *wago.Instance
	}{
		"managed": {child.Close, func() error { return child.InvokeVoidTable(context.Background(), 0) }, child.Instance()},
		"direct":  {in.Close, func() error { _, err := in.Invoke("call", 0, 0, 0); return err }, in},
	} {
		t.Run(name, func(t *testing.T) {
			closedAfter = nil
			h.run = func(m wago.HostModule, _, _, _ int32) int32 {
				assert.ErrorIs(t, c.close(), wago.ErrCloseInsideCall)
				assert.Empty(t, closedAfter, "not released yet")
				assert.NotNil(t, m.Memory(), "the caller is good until the host call returns")
				closing, err := h.manager.Closing(m)
				require.NoError(t, err)
				<-closing
				assert.ErrorIs(t, c.close(), wago.ErrCloseInsideCall, "again")
				return 0
			}
			assertInterrupted(t, c.call(), wago.ErrInstanceClosed)
			assert.Equal(t, []string{"after"}, closedAfter, "released when the call had left")
			assert.NoError(t, c.close())
		})
	}
}

func TestCloseFromInsideANestedCallIsToldOfEveryLevel(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	in := instantiate(t, rt, guestWasm)
	var fromInner error
	h.run = func(_ wago.HostModule, op, _, _ int32) int32 {
		if op == 1 {
			fromInner = in.Close()
			return 0
		}
		_, err := in.Invoke("call", 1, 0, 0)
		assertInterrupted(t, err, wago.ErrInstanceClosed)
		return 0
	}
	_, err := in.Invoke("call", 0, 0, 0)
	assertInterrupted(t, err, wago.ErrInstanceClosed)
	assert.ErrorIs(t, fromInner, wago.ErrCloseInsideCall)
	require.NoError(t, in.Close())
}

func TestCloseFromInsideItsOwnHookIsRefused(t *testing.T) {
	var in *wago.Instance
	var before, after error
	rt := newRuntime(t, nil, watcher("example.com/test/w",
		func(wago.InstanceCloseEvent) { before = in.Close() }, func(wago.InstanceCloseEvent) { after = in.Close() }))
	in = instantiate(t, rt, guestWasm, wago.WithImports(wago.Imports{"env.run": wago.HostFunc(func(wago.HostModule, []uint64, []uint64) {})}))
	require.NoError(t, in.Close())
	assert.ErrorIs(t, before, wago.ErrCloseInsideCall)
	assert.ErrorIs(t, after, wago.ErrCloseInsideCall)
}

func TestAHostFunctionMayCloseAnotherInstance(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	in := instantiate(t, rt, guestWasm)
	child := forkOf(t, h, in)
	ended := make(chan error, 1)
	go func() { ended <- child.InvokeVoidTable(context.Background(), 1) }()
	guest := child.Instance()
	eventually(t, func() bool { return running(guest) != nil })
	h.run = func(wago.HostModule, int32, int32, int32) int32 { assert.NoError(t, child.Close()); return 3 }
	res, err := in.Invoke("call", 0, 0, 0)
	require.NoError(t, err)
	assert.Equal(t, []uint64{3}, res)
	assertInterrupted(t, <-ended, wago.ErrInstanceClosed)
}

func TestRuntimeCloseFromInsideACallIsRefused(t *testing.T) {
	h := &host{}
	p := h.plug()
	register := p.register
	var inStart, inStop error
	var rt *wago.Runtime
	p.register = func(r *wago.Registrar) error {
		if err := r.Lifecycle(wago.PluginLifecycle{
			Start: func(context.Context) error { inStart = rt.Close(); return nil },
			Stop:  func(context.Context) error { inStop = rt.Close(); return nil },
		}); err != nil {
			return err
		}
		return register(r)
	}
	rt = wago.NewRuntime()
	require.NoError(t, rt.LoadPlugins(t.Context(), set(t, p)))
	assert.ErrorIs(t, inStart, wago.ErrCloseInsideCall)
	in := instantiate(t, rt, guestWasm)
	var inCall error
	h.run = func(wago.HostModule, int32, int32, int32) int32 { inCall = rt.Close(); return 0 }
	_, err := in.Invoke("call", 0, 0, 0)
	require.NoError(t, err)
	assert.ErrorIs(t, inCall, wago.ErrCloseInsideCall)
	_, err = in.Invoke("add", 1, 2)
	require.NoError(t, err, "nothing has happened")
	require.NoError(t, rt.Close())
	assert.ErrorIs(t, inStop, wago.ErrCloseInsideCall)
}

func TestCloseOfNilIsAnError(t *testing.T) {
	var in *wago.Instance
	var managed *wago.ManagedInstance
	assert.ErrorIs(t, in.Close(), wago.ErrInvalidHandle)
	assert.ErrorIs(t, managed.Close(), wago.ErrInvalidHandle)
	_, err := in.Invoke("x")
	assert.ErrorIs(t, err, wago.ErrInvalidHandle)
}
