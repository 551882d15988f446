package wago_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

func TestAForkStartsFromTheModulesInitialState(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	in := instantiate(t, rt, guestWasm)
	_, err := in.Invoke("bump")
	require.NoError(t, err)
	_, err = in.Invoke("grow", 1)
	require.NoError(t, err)
	child := forkOf(t, h, in)
	fork := child.Instance()
	text, ok := fork.Read(16, 7)
	require.True(t, ok)
	assert.Equal(t, "initial", string(text), "memory is not the creator's")
	counter, err := fork.GlobalValue("counter")
	require.NoError(t, err)
	assert.Equal(t, wago.ValueI32(7), counter)
	assert.Equal(t, uint32(1), fork.Memory().Pages())
	assert.NotEqual(t, uint32(1), in.Memory().Pages())
}

func TestAForkHasAnIdentityOfItsOwnAndKnowsItsManager(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	in := instantiate(t, rt, guestWasm)
	child := forkOf(t, h, in)
	id := child.Identity()
	h.run = func(m wago.HostModule, _, _, _ int32) int32 {
		same, err := h.manager.ManagedCaller(m)
		require.NoError(t, err)
		assert.Same(t, child, same)
		caller, err := h.manager.CallerIdentity(m)
		require.NoError(t, err)
		assert.Equal(t, id, caller)
		return 1
	}
	require.NoError(t, child.InvokeVoidTable(t.Context(), 0))
	require.NoError(t, child.Close())
	require.NoError(t, child.Close(), "idempotent")
	assert.True(t, child.Identity().IsZero())
	assert.Nil(t, child.Instance())
	assert.ErrorIs(t, child.InvokeVoidTable(t.Context(), 0), wago.ErrInstanceClosed)
	assert.ErrorIs(t, child.InvokeVoidTable(t.Context(), 0), wago.ErrInvalidHandle)
	assert.Error(t, child.ValidateVoidTableEntry(0))
}

func TestAForkRunsTheStartSection(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	starts := 0
	var caller wago.InstanceIdentity
	h.run = func(m wago.HostModule, _, _, _ int32) int32 {
		starts++
		var err error
		caller, err = h.manager.CallerIdentity(m)
		require.NoError(t, err)
		return 0
	}
	in := instantiate(t, rt, startWasm)
	assert.Equal(t, 1, starts)
	var child *wago.ManagedInstance
	run := h.run
	h.run = func(m wago.HostModule, op, a, b int32) int32 {
		if op == 9 {
			return run(m, op, a, b)
		}
		var err error
		child, err = h.manager.Fork(t.Context(), m)
		require.NoError(t, err)
		return 0
	}
	_, err := in.Invoke("call", 0)
	require.NoError(t, err)
	assert.Equal(t, 2, starts)
	assert.Equal(t, child.Identity(), caller, "the start section calls as the fork")
}

func TestForksOfForksShareTheBindings(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	m := compile(t, rt, guestWasm)
	in, err := rt.Instantiate(t.Context(), m)
	require.NoError(t, err)
	require.NoError(t, m.Close(), "forks don't need the module open")
	child := forkOf(t, h, in)
	var grand *wago.ManagedInstance
	h.run = func(m wago.HostModule, _, _, _ int32) int32 {
		grand, err = h.manager.Fork(t.Context(), m)
		require.NoError(t, err)
		return 1
	}
	require.NoError(t, child.InvokeVoidTable(t.Context(), 0))
	require.NoError(t, child.Close())
	require.NoError(t, in.Close())
	calls := 0
	h.run = func(wago.HostModule, int32, int32, int32) int32 { calls++; return 1 }
	require.NoError(t, grand.InvokeVoidTable(t.Context(), 0))
	assert.Equal(t, 1, calls)
}

func TestManagerInstantiatesModulesItPaysFor(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	m := compile(t, rt, guestWasm)
	managed, err := h.manager.Instantiate(t.Context(), m)
	require.NoError(t, err)
	h.run = func(wago.HostModule, int32, int32, int32) int32 { return 1 }
	var none context.Context
	require.NoError(t, managed.InvokeVoidTable(none, 0))
	_, err = h.manager.Instantiate(t.Context(), nil)
	assert.ErrorIs(t, err, wago.ErrInvalidHandle)
	_, err = h.manager.Instantiate(t.Context(), compile(t, newRuntime(t, nil), startSpinWasm))
	assert.ErrorIs(t, err, wago.ErrForeignModule)
	imports := compile(t, rt, importsWasm)
	_, err = h.manager.Instantiate(t.Context(), imports, wago.WithImports(wago.Imports{
		"other.help": wago.HostFunc(func(wago.HostModule, []uint64, []uint64) {}), "env.constant": (*wago.Global)(nil)}))
	assert.ErrorIs(t, err, wago.ErrManagedImportLifetime)
	assert.ErrorIs(t, err, wago.ErrUnsupported)
}

