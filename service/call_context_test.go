package service_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/JairusSW/pool/service"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// waitingPlaces are the places in which a Call can be when its context ends: each makes a pool in which the next Call gets
// there and stays, and says whether its task is accepted by then.
var waitingPlaces = map[string]struct {
	pool     func(t *testing.T) *bench
	accepted bool
}{
	"for room": {func(t *testing.T) *bench {
		b, _ := bubblePacked(t, 1, pool.PoolOptions{})
		return b
	}, false},
	"for the chosen worker": {func(t *testing.T) *bench {
		b, _ := bubblePacked(t, 2, pool.PoolOptions{Overflow: pool.OverflowReject})
		return b
	}, false},
	"for the chosen worker, where submits are shed": {func(t *testing.T) *bench {
		b, _ := bubblePacked(t, 2, pool.PoolOptions{Overflow: pool.OverflowShed})
		return b
	}, false},
	"behind another": {func(t *testing.T) *bench {
		b, _ := bubblePacked(t, 1, pool.PoolOptions{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		t.Cleanup(cancel)
		b.wait(ctx, pool.Task{Tag: 8})
		return b
	}, false},
	"for a worker": {func(t *testing.T) *bench {
		b := newBench(t, rig.Config{Bubble: true}, pool.PoolOptions{})
		b.kill(b.workers()[0])
		return b
	}, false},
	"in a pool that has no workers yet": {func(t *testing.T) *bench {
		return newBench(t, rig.Config{Bubble: true}, pool.PoolOptions{MinWorkers: pool.NoWorkers, MaxWorkers: 1, TargetPerWorker: 1})
	}, true},
	"parked": {func(t *testing.T) *bench {
		b, _ := bubblePacked(t, 2, pool.PoolOptions{})
		b.kill(b.workers()[0])
		return b
	}, true},
	"in a mailbox": {func(t *testing.T) *bench {
		b, _ := newShutBench(t, rig.Config{Bubble: true}, pool.PoolOptions{})
		return b
	}, true},
	"in a guest's hand": {func(t *testing.T) *bench {
		return newBench(t, rig.Config{Bubble: true, Behaviour: rig.HoldUntil(never)}, pool.PoolOptions{})
	}, true},
	"in the hand of a guest that does not look at its context": {func(t *testing.T) *bench {
		gate := make(chan struct{})
		b := newBench(t, rig.Config{Bubble: true, Behaviour: func(w *rig.Worker, _ pool.Task) rig.Act {
			w.HoldOn(gate)
			return rig.Next
		}}, pool.PoolOptions{})
		t.Cleanup(func() { close(gate) }) // before the rig's, which waits for the guest
		return b
	}, true},
}

// TestQ3ACallIsBackTheMomentItsContextEndsWhereverItIs has a clock of its own: late by a nanosecond would be late.
func TestQ3ACallIsBackTheMomentItsContextEndsWhereverItIs(t *testing.T) {
	for name, place := range waitingPlaces {
		for how, limited := range map[string]func() (context.Context, context.CancelFunc){
			"deadline": func() (context.Context, context.CancelFunc) {
				return context.WithTimeout(context.Background(), time.Second)
			},
			"cancel": func() (context.Context, context.CancelFunc) {
				ctx, cancel := context.WithCancel(context.Background())
				time.AfterFunc(time.Second, cancel)
				return ctx, cancel
			},
		} {
			t.Run(name+", "+how, func(t *testing.T) {
				inBubble(t, func(t *testing.T) {
					b := place.pool(t)
					begun := time.Now()
					ctx, cancel := limited()
					defer cancel()
					_, err := b.Service.Call(ctx, b.id, pool.Task{Tag: 9})
					assert.Equal(t, time.Second, time.Since(begun))
					require.ErrorIs(t, err, ctx.Err())
					var ended *pool.TaskError
					require.Equal(t, place.accepted, errors.As(err, &ended), "accepted: %v", err)
					if place.accepted {
						assert.True(t, ended.Pending)
					}
					synctest.Wait()
					b.Service.Check(t, b.stats())
				})
			})
		}
	}
}

// A wait whose context ends just before its task does is over all the same. Its channel is used again by a later Call, and must be
// empty then.
func TestACallThatEndsWithItsContextLeavesNothingForTheNext(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // the waiter comes to know of both at once
	for range 100 {
		inBubble(t, func(t *testing.T) {
			wait, finish, left := service.NewWait()
			ctx, cancel := context.WithCancel(t.Context())
			over := async(func() bool { return wait(ctx) })
			synctest.Wait() // it sleeps
			cancel()
			finish()
			require.True(t, <-over)
			require.Zero(t, left())
		})
	}
}

// Who gives up leaves its channel to the one who finishes, and it is used by nobody else.
func TestACallThatGaveUpDoesNotWakeTheNext(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, rig.Config{Bubble: true, Behaviour: func(w *rig.Worker, _ pool.Task) rig.Act {
			time.Sleep(time.Second)
			_ = w.Service().Complete(w.Caller, []byte("done"))
			return rig.Next
		}}, pool.PoolOptions{})
		for range 100 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
			_, err := b.Service.Call(ctx, b.id, pool.Task{Tag: 1})
			cancel()
			require.ErrorIs(t, err, context.DeadlineExceeded)
			begun := time.Now()
			result, err := b.Service.Call(t.Context(), b.id, pool.Task{Tag: 2})
			require.NoError(t, err)
			require.Equal(t, "done", string(result))
			require.Equal(t, 3*time.Second/2, time.Since(begun))
		}
	})
}
