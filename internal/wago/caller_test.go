package wago_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// forged looks like a caller and is none.
type forged struct{}

func (forged) Memory() []byte { return nil }

// authorities are the methods that take a caller and nothing else.
func (h *host) authorities() map[string]func(wago.HostModule) error {
	return map[string]func(wago.HostModule) error{
		"CallerIdentity":    func(m wago.HostModule) error { _, err := h.manager.CallerIdentity(m); return err },
		"ManagedCaller":     func(m wago.HostModule) error { _, err := h.manager.ManagedCaller(m); return err },
		"WatchCaller":       func(m wago.HostModule) error { _, _, err := h.manager.WatchCaller(m); return err },
		"Closing":           func(m wago.HostModule) error { _, err := h.manager.Closing(m); return err },
		"Resolve":           func(m wago.HostModule) error { _, err := h.callers.Resolve(m); return err },
		"InvocationContext": func(m wago.HostModule) error { _, err := h.callers.InvocationContext(m); return err },
		"Fork":              func(m wago.HostModule) error { _, err := h.manager.Fork(context.Background(), m); return err },
	}
}

func (h *host) refusesEverywhere(t *testing.T, m wago.HostModule) {
	t.Helper()
	for method, call := range h.authorities() {
		assert.ErrorIs(t, call(m), wago.ErrPermissionDenied, method)
	}
}

func TestACallerIsGoodFromEntryToReturn(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	in := instantiate(t, rt, guestWasm)
	var kept wago.HostModule
	var ids []wago.InstanceIdentity
	h.run = func(m wago.HostModule, _, _, _ int32) int32 {
		kept = m
		assert.Equal(t, "initial", string(m.Memory()[16:23]))
		done := make(chan struct{})
		go func() { // from another goroutine too
			defer close(done)
			id, err := h.callers.Resolve(m)
			assert.NoError(t, err)
			same, err := h.manager.CallerIdentity(m)
			assert.NoError(t, err)
			ids = append(ids, id, same)
			_, err = h.manager.ManagedCaller(m)
			assert.ErrorIs(t, err, wago.ErrNotManaged)
			assert.NotErrorIs(t, err, wago.ErrPermissionDenied)
		}()
		<-done
		return 0
	}
	for range 2 {
		_, err := in.Invoke("call", 0, 0, 0)
		require.NoError(t, err)
		assert.Nil(t, kept.Memory(), "after the call")
		h.refusesEverywhere(t, kept)
	}
	require.Len(t, ids, 4)
	for _, id := range ids {
		assert.False(t, id.IsZero())
		assert.Equal(t, ids[0], id)
	}
}

func TestNilForgedAndForeignCallersAreRefused(t *testing.T) {
	h, other := &host{}, &host{}
	newRuntime(t, nil, h.plug())
	rtOther := newRuntime(t, nil, other.plug())
	h.refusesEverywhere(t, nil)
	h.refusesEverywhere(t, forged{})
	other.run = func(m wago.HostModule, _, _, _ int32) int32 {
		h.refusesEverywhere(t, m)
		assert.NoError(t, other.authorities()["Resolve"](m))
		return 0
	}
	_, err := instantiate(t, rtOther, guestWasm).Invoke("call", 0, 0, 0)
	require.NoError(t, err)
}

func TestACallerIsDeadAfterItsPluginsEnd(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	require.NoError(t, rt.Close())
	h.refusesEverywhere(t, forged{})
}

func TestANestedCallLeavesTheOuterCallerValid(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	in := instantiate(t, rt, guestWasm)
	var inner wago.HostModule
	h.run = func(m wago.HostModule, op, _, _ int32) int32 {
		if op == 1 {
			inner = m
			return 5
		}
		outer, err := h.manager.CallerIdentity(m)
		require.NoError(t, err)
		res, err := in.Invoke("call", 1, 0, 0)
		require.NoError(t, err)
		again, err := h.manager.CallerIdentity(m)
		require.NoError(t, err)
		assert.Equal(t, outer, again)
		assert.NotNil(t, m.Memory())
		h.refusesEverywhere(t, inner)
		return int32(res[0])
	}
	res, err := in.Invoke("call", 0, 0, 0)
	require.NoError(t, err)
	assert.Equal(t, []uint64{5}, res)
}

func TestAHostCallWaitsForTheNestedCallOfAnotherGoroutine(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	in := instantiate(t, rt, guestWasm)
	entered, leave := make(chan struct{}), make(chan struct{})
	nested := make(chan error, 1)
	var outerCaller wago.HostModule
	h.run = func(m wago.HostModule, op, _, _ int32) int32 {
		if op == 1 {
			close(entered)
			<-leave
			return 0
		}
		outerCaller = m
		go func() {
			_, err := in.Invoke("call", 1, 0, 0)
			nested <- err
		}()
		<-entered
		return 0
	}
	outer := make(chan error, 1)
	go func() {
		_, err := in.Invoke("call", 0, 0, 0)
		outer <- err
	}()
	<-entered
	eventually(t, func() bool { return outerCaller.Memory() == nil }) // the host function has returned
	select {
	case <-outer:
		t.Fatal("two calls of one guest ran at once")
	default:
	}
	close(leave)
	require.NoError(t, <-nested)
	require.NoError(t, <-outer)
}

func TestWatchCallerTellsTheEndOfItsCall(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	in := instantiate(t, rt, guestWasm)
	var first, second <-chan struct{}
	h.run = func(m wago.HostModule, _, _, _ int32) int32 {
		var cancel func()
		var err error
		first, cancel, err = h.manager.WatchCaller(m)
		require.NoError(t, err)
		defer cancel()
		second, _, err = h.manager.WatchCaller(m)
		require.NoError(t, err)
		select {
		case <-first:
			t.Error("signalled during the call")
		default:
		}
		return 0
	}
	_, err := in.Invoke("call", 0, 0, 0)
	require.NoError(t, err)
	<-first
	<-second
}

func TestAHostCallCostsOneAllocation(t *testing.T) {
	h := &host{run: func(wago.HostModule, int32, int32, int32) int32 { return 0 }}
	rt := newRuntime(t, nil, h.plug())
	in := instantiate(t, rt, guestWasm)
	calls := int32(0)
	const loops = 1000
	perLoop := testing.AllocsPerRun(3, func() {
		calls = 0
		h.run = func(wago.HostModule, int32, int32, int32) int32 {
			if calls++; calls == loops {
				return 1
			}
			return 0
		}
		child := forkOf(t, h, in)
		require.NoError(t, child.InvokeVoidTable(t.Context(), 0))
		require.NoError(t, child.Close())
	}) / loops
	assert.Less(t, perLoop, 1.5)
}

// forkOf forks an instance from inside a host call of its own.
func forkOf(t testing.TB, h *host, in *wago.Instance) *wago.ManagedInstance {
	t.Helper()
	child, err := tryFork(h, in)
	require.NoError(t, err)
	return child
}

func tryFork(h *host, in *wago.Instance) (child *wago.ManagedInstance, err error) {
	run := h.run
	defer func() { h.run = run }()
	h.run = func(m wago.HostModule, _, _, _ int32) int32 {
		child, err = h.manager.Fork(context.Background(), m)
		return 0
	}
	if _, callErr := in.Invoke("call", 0, 0, 0); callErr != nil {
		return nil, callErr
	}
	return child, err
}