// refusal is what Ceiling and the text of a refused fork say.
func refusal(t *testing.T, err error) (setting string, limit, wanted uint64) {
	t.Helper()
	assert.ErrorIs(t, err, wago.ErrPermissionDenied)
	var budget *wago.BudgetError
	require.ErrorAs(t, err, &budget)
	setting, limit, wanted = budget.Ceiling()
	assert.Contains(t, err.Error(), setting)
	return setting, limit, wanted
}

func TestTheBudgetBoundsForksAndComesBackWithTheRelease(t *testing.T) {
	cases := map[string]struct {
		grant         wago.AuthorityGrant
		wasm          []byte
		fits          int
		setting       string
		limit, wanted uint64
	}{
		"instances":           {grantManage(3, 64*mib), guestWasm, 3, "scope.maxInstances", 3, 4},
		"declared memory":     {grantManage(64, 5*65536), guestWasm, 2, "scope.maxMemoryBytes", 5 * 65536, 6 * 65536},
		"undeclared memory":   {grantManage(64, 30*65536), noMaxWasm, 3, "scope.maxMemoryBytes", 30 * 65536, 40 * 65536},
		"one that can't ever": {grantManage(64, 65536), guestWasm, 0, "scope.maxMemoryBytes", 65536, 2 * 65536},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h := &host{}
			p := h.plug()
			p.grants[1] = c.grant
			// A guest without a maximum is charged the runtime's limit.
			limit := wago.WithRuntimeConfig(wago.NewRuntimeConfig().WithMemoryLimitPages(10))
			in := instantiate(t, newRuntime(t, []wago.RuntimeOption{limit}, p), c.wasm)
			var children []*wago.ManagedInstance
			for range c.fits {
				children = append(children, forkOf(t, h, in))
			}
			_, err := tryFork(h, in)
			setting, lim, wanted := refusal(t, err)
			assert.Equal(t, []any{c.setting, c.limit, c.wanted}, []any{setting, lim, wanted})
			for _, child := range children {
				require.NoError(t, child.Close())
			}
			for range c.fits {
				forkOf(t, h, in)
			}
		})
	}
}

func TestTheBudgetIsKeptUntilTheInstanceIsReleased(t *testing.T) {
	h := &host{}
	p := h.plug()
	p.grants[1] = grantManage(1, mib)
	in := instantiate(t, newRuntime(t, nil, p), guestWasm)
	child := forkOf(t, h, in)
	inside, leave := make(chan struct{}), make(chan struct{})
	h.run = func(wago.HostModule, int32, int32, int32) int32 { close(inside); <-leave; return 1 }
	ended := make(chan error, 1)
	go func() { ended <- child.InvokeVoidTable(context.Background(), 0) }()
	<-inside
	closed := make(chan error, 1)
	go func() { closed <- child.Close() }()
	eventually(t, func() bool { return child.Identity().IsZero() })
	_, err := tryFork(h, in)
	refusal(t, err)
	close(leave)
	assert.Error(t, <-ended, "interrupted by the close")
	require.NoError(t, <-closed)
	forkOf(t, h, in)
}

func TestAFailedStartGivesTheBudgetBack(t *testing.T) {
	h := &host{}
	p := h.plug()
	p.grants[1] = grantManage(1, mib)
	h.run = func(wago.HostModule, int32, int32, int32) int32 { return 0 }
	in := instantiate(t, newRuntime(t, nil, p), startWasm)
	var errs []error
	h.run = func(m wago.HostModule, op, _, _ int32) int32 {
		if op == 9 {
			return 1 // trap
		}
		for range 3 {
			_, err := h.manager.Fork(t.Context(), m)
			errs = append(errs, err)
		}
		return 0
	}
	_, err := in.Invoke("call", 0)
	require.NoError(t, err)
	require.Len(t, errs, 3)
	for _, err := range errs {
		var trap *wago.TrapError
		require.ErrorAs(t, err, &trap)
		assert.Equal(t, wago.TrapUnreachable, trap.Code)
		assert.False(t, errors.Is(err, wago.ErrPermissionDenied))
	}
}
