package service_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

func TestACallersContextEnds(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(b *bench, worker pool.WorkerID)
		ends bool
	}{
		"when the worker is killed":      {func(b *bench, id pool.WorkerID) { require.NoError(b.T, b.Workers.Kill(id)) }, true},
		"when the pool is destroyed":     {func(b *bench, _ pool.WorkerID) { go func() { _ = b.Service.Destroy(b.id) }() }, true},
		"when the creator closes":        {func(b *bench, _ pool.WorkerID) { go func() { _ = b.owner.Close() }() }, true},
		"not when the worker is retired": {func(b *bench, _ pool.WorkerID) { require.NoError(b.T, b.Service.Drain(b.id)) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				gate, ended := make(chan struct{}), make(chan bool, 1)
				b := newBench(t, rig.Config{Bubble: true, Behaviour: func(w *rig.Worker, _ pool.Task) rig.Act {
					_ = w.Service().Complete(w.Caller, nil) // idle: it can be retired
					ended <- !w.Hold(gate)
					return rig.Next
				}}, pool.PoolOptions{})
				worker := b.give(1)
				synctest.Wait()
				c.end(b, worker)
				synctest.Wait()
				close(gate)
				assert.Equal(t, c.ends, <-ended)
			})
		})
	}
}

func TestAnOwnersContextEndsWhenItsInstanceCloses(t *testing.T) {
	b := newBench(t, rig.Config{}, pool.PoolOptions{})
	ctx, cancel, err := b.Service.CallerContext(b.owner.Caller)
	require.NoError(t, err)
	defer cancel()
	require.NoError(t, ctx.Err())
	require.NoError(t, b.owner.Close())
	within(t, testPatience, ctx.Done(), "the context")
	assert.Equal(t, pool.ErrCallerEnding, context.Cause(ctx))

	other := b.Owner()
	ctx, cancel, err = b.Service.CallerContext(other.Caller)
	require.NoError(t, err)
	cancel()
	cancel()
	assert.Equal(t, context.Canceled, ctx.Err())
}

func TestTheOwnerSizesItsPoolInAnyOfItsCalls(t *testing.T) {
	b := newBench(t, rig.Config{}, pool.PoolOptions{MaxWorkers: 3})
	b.owner.Leave()
	assert.ErrorIs(t, b.Service.Scale(b.owner.Caller, b.id, 3), workers.ErrInvalidWorkerCaller)
	assert.EqualValues(t, 1, b.stats().Live, "the pool lives as long as the instance")
	b.submit(1)
	b.quiet()
	b.owner = b.Back(b.owner)
	b.scale(3)
	assert.EqualValues(t, 3, b.stats().Live)
}

func TestAWorkerCanOwnAPoolThatEndsWithIt(t *testing.T) {
	inner := make(chan pool.PoolID, 1)
	gate := make(chan struct{})
	b := newBench(t, rig.Config{Behaviour: func(w *rig.Worker, task pool.Task) rig.Act {
		if task.Tag != 1 {
			return rig.Next
		}
		id, err := w.Service().Create(w.Caller, rig.EntryLoop, pool.PoolOptions{MinWorkers: 2})
		if err != nil {
			return rig.Exit(9)
		}
		inner <- id
		w.Hold(gate)
		return rig.Trap
	}}, pool.PoolOptions{})
	rec := record(b.Rig)
	b.submit(1)
	id := within(t, testPatience, inner, "the worker's pool")
	own := &bench{Rig: b.Rig, owner: b.owner, id: id}
	own.submit(11, 12)
	own.quiet()
	assert.Equal(t, pool.ErrPoolOwner, b.Service.Reconcile(b.owner.Caller, id))
	close(gate)
	ended := rec.await(pool.PoolDestroyed, 1)[0]
	assert.Equal(t, id, ended.Pool)
	assert.ErrorIs(t, ended.Err, workers.ErrWorkerParentClosed)
	assert.EqualValues(t, 2, ended.Final.Done)
	b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "trapped")
	assert.Equal(t, []pool.PoolID{b.id}, b.Service.List())
	var trap *wago.TrapError
	assert.True(t, errors.As(b.stats().LastExit.Err, &trap))
}
