package wago_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// invokers call env.run in a direct instance and in a managed one.
func invokers(t *testing.T, h *host, rt *wago.Runtime) map[string]func() error {
	in := instantiate(t, rt, guestWasm)
	child := forkOf(t, h, in)
	return map[string]func() error{
		"direct":  func() error { _, err := in.Invoke("call", 0, 0, 0); return err },
		"managed": func() error { return child.InvokeVoidTable(t.Context(), 0) },
	}
}

func TestAHostPanicEndsTheGuestsCallAndNamesTheFunction(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	for name, call := range invokers(t, h, rt) {
		t.Run(name, func(t *testing.T) {
			var none []int
			h.run = func(wago.HostModule, int32, int32, int32) int32 { return int32(none[3]) }
			err := call()
			assert.ErrorIs(t, err, wago.ErrCallbackPanic)
			var pe *wago.PanicError
			require.ErrorAs(t, err, &pe)
			assert.Equal(t, "example.com/test/host", pe.Plugin)
			assert.Equal(t, "host function env.run", pe.Where)
			assert.Contains(t, string(pe.Stack), "hostfailure_test.go")
			var re runtime.Error
			assert.ErrorAs(t, err, &re)
			assert.ErrorIs(t, call(), wago.ErrInstanceEnded)
		})
	}
}

func TestHostExitAndHostTrapDecideTheCallsError(t *testing.T) {
	boom := errors.New("boom")
	cases := map[string]struct {
		value any
		check func(*testing.T, error)
	}{
		"exit 3": {wago.HostExit{Code: 3}, func(t *testing.T, err error) {
			var exit *wago.ExitError
			require.ErrorAs(t, err, &exit)
			assert.Equal(t, int32(3), exit.Code)
		}},
		"exit 0": {wago.HostExit{}, func(t *testing.T, err error) {
			var exit *wago.ExitError
			require.ErrorAs(t, err, &exit)
			assert.Zero(t, exit.Code)
		}},
		"trap": {wago.HostTrap{Err: boom}, func(t *testing.T, err error) { assert.Equal(t, boom, err) }},
	}
	for name, c := range cases {
		h := &host{}
		rt := newRuntime(t, nil, h.plug())
		for kind, call := range invokers(t, h, rt) {
			t.Run(name+" "+kind, func(t *testing.T) {
				h.run = func(wago.HostModule, int32, int32, int32) int32 { panic(c.value) }
				c.check(t, call())
				assert.ErrorIs(t, call(), wago.ErrInstanceEnded)
			})
		}
	}
}

func TestGoexitInAHostFunctionEndsADirectCallOnly(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	in := instantiate(t, rt, guestWasm)
	var kept wago.HostModule
	h.run = func(m wago.HostModule, _, _, _ int32) int32 {
		kept = m
		runtime.Goexit()
		return 0
	}
	_, err := in.Invoke("call", 0, 0, 0)
	assert.ErrorIs(t, err, wago.ErrCallbackGoexit)
	h.refusesEverywhere(t, kept)
	_, err = in.Invoke("add", 1, 2)
	assert.ErrorIs(t, err, wago.ErrInstanceEnded)
	assert.NoError(t, in.Close())
}

func TestGoexitInAManagedEntryEndsItsGoroutineAndLeavesTheInstanceClosable(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	child := forkOf(t, h, instantiate(t, rt, guestWasm))
	h.run = func(wago.HostModule, int32, int32, int32) int32 { runtime.Goexit(); return 0 }
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = child.InvokeVoidTable(t.Context(), 0)
		t.Error("the goroutine went on")
	}()
	<-ended
	assert.ErrorIs(t, child.InvokeVoidTable(t.Context(), 0), wago.ErrInstanceEnded)
	assert.NoError(t, child.Close())
}

func TestGoexitInAForksStartSectionFailsTheForkAlone(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	h.run = func(wago.HostModule, int32, int32, int32) int32 { return 0 }
	in := instantiate(t, rt, startWasm)
	var forkErr error
	h.run = func(m wago.HostModule, op, _, _ int32) int32 {
		if op == 9 {
			runtime.Goexit()
		}
		_, forkErr = h.manager.Fork(t.Context(), m)
		return 3
	}
	res, err := in.Invoke("call", 0)
	require.NoError(t, err, "the creator's call goes on")
	assert.Equal(t, []uint64{3}, res)
	assert.ErrorIs(t, forkErr, wago.ErrCallbackGoexit)
}

func TestAnEmbeddersImportPanicsTheSameWay(t *testing.T) {
	rt := newRuntime(t, nil)
	in := instantiate(t, rt, guestWasm, wago.WithImports(wago.Imports{
		"env.run": func(wago.HostModule, []uint64, []uint64) { panic("mine") }}))
	_, err := in.Invoke("call", 0, 0, 0)
	var pe *wago.PanicError
	require.ErrorAs(t, err, &pe)
	assert.Equal(t, "mine", pe.Value)
	assert.Empty(t, pe.Plugin)
}

func TestAGuestsTrapEndsTheInstance(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	in := instantiate(t, rt, guestWasm)
	child := forkOf(t, h, in)
	var trap *wago.TrapError
	_, err := in.Invoke("trap")
	require.ErrorAs(t, err, &trap)
	assert.Equal(t, wago.TrapUnreachable, trap.Code)
	_, err = in.Invoke("add", 1, 2)
	assert.ErrorIs(t, err, wago.ErrInstanceEnded)
	require.ErrorAs(t, child.InvokeVoidTable(t.Context(), 2), &trap)
	assert.ErrorIs(t, child.InvokeVoidTable(t.Context(), 2), wago.ErrInstanceEnded)
}

func TestMistakesBeforeTheGuestRunsLeaveItUsable(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	in := instantiate(t, rt, guestWasm)
	_, err := in.Invoke("nobody")
	assert.ErrorIs(t, err, wago.ErrNoExport)
	_, err = in.Invoke("add", 1)
	assert.ErrorIs(t, err, wago.ErrArity)
	child := forkOf(t, h, in)
	for index := uint32(3); index < 7; index++ { // wrong type, null, out of range
		assert.Error(t, child.ValidateVoidTableEntry(index), "entry %d", index)
		assert.Error(t, child.InvokeVoidTable(t.Context(), index), "entry %d", index)
	}
	for index := range uint32(3) {
		assert.NoError(t, child.ValidateVoidTableEntry(index), "entry %d", index)
	}
	res, err := in.Invoke("add", 1, 2)
	require.NoError(t, err)
	assert.Equal(t, []uint64{3}, res)
	h.run = func(wago.HostModule, int32, int32, int32) int32 { return 1 }
	assert.NoError(t, child.InvokeVoidTable(t.Context(), 0))
}
