package engine_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
)

var errReason = errors.New("reason")

// wantInterrupted checks an error against the context that caused it.
func wantInterrupted(t *testing.T, ctx context.Context, err error) {
	t.Helper()
	require.ErrorIs(t, err, ctx.Err())
	require.ErrorIs(t, err, context.Cause(ctx))
	var trap *engine.TrapError
	require.ErrorAs(t, err, &trap)
	require.Equal(t, engine.TrapInterrupted, trap.Code)
}

// oddContext ends with an error of its own, which the contract of context.Context
// allows and wazero doesn't know.
type oddContext struct {
	context.Context
	err error
}

func (c oddContext) Err() error {
	if c.Context.Err() != nil {
		return c.err
	}
	return nil
}

func TestASpinningGuestEndsWithItsContext(t *testing.T) {
	for _, tc := range []struct {
		name string
		ctx  func() (context.Context, func())
	}{
		{"cancelled", func() (context.Context, func()) {
			return context.WithCancel(context.Background())
		}},
		{"cancelled with a cause", func() (context.Context, func()) {
			ctx, cancel := context.WithCancelCause(context.Background())
			return ctx, func() { cancel(errReason) }
		}},
		{"deadline", func() (context.Context, func()) {
			ctx, cancel := context.WithCancel(context.Background())
			return oddContext{ctx, context.DeadlineExceeded}, cancel
		}},
		{"an error of its own", func() (context.Context, func()) {
			ctx, cancel := context.WithCancel(context.Background())
			return oddContext{ctx, errReason}, cancel
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ctx, end := tc.ctx()
			defer end()
			i := open(t, "host", engine.Bindings{Host: hostFunc(
				func(*engine.Instance, int, []uint64, []uint64) { end() })})
			_, err := i.Call(ctx, "call_then_spin", []uint64{0})
			wantInterrupted(t, ctx, err)

			_, err = i.Call(t.Context(), "count", nil)
			var ended *engine.EndedError
			require.ErrorAs(t, err, &ended)
			require.Equal(t, engine.EndCancelled, ended.Reason)
		})
	}
}

func TestAContextThatHasEndedRunsNothing(t *testing.T) {
	i := open(t, "host", engine.Bindings{Host: silent})
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errReason)
	_, err := i.Call(ctx, "count", nil)
	wantInterrupted(t, ctx, err)
	wantInterrupted(t, ctx, i.CallVoidTable(ctx, 0))
	got, err := i.Call(t.Context(), "count", nil)
	require.NoError(t, err)
	require.Equal(t, []uint64{1}, got, "the instance lives, and counts from the start")
}

// The guest returns, but its context has ended by then: whether wazero noticed is
// chance, so the call is interrupted either way.
func TestAContextThatEndsBeforeTheGuestReturnsInterruptsTheCall(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	i := open(t, "host", engine.Bindings{Host: hostFunc(
		func(*engine.Instance, int, []uint64, []uint64) { cancel() })})
	_, err := i.Call(ctx, "call", []uint64{1})
	wantInterrupted(t, ctx, err)
	require.True(t, i.Ended())
}

func TestAContextThatEndsAfterTheCallHarmsNothing(t *testing.T) {
	i := open(t, "host", engine.Bindings{Host: silent})
	for n := range 1000 {
		ctx, cancel := context.WithCancel(context.Background())
		got, err := i.Call(ctx, "count", nil)
		cancel()
		require.NoError(t, err)
		require.Equal(t, []uint64{uint64(n + 1)}, got)
		if n%100 == 0 {
			runtime.Gosched()
		}
	}
	require.False(t, i.Ended())
}

func TestWhatAHostFunctionDecidedWinsOverTheContext(t *testing.T) {
	own := errors.New("own")
	ctx, cancel := context.WithCancel(context.Background())
	i := open(t, "host", engine.Bindings{Host: hostFunc(
		func(*engine.Instance, int, []uint64, []uint64) {
			cancel()
			panic(engine.HostTrap{Err: own})
		})})
	_, err := i.Call(ctx, "call", []uint64{1})
	require.True(t, err == own)
}

func TestANilContextIsBackground(t *testing.T) {
	i := open(t, "host", engine.Bindings{Host: silent})
	_, err := i.Call(nil, "count", nil) //nolint:staticcheck // that is the point
	require.NoError(t, err)
}
