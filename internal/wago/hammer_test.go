package wago_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// allowedEnd says how a call or fork may end in the middle of closes.
func allowedEnd(err error) bool {
	var trap *wago.TrapError
	return err == nil || errors.Is(err, wago.ErrInstanceClosed) || errors.Is(err, wago.ErrRuntimeClosed) ||
		errors.Is(err, wago.ErrInstanceEnded) || errors.Is(err, wago.ErrInstanceBusy) ||
		errors.Is(err, wago.ErrPermissionDenied) ||
		errors.As(err, &trap) && (trap.Code == wago.TrapInterrupted || trap.Code == wago.TrapUnreachable)
}

// hammer drives creators that fork, run, spin, trap and close children, all at once.
type hammer struct {
	t        *testing.T
	h        *host
	children sync.WaitGroup
	forks    atomic.Int64
}

// run is env.run: operation 1 forks, everything else is a step of a worker loop.
func (x *hammer) run(m wago.HostModule, op, a, _ int32) int32 {
	if op != 1 {
		return rand.Int32N(3)
	}
	child, err := x.h.manager.Fork(context.Background(), m)
	if err != nil {
		assert.True(x.t, allowedEnd(err), "fork: %v", err)
		return 0
	}
	x.forks.Add(1)
	x.children.Go(func() { x.live(child, uint32(a)) })
	return 1
}

// live is a child's life: an entry that loops, spins or traps, under a short context, closed from two sides.
func (x *hammer) live(child *wago.ManagedInstance, entry uint32) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rand.IntN(3000))*time.Microsecond)
	defer cancel()
	var closer sync.WaitGroup
	if rand.IntN(2) == 0 {
		closer.Go(func() { assert.NoError(x.t, child.Close()) })
	}
	err := child.InvokeVoidTable(ctx, entry)
	assert.True(x.t, allowedEnd(err), "entry: %v", err)
	assert.NoError(x.t, child.Close())
	closer.Wait()
}

func TestForkInvokeCloseHammer(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 3
	}
	for range rounds {
		h := &host{}
		x := &hammer{t: t, h: h}
		h.run = x.run
		rt := wago.NewRuntime()
		require.NoError(t, rt.LoadPlugins(context.Background(), set(t, h.plug())))
		m := compile(t, rt, guestWasm)
		var creators sync.WaitGroup
		begin := make(chan struct{})
		for range 4 {
			creators.Go(func() {
				<-begin
				for range 8 {
					x.create(rt, m)
				}
			})
		}
		close(begin)
		if rand.IntN(2) == 0 {
			eventually(t, func() bool { return x.forks.Load() > 10 })
		} else {
			creators.Wait()
		}
		require.NoError(t, rt.Close())
		creators.Wait()
		x.children.Wait()
		opened, closed := rt.Instances()
		require.Equal(t, opened, closed)
		require.NotZero(t, x.forks.Load())
	}
}

// create makes a creator that forks some children, from two goroutines, and closes it while they live.
func (x *hammer) create(rt *wago.Runtime, m *wago.Module) {
	in, err := rt.Instantiate(context.Background(), m)
	if err != nil {
		assert.True(x.t, allowedEnd(err), "instantiate: %v", err)
		return
	}
	var callers sync.WaitGroup
	for range 2 {
		callers.Go(func() {
			for range 4 {
				_, err := in.Invoke("call", 1, uint64(rand.IntN(3)), 0)
				assert.True(x.t, allowedEnd(err), "invoke: %v", err)
			}
		})
	}
	if rand.IntN(2) == 0 {
		callers.Wait()
	}
	assert.NoError(x.t, in.Close())
	callers.Wait()
}
