package service_test

import (
	"context"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPC25AGuestThatNeverComesBack(t *testing.T) {
	t.Parallel()
	r := rig.New(t, rig.Config{Behaviour: rig.ActOn(rig.Spin, 9)})
	b := &bench{Rig: r}
	b.create(pool.PoolOptions{MinWorkers: 3, Worker: pool.WorkerOptions{QueueCapacity: 16}})
	b.submit(9)
	b.submit(span(101, 130)...)
	b.until(func(s pool.PoolStats) bool { return s.Done == 20 }, "the others do theirs")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	begun := time.Now()
	err := within(t, 5*time.Second, async(func() error { return b.Service.DrainWait(ctx, b.id) }), "DrainWait")
	assert.ErrorIs(t, err, pool.ErrPoolNotDrained)
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	assert.InDelta(t, time.Second.Seconds(), time.Since(begun).Seconds(), 0.5*slack)
	stats := b.stats()
	assert.EqualValues(t, 1, stats.Running)
	assert.EqualValues(t, 10, stats.Queued)
	assert.True(t, stats.Draining)
	require.NoError(t, within(t, 5*time.Second, async(func() error { return b.Service.Destroy(b.id) }), "Destroy"))
	assert.Zero(t, b.LiveWorkers())
	final := b.finalOf(b.id)
	assert.EqualValues(t, 11, final.FailedTasks+final.Dropped)
}

func TestDestroyGivesUpOnAWorkerInsideAHostFunction(t *testing.T) {
	t.Parallel()
	inside, resume := make(chan struct{}), make(chan struct{})
	b := newBench(t, rig.Config{Behaviour: func(*rig.Worker, pool.Task) rig.Act {
		close(inside)
		<-resume // Go code is never interrupted
		return rig.Next
	}}, pool.PoolOptions{MinWorkers: 2})
	b.submit(1)
	<-inside
	rec := record(b.Rig)
	err := within(t, 5*time.Second, async(func() error { return b.Service.Destroy(b.id) }), "Destroy")
	require.ErrorIs(t, err, pool.ErrPoolWorkersRemain)
	assert.Equal(t, pool.ErrPoolNotFound, b.Service.Destroy(b.id), "gone for callers")
	assert.Equal(t, 1, b.LiveWorkers())
	assert.Zero(t, rec.count(pool.PoolDestroyed), "not while a worker is left")
	close(resume)
	rec.await(pool.PoolDestroyed, 1)
	assert.Zero(t, b.LiveWorkers())
	final := b.finalOf(b.id)
	assert.EqualValues(t, 1, final.FailedTasks, "the verdict was given at the call")
	assert.Zero(t, final.Done)
}
