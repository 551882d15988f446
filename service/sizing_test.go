package service_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bubbleBudget is budget in a bubble.
func bubbleBudget(runnable string, behave rig.Behaviour) rig.Config {
	config := budget(runnable)
	config.Bubble, config.Behaviour = true, behave
	return config
}

// oneByOne has each task held until it gets a token.
func oneByOne(tokens <-chan struct{}) rig.Behaviour { return rig.HoldUntil(tokens) }

func TestPC11AnElasticPoolGrowsToItsMaximum(t *testing.T) {
	b, _ := newShutBench(t, budget("32"), pool.PoolOptions{
		MinWorkers: 2, MaxWorkers: 5, TargetPerWorker: 1, Worker: pool.WorkerOptions{QueueCapacity: 1000},
	})
	b.scale(3)
	b.submit(span(1, 1000)...)
	stats := b.settle()
	assert.EqualValues(t, 5, stats.Live)
	assert.Equal(t, 5, b.LiveWorkers())
}

func TestPC21NoiseAtABoundaryChangesTheSizeOnce(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		tokens := make(chan struct{})
		b := newBench(t, bubbleBudget("32", oneByOne(tokens)), pool.PoolOptions{MaxWorkers: 20, TargetPerWorker: 4})
		rec := record(b.Rig)
		b.submit(span(1, 16)...)
		var sizes []uint32
		for n := range 200 {
			if n%2 == 0 {
				tokens <- struct{}{}
				synctest.Wait()
			} else {
				b.submit(uint64(100 + n))
			}
			b.reconcile()
			sizes = append(sizes, b.stats().Live)
		}
		turns, up := 0, true
		for i := range sizes[1:] {
			if sizes[i+1] != sizes[i] && (sizes[i+1] > sizes[i]) != up {
				turns, up = turns+1, !up
			}
		}
		assert.LessOrEqual(t, turns, 2, "%v", sizes)
		assert.LessOrEqual(t, b.Spawned(), 6)
		for _, size := range sizes[2:] {
			assert.Contains(t, []uint32{4, 5}, size)
		}
		rec.awaitAll()
		for _, e := range rec.of(pool.PoolScaled) {
			assert.Equal(t, pool.ReasonLoad, e.Reason)
			assert.NotEqual(t, e.From, e.To)
		}
		close(tokens)
		b.quiet()
	})
}

func TestPC21StepsAreExact(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		tokens := make(chan struct{})
		b := newBench(t, bubbleBudget("32", oneByOne(tokens)), pool.PoolOptions{MaxWorkers: 20, TargetPerWorker: 4})
		given := uint64(0)
		for _, step := range []struct{ outstanding, workers uint64 }{{37, 10}, {41, 11}, {80, 20}, {81, 20}} {
			b.submit(span(given+1, step.outstanding)...)
			given = step.outstanding
			assert.EqualValues(t, step.workers, b.settle().Live, "%d outstanding", step.outstanding)
		}
		close(tokens)
		b.quiet()
		assert.EqualValues(t, 20, b.stats().Live, "a lower size has to hold")
		low := uint32(20)
		for range 60 {
			time.Sleep(100 * time.Millisecond)
			b.reconcile()
			stats := b.stats()
			assert.GreaterOrEqual(t, stats.Live, uint32(1))
			assert.LessOrEqual(t, stats.Live, low)
			low = stats.Live
		}
		assert.EqualValues(t, 1, b.settle().Live, "after the delay")
	})
}

func TestPC21WorkersOnTheirWayOutAreNotCurrent(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		gate := make(chan struct{})
		b, gates := newGatedBench(t, bubbleBudget("32", func(w *rig.Worker, task pool.Task) rig.Act {
			if task.Tag == 99 { // idle for routing, but not back yet
				_ = w.Service().Complete(w.Caller, nil)
				w.HoldOn(gate)
			}
			return rig.Next
		}), pool.PoolOptions{MaxWorkers: 20, TargetPerWorker: 4})
		b.submit(span(1, 37)...)
		require.EqualValues(t, 10, b.settle().Live)
		n, err := b.Service.Broadcast(b.id, 99, nil)
		require.NoError(t, err)
		require.Equal(t, 10, n)
		gates.Open()
		b.quiet()
		time.Sleep(6 * time.Second)
		synctest.Wait()
		stats := b.stats()
		require.EqualValues(t, 1, stats.Live, "shrinking needs no caller")
		require.Equal(t, 10, b.LiveWorkers(), "nine are on their way out")
		b.submit(span(201, 220)...)
		for range 5 {
			b.reconcile()
		}
		assert.EqualValues(t, 5, b.stats().Live)
		assert.Equal(t, 14, b.LiveWorkers())
		close(gate)
		b.quiet()
	})
}

// sharing is two elastic pools with one budget of 10.
func sharing(t *testing.T, config rig.Config) (a, b *bench, gates *rig.Gates) {
	t.Helper()
	r := rig.New(t, config)
	gates = r.ShutGates()
	a, b = &bench{Rig: r}, &bench{Rig: r}
	opts := pool.PoolOptions{MaxWorkers: 10, TargetPerWorker: 4, Worker: pool.WorkerOptions{QueueCapacity: 1000}}
	a.create(opts)
	opts.MaxWorkers = 5
	b.create(opts)
	return a, b, gates
}

