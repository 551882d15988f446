package service_test

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestADeadWorkersMailboxGoesToTheOthersInOrder(t *testing.T) {
	b, open := newShutBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{MinWorkers: 2})
	b.submit(666)
	b.submit(span(1, 9)...)
	open()
	b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "the poisoned worker ended")
	b.reconcile()
	stats := b.quiet()
	assert.Equal(t, span(1, 9), b.Finished())
	assert.EqualValues(t, 1, stats.FailedTasks)
	assert.EqualValues(t, 0, stats.Dropped)
	assert.EqualValues(t, 4, stats.Redelivered)
	assert.EqualValues(t, 2, stats.Live)
	assert.EqualValues(t, 1, stats.Restarted)
}

func TestTasksOfTheLastWorkerAreParkedUntilItsReplacementJoins(t *testing.T) {
	b, open := newShutBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{})
	b.submit(666, 1, 2, 3)
	open()
	stats := b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "the worker ended")
	assert.EqualValues(t, 3, stats.Parked)
	_, err := b.Service.Submit(b.id, 9, nil)
	require.Equal(t, pool.ErrPoolEmpty, err)
	b.reconcile()
	b.quiet()
	assert.Equal(t, []uint64{1, 2, 3}, b.Finished())
}

func TestSuperviseReplacesWithoutBeingAsked(t *testing.T) {
	b := newBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{MinWorkers: 2})
	over := b.supervise()
	b.submit(666)
	b.until(func(s pool.PoolStats) bool { return s.Exited == 1 && s.Live == 2 }, "healed")
	require.NoError(t, b.Service.Drain(b.id))
	require.NoError(t, within(t, testPatience, over, "Supervise"))
}

func TestTheBudgetHaltsThePoolAndRearmRevivesIt(t *testing.T) {
	b := newBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{MaxRestarts: 3})
	b.supervise()
	for n := uint64(1); n <= 4; n++ {
		b.until(func(s pool.PoolStats) bool { return s.Live == 1 }, "healed")
		b.submit(666)
		b.until(func(s pool.PoolStats) bool { return s.Exited == n }, "ended")
	}
	stats := b.stats()
	assert.True(t, stats.Halted)
	assert.EqualValues(t, 3, stats.Restarted)
	_, err := b.Service.Submit(b.id, 1, nil)
	require.Equal(t, pool.ErrPoolEmpty, err)
	_, err = b.Service.Call(t.Context(), b.id, pool.Task{Tag: 1})
	require.ErrorIs(t, err, pool.ErrPoolHalted)
	require.NoError(t, b.Service.Rearm(b.id))
	b.until(func(s pool.PoolStats) bool { return s.Live == 1 && !s.Halted }, "rearmed")
	b.submit(1)
	b.quiet()
}

func TestACleanReturnGivesThePlaceUpUntilLoadAsksForIt(t *testing.T) {
	b := newBench(t, rig.Config{Behaviour: func(_ *rig.Worker, task pool.Task) rig.Act {
		if task.Tag == 7 {
			return rig.Return
		}
		return rig.Next
	}}, pool.PoolOptions{})
	b.submit(7)
	stats := b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "returned")
	assert.EqualValues(t, 1, stats.Done)
	assert.EqualValues(t, 0, stats.Desired)
	b.reconcile()
	assert.EqualValues(t, 0, b.stats().Live)
	b.supervise()
	_, err := b.Service.Call(t.Context(), b.id, pool.Task{Tag: 1})
	require.NoError(t, err)
}

func TestWorkersThatReturnAtOnceHaltThePoolEvenWithoutABound(t *testing.T) {
	for _, entry := range []uint32{rig.EntryReturns, rig.EntryTraps} {
		r := rig.New(t, rig.Config{})
		owner := r.Owner()
		id, err := r.Service.Create(owner.Caller, entry, pool.PoolOptions{MaxRestarts: pool.UnlimitedRestarts})
		b := &bench{Rig: r, owner: owner, id: id}
		if err != nil {
			require.ErrorIs(t, err, pool.ErrPoolHalted)
			continue
		}
		b.supervise()
		_, err = r.Service.Call(t.Context(), id, pool.Task{Tag: 1})
		require.ErrorIs(t, err, pool.ErrPoolHalted)
		opened, _ := r.Runtime.Instances()
		assert.LessOrEqual(t, opened, uint64(2+pool.DefaultMaxRestarts), "spawns")
	}
}
