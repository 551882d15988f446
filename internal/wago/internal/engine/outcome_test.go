package engine_test

import (
	"errors"
	"io"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/engine"
)

// panics is a Host that panics with what the function makes.
func panics(value func() any) engine.Host {
	return hostFunc(func(*engine.Instance, int, []uint64, []uint64) { panic(value()) })
}

func TestWhatAHostFunctionPanicsWithDecidesTheError(t *testing.T) {
	own := errors.New("own")
	for _, tc := range []struct {
		name   string
		value  any
		reason engine.EndReason
		check  func(t *testing.T, err error)
	}{
		{"HostExit", engine.HostExit{Code: 3}, engine.EndExited, func(t *testing.T, err error) {
			require.Equal(t, &engine.ExitError{Code: 3}, err)
		}},
		{"HostExit with code 0", engine.HostExit{}, engine.EndExited, func(t *testing.T, err error) {
			require.Equal(t, &engine.ExitError{}, err)
		}},
		{"a pointer to HostExit", &engine.HostExit{Code: -1}, engine.EndExited, func(t *testing.T, err error) {
			require.Equal(t, &engine.ExitError{Code: -1}, err)
		}},
		{"HostTrap", engine.HostTrap{Err: own}, engine.EndAborted, func(t *testing.T, err error) {
			require.True(t, err == own, "the very error")
		}},
		{"a pointer to HostTrap", &engine.HostTrap{Err: io.EOF}, engine.EndAborted, func(t *testing.T, err error) {
			require.True(t, err == io.EOF)
		}},
		{"HostTrap without an error", engine.HostTrap{}, engine.EndAborted, func(t *testing.T, err error) {
			require.Equal(t, engine.ErrHostTrap, err)
		}},
		{"an error", own, engine.EndAborted, func(t *testing.T, err error) {
			require.ErrorIs(t, err, own)
			require.True(t, errorAs[*engine.HostPanicError](err))
		}},
		{"an error of the engine", &engine.ExitError{Code: 1}, engine.EndAborted, func(t *testing.T, err error) {
			var p *engine.HostPanicError
			require.ErrorAs(t, err, &p)
		}},
		{"any value", []int{1}, engine.EndAborted, func(t *testing.T, err error) {
			var p *engine.HostPanicError
			require.ErrorAs(t, err, &p)
			require.Equal(t, []int{1}, p.Value)
			require.Contains(t, string(p.Stack), "outcome_test.go")
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			i := open(t, "host", engine.Bindings{Host: panics(func() any { return tc.value })})
			results, err := i.Call(t.Context(), "call", []uint64{1})
			require.Nil(t, results)
			tc.check(t, err)

			_, again := i.Call(t.Context(), "count", nil)
			var ended *engine.EndedError
			require.ErrorAs(t, again, &ended)
			require.Equal(t, tc.reason, ended.Reason)
			require.Equal(t, err, ended.Cause)
		})
	}
}

func TestRuntimeErrorOfAHostFunctionIsReachable(t *testing.T) {
	i := open(t, "host", engine.Bindings{Host: hostFunc(
		func(_ *engine.Instance, _ int, params, _ []uint64) { _ = params[len(params)] })})
	_, err := i.Call(t.Context(), "call", []uint64{1})
	require.True(t, errorAs[*engine.HostPanicError](err))
	require.True(t, errorAs[runtime.Error](err))
}

func TestGoexitInAHostFunctionEndsTheInstanceAndLeavesNothingBehind(t *testing.T) {
	i := open(t, "host", engine.Bindings{Host: hostFunc(
		func(*engine.Instance, int, []uint64, []uint64) { runtime.Goexit() })})
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = i.Call(t.Context(), "call", []uint64{1})
		t.Error("the call returned")
	}()
	<-done
	var ended *engine.EndedError
	require.ErrorAs(t, i.EndError(), &ended)
	require.Equal(t, engine.EndAborted, ended.Reason)
	require.NoError(t, ended.Cause)
	_, err := i.Call(t.Context(), "count", nil)
	require.ErrorIs(t, err, engine.ErrInstanceEnded)
}

func TestMistakesOfTheCallerChangeNothing(t *testing.T) {
	i := open(t, "host", engine.Bindings{Host: silent})
	for _, tc := range []struct {
		name, export string
		args         []uint64
		want         error
	}{
		{"no such function", "nothing", nil, engine.ErrNoExport},
		{"a memory", "memory", nil, engine.ErrNoExport},
		{"too few", "call", nil, engine.ErrArity},
		{"too many", "count", []uint64{1}, engine.ErrArity},
		{"a vector is two", "vector", []uint64{1, 2}, engine.ErrArity},
		{"a forged reference", "take_reference", []uint64{1}, engine.ErrUnsupported},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := i.Call(t.Context(), tc.export, tc.args)
			require.ErrorIs(t, err, tc.want)
			require.False(t, i.Ended())
		})
	}
	got, err := i.Call(t.Context(), "take_reference", []uint64{0})
	require.NoError(t, err)
	require.Equal(t, []uint64{1}, got, "null may be passed")
}

func TestResultsBelongToTheCaller(t *testing.T) {
	i := open(t, "host", engine.Bindings{Host: silent})
	first, err := i.Call(t.Context(), "count", nil)
	require.NoError(t, err)
	_, err = i.Call(t.Context(), "count", nil)
	require.NoError(t, err)
	require.Equal(t, []uint64{1}, first)
}

func TestTrapErrorNamesTheInnermostGuestFunctions(t *testing.T) {
	i := open(t, "trap", engine.Bindings{})
	_, err := i.Call(t.Context(), "unreachable", nil)
	require.Regexp(t, `unreachable \(at .*inner.* < .*outer`, err.Error())

	_, err = open(t, "trap", engine.Bindings{}).Call(t.Context(), "recurse", []uint64{0})
	require.Less(t, len(err.Error()), 1000, "never the whole stack")
}