func TestPC22OneBusyPoolDoesNotStarveTheOther(t *testing.T) {
	a, b, gates := sharing(t, budget("10"))
	a.submit(span(1, 1000)...)
	a.reconcile()
	assert.EqualValues(t, 9, a.stats().Live, "the other has its floor")
	for _, id := range a.workers()[1:] {
		gates.OpenFor(id) // they have nothing to do and wait in DispatchNext; everything lies in the first mailbox
	}
	b.submit(span(2001, 2020)...)
	limited := false
	for range 50 {
		a.reconcile()
		b.reconcile()
		assert.LessOrEqual(t, a.LiveWorkers(), 10)
		assert.GreaterOrEqual(t, b.stats().Live, uint32(1))
		limited = limited || a.stats().Limited || b.stats().Limited
	}
	assert.True(t, limited, "that the budget is short is to be seen")
	b.Eventually(func() bool {
		a.reconcile()
		b.reconcile()
		return b.stats().Live == 5 && a.stats().Live == 5
	}, "each has its share while both want more")
	assert.True(t, a.stats().Limited)
	gates.OpenFor(a.workers()[0])
	a.quiet()
	b.reconcile()
	assert.EqualValues(t, 5, b.stats().Live, "when the other's load has ended")
	gates.Open()
	b.quiet()
	b.Eventually(func() bool { return b.LiveWorkers() == b.expected() }, "nobody is on the way out")
	require.NoError(t, a.Service.Destroy(a.id))
	assert.NoError(t, b.Service.Scale(b.owner.Caller, b.id, 5))
	assert.EqualValues(t, 5, b.stats().Live)
}

func TestPC22WhatOnePoolLeavesTheOtherGets(t *testing.T) {
	a, b, gates := sharing(t, budget("10"))
	a.submit(span(1, 1000)...)
	a.reconcile()
	gates.Open()
	a.quiet()
	gates = a.ShutGates()
	worker := b.workers()[0]
	b.submit(span(2001, 2021)...)
	b.until(func(s pool.PoolStats) bool { return s.Running+s.Done >= 1 }, "the one that waited takes one")
	b.Eventually(func() bool { b.reconcile(); return b.stats().Live == 5 }, "its size")
	assert.LessOrEqual(t, a.LiveWorkers(), 10)
	assert.Contains(t, b.workers(), worker)
	gates.Open()
	b.quiet()
}

func TestPC22SpawnsOnTheirWayCount(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b, gates := newGatedBench(t, bubbleBudget("10", nil), pool.PoolOptions{MaxWorkers: 10, TargetPerWorker: 4})
		b.submit(span(1, 40)...)
		b.OnSpawn(func(int) error {
			time.Sleep(300 * time.Millisecond)
			return nil
		})
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() { assert.NoError(t, b.Service.Reconcile(b.owner.Caller, b.id)) })
		}
		over := make(chan struct{})
		var sampling sync.WaitGroup
		sampling.Go(func() {
			for !closed(over) {
				assert.LessOrEqual(t, b.LiveWorkers(), 10)
				time.Sleep(10 * time.Millisecond)
			}
		})
		all.Wait()
		close(over)
		sampling.Wait()
		b.settle()
		assert.Equal(t, 10, b.Spawned(), "one was there")
		for range 10 {
			b.reconcile()
			assert.EqualValues(t, 10, b.stats().Live)
		}
		assert.Zero(t, b.stats().Exited)
		gates.Open()
		b.quiet()
	})
}

func TestPC22AFullTotalRefusesANewPoolAndTouchesNoOther(t *testing.T) {
	a, b, gates := sharing(t, rig.Config{Settings: map[string]string{
		pool.PluginID: `{"maxWorkersPerPool":10,"maxTotalWorkers":10,"runnableWorkers":20}`,
	}})
	a.submit(span(1, 1000)...)
	a.reconcile()
	require.EqualValues(t, 9, a.stats().Live)
	require.EqualValues(t, 1, b.stats().Live)
	beforeA, beforeB, spawned := a.workers(), b.workers(), a.Spawned()
	_, err := a.Service.Create(a.owner.Caller, rig.EntryLoop, pool.PoolOptions{MinWorkers: 2})
	assert.Equal(t, pool.ErrPoolWorkerLimit, err)
	assert.Equal(t, spawned, a.Spawned())
	assert.Equal(t, beforeA, a.workers())
	assert.Equal(t, beforeB, b.workers())
	gates.Open()
	a.quiet()
}

func TestPC25ATaskDeadlineFreesItsWorkerAndHitsNoOtherTask(t *testing.T) {
	t.Parallel()
	b := newBench(t, rig.Config{Behaviour: rig.ActOn(rig.Spin, 9)}, pool.PoolOptions{
		MinWorkers: 3, TaskTimeout: 500 * time.Millisecond, Worker: pool.WorkerOptions{QueueCapacity: 16},
	})
	rec := record(b.Rig)
	b.submit(9)
	b.submit(span(101, 130)...)
	b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "the verdict")
	b.settle()
	b.quiet()
	b.submit(span(201, 230)...)
	stats := b.quiet()
	assert.EqualValues(t, 1, stats.FailedTasks)
	assert.EqualValues(t, 1, stats.Restarted)
	assert.EqualValues(t, 3, stats.Live)
	assert.Equal(t, append(span(101, 130), span(201, 230)...), b.Finished())
	assert.ErrorIs(t, stats.LastExit.Err, pool.ErrTaskTimeout)
	rec.awaitAll()
	failed := rec.of(pool.PoolTaskFailed)
	require.Len(t, failed, 1)
	assert.EqualValues(t, 9, failed[0].Tag)
	assert.Equal(t, pool.ReasonTimeout, failed[0].Reason)
}
