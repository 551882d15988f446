package service_test

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPC01AWorkerThatDiesLosesNoTaskOfItsMailbox(t *testing.T) {
	b, gates := newGatedBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{
		MinWorkers: 2, MaxRestarts: 3, Worker: pool.WorkerOptions{QueueCapacity: 16},
	})
	a := b.give(666)
	got := map[pool.WorkerID]int{}
	for _, tag := range span(1, 9) {
		got[b.give(tag)]++
	}
	require.Equal(t, 4, got[a])
	gates.OpenFor(a)
	b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "666 traps")
	b.settle()
	gates.Open()
	stats := b.quiet() // no further submit is needed
	assert.Equal(t, span(1, 9), b.Finished())
	assert.Zero(t, stats.Dropped)
	assert.EqualValues(t, 1, stats.FailedTasks)
	assert.EqualValues(t, 4, stats.Redelivered)
	assert.EqualValues(t, 2, stats.Live)
	assert.EqualValues(t, 1, stats.Restarted)
	assert.EqualValues(t, 10, b.Service.Tally(b.id).Accepted)
	deliveries := 0
	for _, e := range b.Log() {
		if e.Task.Tag == 666 {
			deliveries++
		}
	}
	assert.Equal(t, 1, deliveries, "the poison is not run again")
}

func TestPC12ScalingDownTakesNoBusyWorker(t *testing.T) {
	gate := make(chan struct{})
	b := newBench(t, rig.Config{Behaviour: rig.HoldUntil(gate)}, pool.PoolOptions{
		Strategy: pool.LeastLoaded, MinWorkers: 1, MaxWorkers: 4,
	})
	b.scale(4)
	busy := b.give(1)
	b.running(1)
	b.scale(1)
	b.until(func(s pool.PoolStats) bool { return s.Exited == 3 }, "three retired")
	assert.Equal(t, []pool.WorkerID{busy}, b.workers())
	close(gate)
	stats := b.quiet()
	assert.Equal(t, []uint64{1}, b.Finished())
	assert.Zero(t, stats.FailedTasks+stats.Dropped)
}

func TestPC12ScalingUnderLoadLosesNothing(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, rig.Config{Bubble: true, Behaviour: takesMilliseconds(1)}, pool.PoolOptions{
			Strategy: pool.LeastLoaded, MinWorkers: 1, MaxWorkers: 4,
		})
		rounds := uint64(size(200, 50))
		for round := range rounds {
			b.scale(4)
			b.settle()
			scaled := async(func() error { return b.Service.Scale(b.owner.Caller, b.id, 1) })
			b.submit(span(4*round, 4*round+3)...)
			require.NoError(t, <-scaled)
		}
		stats := b.quiet()
		assert.Equal(t, span(0, 4*rounds-1), b.Finished())
		assert.Equal(t, 4*rounds, b.Service.Tally(b.id).Accepted)
		assert.Zero(t, stats.FailedTasks+stats.Dropped)
	})
}
