package wago_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// while is how long a guest may spin: long enough for it to have begun, on a machine with more to do.
const while = 100 * time.Millisecond

func assertInterrupted(t *testing.T, err error, causes ...error) {
	t.Helper()
	var trap *wago.TrapError
	require.ErrorAs(t, err, &trap)
	assert.Equal(t, wago.TrapInterrupted, trap.Code)
	for _, cause := range causes {
		assert.ErrorIs(t, err, cause)
	}
}

// spinners start a guest that never returns, in a direct and in a managed instance.
func spinners(t *testing.T, h *host, in *wago.Instance) map[string]func(context.Context) error {
	child := forkOf(t, h, in)
	return map[string]func(context.Context) error{
		"direct":  func(ctx context.Context) error { _, err := in.InvokeContext(ctx, "spin"); return err },
		"managed": func(ctx context.Context) error { return child.InvokeVoidTable(ctx, 1) },
	}
}

func TestTheEndOfTheContextInterruptsASpinner(t *testing.T) {
	boom := errors.New("boom")
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	in := instantiate(t, rt, guestWasm)
	child := forkOf(t, h, in)
	for name, c := range map[string]struct {
		guest *wago.Instance
		spin  func(context.Context) error
	}{
		"direct":  {in, func(ctx context.Context) error { _, err := in.InvokeContext(ctx, "spin"); return err }},
		"managed": {child.Instance(), func(ctx context.Context) error { return child.InvokeVoidTable(ctx, 1) }},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(context.Background())
			ended := make(chan error, 1)
			go func() { ended <- c.spin(ctx) }()
			eventually(t, func() bool { return errors.Is(running(c.guest), wago.ErrInstanceBusy) })
			// It may not have come as far as the guest.
			time.AfterFunc(10*time.Millisecond, func() { cancel(boom) })
			assertInterrupted(t, <-ended, context.Canceled, boom)
			assert.ErrorIs(t, c.spin(ctx), wago.ErrInstanceEnded)
		})
	}
}

func TestADeadlineInterruptsASpinner(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	for name, spin := range spinners(t, h, instantiate(t, rt, guestWasm)) {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), while)
			defer cancel()
			assertInterrupted(t, spin(ctx), context.DeadlineExceeded)
		})
	}
}

func TestAnEndedContextRunsNothingAndHarmsNothing(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	in := instantiate(t, rt, guestWasm)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, spin := range spinners(t, h, in) {
		assert.ErrorIs(t, spin(ctx), context.Canceled, name)
	}
	_, err := in.Invoke("add", 1, 2)
	assert.NoError(t, err)
}

func TestCloseInterruptsASpinner(t *testing.T) {
	for kind := range map[string]bool{"direct": true, "managed": true} {
		for closer, cause := range map[string]error{"instance": wago.ErrInstanceClosed, "runtime": wago.ErrRuntimeClosed} {
			for ctxName, ctx := range map[string]context.Context{"background": context.Background(), "own": t.Context(), "nil": nil} {
				t.Run(kind+" by "+closer+", context "+ctxName, func(t *testing.T) {
					h := &host{}
					rt := newRuntime(t, nil, h.plug())
					in := instantiate(t, rt, guestWasm)
					child := forkOf(t, h, in)
					spin := func() error { return child.InvokeVoidTable(ctx, 1) }
					guest := child.Instance()
					if kind == "direct" {
						spin = func() error { _, err := in.InvokeContext(ctx, "spin"); return err }
						guest = in
					}
					ended := make(chan error, 1)
					go func() { ended <- spin() }()
					eventually(t, func() bool { return errors.Is(running(guest), wago.ErrInstanceBusy) })
					if closer == "instance" {
						require.NoError(t, guest.Close())
					} else {
						require.NoError(t, rt.Close())
					}
					assertInterrupted(t, <-ended, context.Canceled, cause)
				})
			}
		}
	}
}

// running gives ErrInstanceBusy while the guest runs.
func running(in *wago.Instance) error {
	_, err := in.GlobalValue("counter")
	return err
}

func TestThePolicyBoundsACallsDuration(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	policy := wago.WithPolicy(wago.Policy{MaxInvokeDuration: while})
	in := instantiate(t, rt, guestWasm, policy)
	_, err := in.Invoke("spin")
	assertInterrupted(t, err, wago.ErrInvokeTimeout, context.DeadlineExceeded)
	_, err = rt.Instantiate(t.Context(), compile(t, rt, startSpinWasm), policy)
	assertInterrupted(t, err, wago.ErrInvokeTimeout)
}

func TestAStartSectionIsInterruptedByItsContext(t *testing.T) {
	rt := newRuntime(t, nil)
	module := compile(t, rt, startSpinWasm)
	ctx, cancel := context.WithTimeout(context.Background(), while)
	defer cancel()
	_, err := rt.Instantiate(ctx, module)
	assertInterrupted(t, err, context.DeadlineExceeded)
}

// spinningFork calls Fork from inside a host call; the fork's start section spins.
func spinningFork(t *testing.T, h *host, in *wago.Instance, ctx context.Context) (forked chan error, starting chan struct{}) {
	forked, starting = make(chan error, 1), make(chan struct{})
	h.run = func(m wago.HostModule, op, _, _ int32) int32 {
		if op == 9 {
			close(starting)
			return 2
		}
		_, err := h.manager.Fork(ctx, m)
		forked <- err
		return 0
	}
	go func() { _, _ = in.Invoke("call", 0) }()
	<-starting
	return forked, starting
}

