package plugin_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/wago/plugin"
)

func never(t *testing.T) func(greeter) error {
	return func(greeter) error { t.Error("the callback ran"); return nil }
}

func TestAReferenceWorksFromTheCommitToTheEndOfTheConsumersStop(t *testing.T) {
	var ref *plugin.Ref[greeter]
	var inRegister, inStart, inStop error
	use := func() error { return ref.With(func(g greeter) error { _ = g.Greet(); return nil }) }
	rt := load(t, provider(providerID, nil), consumer(consumerID, wago.ContractRequired, func(r *wago.Registrar) (err error) {
		if ref, err = plugin.Require(r, contract); err != nil {
			return err
		}
		inRegister = ref.With(never(t))
		return r.Lifecycle(wago.PluginLifecycle{
			Start: func(context.Context) error { inStart = use(); return nil },
			Stop:  func(context.Context) error { inStop = use(); return nil },
		})
	}, providerID))
	require.NoError(t, use())
	require.NoError(t, rt.Close())
	assert.ErrorIs(t, inRegister, wago.ErrPermissionDenied)
	assert.NoError(t, inStart)
	assert.NoError(t, inStop)
	assert.ErrorIs(t, ref.With(never(t)), wago.ErrPermissionDenied)
}

func TestEnterLeasesTheValueUntilLeave(t *testing.T) {
	rt, ref := required(t, wago.PluginLifecycle{})
	for range 2 { // the first use looks at the value's type, later ones need not
		value, err := ref.Enter()
		require.NoError(t, err)
		require.NoError(t, ref.With(func(same greeter) error { assert.Equal(t, value, same); return nil }))
		ref.Leave()
	}
	require.NoError(t, rt.Close(), "nobody is inside any more")
	_, err := ref.Enter()
	require.ErrorIs(t, err, wago.ErrPermissionDenied)
	_, err = (*plugin.Ref[greeter])(nil).Enter()
	require.ErrorIs(t, err, wago.ErrInvalidArgument)
}

func TestACallbacksErrorIsReturnedUnchanged(t *testing.T) {
	_, ref := required(t, wago.PluginLifecycle{})
	boom := errors.New("boom")
	assert.Equal(t, boom, ref.With(func(greeter) error { return boom }))
}

func TestConcurrentAndNestedUseAreFine(t *testing.T) {
	_, ref := required(t, wago.PluginLifecycle{})
	const users = 8
	var all sync.WaitGroup
	all.Add(users)
	var done sync.WaitGroup
	for range users {
		done.Go(func() {
			assert.NoError(t, ref.With(func(greeter) error {
				all.Done()
				all.Wait() // all users are inside at once
				return ref.With(func(greeter) error { return nil })
			}))
		})
	}
	done.Wait()
}

func TestAPanicReleasesTheLease(t *testing.T) {
	rt, ref := required(t, wago.PluginLifecycle{})
	assert.Panics(t, func() { _ = ref.With(func(greeter) error { panic("mine") }) })
	require.NoError(t, rt.Close(), "the revocation found nobody inside")
}

func TestRevocationWaitsForTheLeaseAndRefusesNestedOnes(t *testing.T) {
	rt, ref := required(t, wago.PluginLifecycle{})
	inside, leave := make(chan struct{}), make(chan struct{})
	var nested error
	var user sync.WaitGroup
	user.Go(func() {
		assert.NoError(t, ref.With(func(g greeter) error {
			close(inside)
			<-leave
			nested = ref.With(never(t))
			assert.NotEmpty(t, g.Greet(), "the outer lease is live")
			return nil
		}))
	})
	<-inside
	closed := make(chan struct{})
	go func() { assert.NoError(t, rt.Close()); close(closed) }()
	require.Eventually(t, func() bool { return ref.With(func(greeter) error { return nil }) != nil }, 10*time.Second,
		time.Millisecond, "revocation began")
	select {
	case <-closed:
		t.Fatal("the close didn't wait for the lease")
	default:
	}
	close(leave)
	<-closed
	user.Wait()
	assert.ErrorIs(t, nested, wago.ErrPermissionDenied)
}

