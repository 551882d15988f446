package service_test

import (
	"math"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPC11ScaleIsClampedIntoTheBand(t *testing.T) {
	for _, c := range []struct{ asked, got uint32 }{{0, 2}, {1, 2}, {6, 5}, {math.MaxUint32, 5}} {
		b := newBench(t, rig.Config{}, pool.PoolOptions{MinWorkers: 2, MaxWorkers: 5})
		b.scale(3)
		require.EqualValues(t, 3, b.stats().Live)
		b.scale(c.asked)
		stats := b.settle()
		assert.Equal(t, c.got, stats.Live, "Scale(%d)", c.asked)
		assert.EqualValues(t, c.got, b.LiveWorkers())
	}
}

func TestPC11ScalingByManyStaysInTheBandAndLosesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t, rig.Config{}, pool.PoolOptions{MinWorkers: 2, MaxWorkers: 5, Worker: pool.WorkerOptions{QueueCapacity: 256}})
	over := make(chan struct{})
	var scaling, others sync.WaitGroup
	var tag atomic.Uint64
	for i := range 8 {
		scaling.Go(func() {
			for n := range size(500, 50) {
				assert.NoError(t, b.Service.Scale(b.owner.Caller, b.id, [2]uint32{2, 5}[(i+n)%2]))
			}
		})
	}
	others.Go(func() {
		for !closed(over) {
			_, err := b.Service.SubmitWait(t.Context(), b.id, pool.Task{Tag: tag.Add(1)})
			assert.NoError(t, err)
		}
	})
	others.Go(func() {
		for !closed(over) {
			stats := b.stats()
			assert.GreaterOrEqual(t, stats.Live, uint32(2))
			assert.LessOrEqual(t, stats.Live, uint32(5))
			assert.LessOrEqual(t, b.LiveWorkers(), 5)
		}
	})
	scaling.Wait()
	close(over)
	others.Wait()
	for _, last := range []uint32{2, 4} {
		b.scale(last)
		assert.Equal(t, last, b.settle().Live)
	}
	stats := b.quiet()
	assert.Equal(t, tag.Load(), stats.Done)
	assert.Equal(t, span(1, tag.Load()), b.Finished())
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestACordonedWorkerIsTakenBackBeforeOneIsForked(t *testing.T) {
	gate := make(chan struct{})
	b := newBench(t, rig.Config{Behaviour: rig.HoldUntil(gate)}, pool.PoolOptions{MinWorkers: 1, MaxWorkers: 4})
	b.scale(4)
	before := b.workers()
	b.submit(span(1, 4)...)
	b.running(4)
	b.scale(1)
	stats := b.stats()
	assert.EqualValues(t, 1, stats.Live)
	assert.Len(t, stats.Workers, 4, "busy workers are cordoned, not stopped")
	spawned := b.Spawned()
	b.scale(4)
	assert.Equal(t, before, b.workers())
	assert.EqualValues(t, 4, b.stats().Live)
	assert.Equal(t, spawned, b.Spawned())
	close(gate)
	b.quiet()
}

func TestACordonedWorkerGetsNoTask(t *testing.T) {
	gate := make(chan struct{})
	b := newBench(t, rig.Config{Behaviour: rig.HoldUntil(gate)}, pool.PoolOptions{MinWorkers: 1, MaxWorkers: 3})
	b.scale(3)
	b.submit(1, 2, 3)
	b.running(3)
	b.scale(1)
	only := pool.WorkerID(0)
	for tag := range uint64(10) {
		worker := b.give(10 + tag)
		require.True(t, only == 0 || worker == only)
		only = worker
	}
	close(gate)
	stats := b.quiet()
	b.until(func(s pool.PoolStats) bool { return s.Exited == 2 }, "the others are retired when they are idle")
	assert.Zero(t, stats.Dropped+stats.FailedTasks)
	assert.Equal(t, []pool.WorkerID{only}, b.workers())
}

func TestAnIdleWorkerIsRetiredWithoutBeingInterrupted(t *testing.T) {
	b := newBench(t, rig.Config{}, pool.PoolOptions{MinWorkers: 1, MaxWorkers: 4})
	rec := record(b.Rig)
	b.scale(4)
	b.scale(1)
	b.until(func(s pool.PoolStats) bool { return s.Exited == 3 }, "retired")
	for _, e := range rec.await(pool.PoolWorkerRemoved, 3) {
		assert.NoError(t, e.Err)
	}
	assert.Zero(t, b.stats().Restarted, "nobody replaces them")
	assert.Zero(t, b.stats().Failed)
}

func TestAWorkerIsRetiredAfterCompleteBeforeItComesBack(t *testing.T) {
	gate := make(chan struct{})
	b := newBench(t, rig.Config{Behaviour: func(w *rig.Worker, _ pool.Task) rig.Act {
		_ = w.Service().Complete(w.Caller, nil)
		w.Hold(gate)
		return rig.Next
	}}, pool.PoolOptions{Strategy: pool.LeastLoaded, MinWorkers: 1, MaxWorkers: 2})
	b.scale(2)
	b.submit(1, 2)
	b.until(func(s pool.PoolStats) bool { return s.Done == 2 && s.Running == 0 }, "completed")
	b.scale(1)
	assert.Len(t, b.stats().Workers, 1, "one is told to stop while it is still busy with itself")
	close(gate)
	b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "retired")
}