func TestAForksStartSectionIsInterrupted(t *testing.T) {
	boom := errors.New("boom")
	ctx, cancel := context.WithCancelCause(context.Background())
	for name, c := range map[string]struct {
		ctx   context.Context
		stop  func(*wago.Runtime, *wago.Instance) error
		cause error
	}{
		"by Fork's context":      {ctx, func(*wago.Runtime, *wago.Instance) error { cancel(boom); return nil }, boom},
		"by the creator's close": {context.Background(), func(_ *wago.Runtime, in *wago.Instance) error { return in.Close() }, wago.ErrInstanceClosed},
		"by the runtime's close": {context.Background(), func(rt *wago.Runtime, _ *wago.Instance) error { return rt.Close() }, wago.ErrRuntimeClosed},
		"by close, nil context":  {nil, func(_ *wago.Runtime, in *wago.Instance) error { return in.Close() }, wago.ErrInstanceClosed},
		"by close, own context":  {t.Context(), func(rt *wago.Runtime, _ *wago.Instance) error { return rt.Close() }, wago.ErrRuntimeClosed},
	} {
		t.Run(name, func(t *testing.T) {
			h := &host{run: func(wago.HostModule, int32, int32, int32) int32 { return 0 }}
			rt := newRuntime(t, nil, h.plug())
			in := instantiate(t, rt, startWasm)
			forked, _ := spinningFork(t, h, in, c.ctx)
			require.NoError(t, c.stop(rt, in))
			assertInterrupted(t, <-forked, c.cause)
		})
	}
}

func TestForkIsRefusedWhenItsCreatorOrTheRuntimeCloses(t *testing.T) {
	for name, c := range map[string]struct {
		stop func(*wago.Runtime, *wago.Instance) error
		want error
	}{
		"creator": {func(_ *wago.Runtime, in *wago.Instance) error { return in.Close() }, wago.ErrInstanceClosed},
		"runtime": {func(rt *wago.Runtime, _ *wago.Instance) error { return rt.Close() }, wago.ErrRuntimeClosed},
	} {
		t.Run(name, func(t *testing.T) {
			h := &host{}
			rt := newRuntime(t, nil, h.plug())
			in := instantiate(t, rt, guestWasm)
			inside := make(chan struct{})
			var err error
			h.run = func(m wago.HostModule, _, _, _ int32) int32 {
				closing, closingErr := h.manager.Closing(m)
				require.NoError(t, closingErr)
				close(inside)
				<-closing
				_, err = h.manager.Fork(t.Context(), m)
				return 0
			}
			go func() { _, _ = in.Invoke("call", 0, 0, 0) }()
			<-inside
			require.NoError(t, c.stop(rt, in))
			assert.ErrorIs(t, err, c.want)
		})
	}
}

func TestAForkThatHasNotBegunToRunNeverRunsOnceItsCreatorOrTheRuntimeCloses(t *testing.T) {
	for name, c := range map[string]struct {
		stop func(*wago.Runtime, *wago.Instance) error
		want error
	}{
		"creator": {func(_ *wago.Runtime, in *wago.Instance) error { return in.Close() }, wago.ErrInstanceClosed},
		"runtime": {func(rt *wago.Runtime, _ *wago.Instance) error { return rt.Close() }, wago.ErrRuntimeClosed},
	} {
		t.Run(name, func(t *testing.T) {
			h := &host{run: func(wago.HostModule, int32, int32, int32) int32 { return 0 }}
			asked, told := make(chan struct{}), make(chan struct{})
			rt := newRuntime(t, nil, h.plug(), gate(t, asked, told))
			in := instantiate(t, rt, startWasm)
			forked := make(chan error, 1)
			h.run = func(m wago.HostModule, op, _, _ int32) int32 {
				if op == 9 {
					t.Error("the start section ran")
					return 2
				}
				_, err := h.manager.Fork(t.Context(), m)
				forked <- err
				return 0
			}
			go func() { _, _ = in.Invoke("call", 0) }()
			<-asked
			require.NoError(t, c.stop(rt, in))
			assert.ErrorIs(t, <-forked, c.want)
		})
	}
}

// gate is a plugin that holds managed instantiations back: it closes asked, and waits until a close has told everybody.
func gate(t *testing.T, asked, told chan struct{}) plug {
	var once sync.Once
	tell := func() { once.Do(func() { close(told) }) }
	return observerPlug("example.com/test/gate", func(r *wago.Registrar) error {
		i, err := r.InstanceInstantiateInterceptor()
		require.NoError(t, err)
		c, err := r.InstanceCloseObserver()
		require.NoError(t, err)
		o, err := r.RuntimeCloseObserver()
		require.NoError(t, err)
		return errors.Join(
			c.Before(func(wago.InstanceCloseEvent) { tell() }),
			o.Observe(func(wago.RuntimeCloseEvent) { tell() }),
			i.Before(func(q wago.InstantiationRequest) error {
				if q.Origin == wago.InstantiateManaged {
					close(asked)
					<-told
				}
				return nil
			}))
	})
}

func TestInvocationContextEndsWhenItsCallIsToEnd(t *testing.T) {
	boom := errors.New("boom")
	h := &host{}
	in := instantiate(t, newRuntime(t, nil, h.plug()), guestWasm)
	type key struct{}
	ctx, cancel := context.WithCancelCause(context.WithValue(context.Background(), key{}, "mine"))
	var after context.Context
	h.run = func(m wago.HostModule, _, _, _ int32) int32 {
		var err error
		after, err = h.callers.InvocationContext(m)
		require.NoError(t, err)
		assert.Equal(t, "mine", after.Value(key{}))
		assert.NoError(t, after.Err())
		cancel(boom)
		<-after.Done()
		return 0
	}
	_, err := in.InvokeContext(ctx, "call", 0, 0, 0)
	assertInterrupted(t, err, boom)
	assert.ErrorIs(t, context.Cause(after), boom)
}
