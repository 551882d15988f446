package lease_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wago-org/wago/internal/lease"
)

func isDone(g *lease.Gate) bool {
	select {
	case <-g.Done():
		return true
	default:
		return false
	}
}

func TestNewGateRefuses(t *testing.T) {
	var g lease.Gate
	require.Equal(t, error(lease.ErrClosed), g.Enter())
	require.False(t, isDone(&g))
}

func TestARefusedEnterLeavesNoTrace(t *testing.T) {
	var g lease.Gate
	require.ErrorIs(t, g.Enter(), lease.ErrClosed)
	g.Open()
	g.Close()
	require.True(t, isDone(&g))
}

func TestAnyNumberMayBeInside(t *testing.T) {
	var g lease.Gate
	require.True(t, g.Open())
	for range 1000 {
		require.NoError(t, g.Enter())
	}
	for range 1000 {
		g.Leave()
	}
	require.NoError(t, g.Enter(), "leaving doesn't close")
}

func TestOpenTwiceIsOpenOnce(t *testing.T) {
	var g lease.Gate
	require.True(t, g.Open())
	require.True(t, g.Open())
	g.Close()
	require.True(t, isDone(&g))
}

func TestGateNeverReopens(t *testing.T) {
	var g lease.Gate
	g.Open()
	require.NoError(t, g.Enter())
	g.Close()
	require.False(t, g.Open(), "closing")
	require.ErrorIs(t, g.Enter(), lease.ErrClosed)
	g.Leave()
	require.False(t, g.Open(), "closed")
	require.ErrorIs(t, g.Enter(), lease.ErrClosed)
}

func TestCloseBeforeOpenIsFinal(t *testing.T) {
	var g lease.Gate
	g.Close()
	require.True(t, isDone(&g))
	require.False(t, g.Open())
	require.ErrorIs(t, g.Enter(), lease.ErrClosed)
}

func TestNestedEnterFailsOnceClosing(t *testing.T) {
	var g lease.Gate
	g.Open()
	require.NoError(t, g.Enter())
	require.NoError(t, g.Enter(), "nested, while open")
	g.Close()
	require.ErrorIs(t, g.Enter(), lease.ErrClosed)
	g.Leave()
	require.False(t, isDone(&g), "one is still inside")
	g.Leave()
	require.True(t, isDone(&g))
}

func TestWaitReturnsWhenTheLastOneLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g lease.Gate
		g.Open()
		require.NoError(t, g.Enter())
		require.NoError(t, g.Enter())
		returned := false
		go func() {
			require.NoError(t, g.Wait(t.Context()))
			returned = true
		}()
		for _, step := range []func(){func() {}, g.Close, g.Leave} {
			step()
			synctest.Wait()
			require.False(t, returned)
		}
		g.Leave()
		synctest.Wait()
		require.True(t, returned)
	})
}

func TestWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g lease.Gate
		g.Open()
		require.NoError(t, g.Enter())
		g.Close()
		ctx, cancel := context.WithCancelCause(t.Context())
		var err error
		go func() { err = g.Wait(ctx) }()
		synctest.Wait()
		require.NoError(t, err)
		cancel(errors.New("cause"))
		synctest.Wait()
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, g.Enter(), lease.ErrClosed, "giving up changes nothing")

		g.Leave()
		require.NoError(t, g.Wait(ctx), "closed counts more than the end of the context")
	})
}

func TestLeaveWithoutEnterPanics(t *testing.T) {
	for name, step := range map[string]func(*lease.Gate){
		"new":    func(*lease.Gate) {},
		"closed": func(g *lease.Gate) { g.Close() },
		"opened and closed": func(g *lease.Gate) {
			g.Open()
			g.Close()
		},
	} {
		var g lease.Gate
		step(&g)
		require.Panics(t, g.Leave, name)
		before := g.Enter()
		if before == nil {
			g.Leave()
		}
		g.Close()
		require.True(t, isDone(&g), "%s: the gate still works", name)
	}
}

func TestEnterAndLeaveAllocateNothing(t *testing.T) {
	var g lease.Gate
	require.Zero(t, testing.AllocsPerRun(100, func() { _ = g.Enter() }), "refused")
	g.Open()
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if g.Enter() == nil {
			g.Leave()
		}
	}))
}

// Any sequence of calls answers as the rules in the package's documentation say.
func TestGateFollowsItsRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g lease.Gate
		opened, closed, inside := false, false, 0
		t.Repeat(map[string]func(*rapid.T){
			"Enter": func(t *rapid.T) {
				err := g.Enter()
				require.Equal(t, opened && !closed, err == nil)
				if err == nil {
					inside++
				}
			},
			"Leave": func(t *rapid.T) {
				if inside == 0 {
					t.Skip("nobody inside")
				}
				g.Leave()
				inside--
			},
			"Open": func(t *rapid.T) {
				require.Equal(t, !closed, g.Open())
				opened = opened || !closed
			},
			"Close": func(t *rapid.T) {
				g.Close()
				closed = true
			},
			"": func(t *rapid.T) { require.Equal(t, closed && inside == 0, isDone(&g)) },
		})
	})
}

func BenchmarkEnterLeave(b *testing.B) {
	var g lease.Gate
	g.Open()
	b.ReportAllocs()
	for b.Loop() {
		if g.Enter() == nil {
			g.Leave()
		}
	}
}

func BenchmarkEnterLeaveParallel(b *testing.B) {
	var g lease.Gate
	g.Open()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if g.Enter() == nil {
				g.Leave()
			}
		}
	})
}