func TestRevokingOneConsumerLeavesTheOthers(t *testing.T) {
	refs := map[string]*plugin.Ref[greeter]{}
	late := make(chan error, 2)
	user := func(id string, lifecycle wago.PluginLifecycle) member {
		return consumer(id, wago.ContractRequired, func(r *wago.Registrar) (err error) {
			if refs[id], err = plugin.Require(r, contract); err != nil {
				return err
			}
			return r.Lifecycle(lifecycle)
		}, providerID)
	}
	// b is stopped and revoked before a's Stop runs.
	a, b := "example.com/user/a", "example.com/user/b"
	rt := load(t, provider(providerID, nil), user(b, wago.PluginLifecycle{}),
		user(a, wago.PluginLifecycle{Stop: func(context.Context) error {
			late <- refs[a].With(func(greeter) error { return nil })
			late <- refs[b].With(never(t))
			return nil
		}}))
	require.Equal(t, []string{a, b}, []string{rt.Plugins()[1].ID, rt.Plugins()[2].ID}, "lexical order of equals")
	require.NoError(t, rt.Close())
	assert.NoError(t, <-late)
	assert.ErrorIs(t, <-late, wago.ErrPermissionDenied)
}

func TestOptionalReferences(t *testing.T) {
	var ref *plugin.OptionalRef[greeter]
	register := func(r *wago.Registrar) (err error) { ref, err = plugin.Optional(r, contract); return err }
	t.Run("unbound", func(t *testing.T) {
		load(t, consumer(consumerID, wago.ContractOptional, register))
		require.NoError(t, ref.With(func(g greeter, bound bool) error {
			assert.Nil(t, g)
			assert.False(t, bound)
			return nil
		}))
	})
	t.Run("bound", func(t *testing.T) {
		rt := load(t, provider(providerID, nil), consumer(consumerID, wago.ContractOptional, register, providerID))
		require.NoError(t, ref.With(func(g greeter, bound bool) error {
			assert.Equal(t, name(providerID), g)
			assert.True(t, bound)
			return nil
		}))
		require.NoError(t, rt.Close())
		assert.ErrorIs(t, ref.With(func(greeter, bool) error { t.Error("ran"); return nil }), wago.ErrPermissionDenied)
	})
}

func TestManyReferencesKeepTheOrderOfTheBinding(t *testing.T) {
	var ref *plugin.ManyRef[greeter]
	ids := []string{"example.com/p/c", "example.com/p/a", "example.com/p/b"}
	rt := load(t, provider(ids[0], nil), provider(ids[1], nil), provider(ids[2], nil),
		consumer(consumerID, wago.ContractMany, func(r *wago.Registrar) (err error) {
			ref, err = plugin.Many(r, contract)
			return err
		}, ids...))
	for range 2 {
		require.NoError(t, ref.With(func(all []greeter) error {
			assert.Equal(t, []greeter{name(ids[0]), name(ids[1]), name(ids[2])}, all)
			clear(all) // the slice is ours
			return nil
		}))
	}
	require.NoError(t, rt.Close())
	assert.ErrorIs(t, ref.With(func([]greeter) error { t.Error("ran"); return nil }), wago.ErrPermissionDenied)
}

func TestNilReferencesAndCallbacksAreErrors(t *testing.T) {
	_, ref := required(t, wago.PluginLifecycle{})
	assert.ErrorIs(t, ref.With(nil), wago.ErrInvalidArgument)
	var none *plugin.Ref[greeter]
	assert.ErrorIs(t, none.With(never(t)), wago.ErrInvalidArgument)
	var noOptional *plugin.OptionalRef[greeter]
	assert.ErrorIs(t, noOptional.With(func(greeter, bool) error { return nil }), wago.ErrInvalidArgument)
	var noMany *plugin.ManyRef[greeter]
	assert.ErrorIs(t, noMany.With(func([]greeter) error { return nil }), wago.ErrInvalidArgument)
	assert.ErrorIs(t, new(plugin.Ref[greeter]).With(never(t)), wago.ErrInvalidArgument)
	_, err := plugin.Require(nil, contract)
	assert.ErrorIs(t, err, wago.ErrInvalidArgument)
	assert.ErrorIs(t, plugin.Provide[greeter](nil, contract, name("x")), wago.ErrInvalidArgument)
}

func TestWithAllocatesNothing(t *testing.T) {
	_, ref := required(t, wago.PluginLifecycle{})
	total := 0
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		_ = ref.With(func(g greeter) error { total++; return nil })
	}))
	assert.NotZero(t, total)
}

func TestContractNamesItself(t *testing.T) {
	assert.Equal(t, "example.com/greeter/service", contract.ID())
	assert.Equal(t, uint32(1), contract.Major())
	assert.Equal(t, wago.ContractSpec{ID: contract.ID(), Major: 1}, contract.Spec())
}

func BenchmarkRefWith(b *testing.B) {
	_, ref := required(b, wago.PluginLifecycle{})
	b.ReportAllocs()
	for b.Loop() {
		_ = ref.With(func(greeter) error { return nil })
	}
}
