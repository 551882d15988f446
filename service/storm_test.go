package service_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPC13ARestartStormIsBoundedAndVisible(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, rig.Config{Bubble: true, Behaviour: func(*rig.Worker, pool.Task) rig.Act { return rig.Trap }}, pool.PoolOptions{
			MinWorkers: 2, Restart: pool.RestartAlways, MaxRestarts: 5,
		})
		rec := record(b.Rig)
		feed := func() {
			b.reconcile()
			for range b.stats().Live {
				_, err := b.Service.Submit(b.id, 1, nil)
				assert.True(t, err == nil || err == pool.ErrPoolEmpty || err == pool.ErrPoolBackpressure, "%v", err)
			}
		}
		for range 1000 {
			feed()
		}
		synctest.Wait()
		for range 10 { // whatever was fed last has been taken by now
			feed()
			synctest.Wait()
		}
		spawned := b.Spawned()
		require.LessOrEqual(t, spawned, 2+5)
		require.GreaterOrEqual(t, spawned, 2+4, "a replacement that was due when the next failure halted the pool is not started")
		for range 1000 {
			time.Sleep(time.Millisecond)
			feed()
		}
		assert.Equal(t, spawned, b.Spawned(), "not one more")
		stats := b.stats()
		assert.True(t, stats.Halted)
		assert.Zero(t, stats.Live)
		assert.EqualValues(t, 5, stats.Restarted)
		_, err := b.Service.Submit(b.id, 1, nil)
		assert.Equal(t, pool.ErrPoolEmpty, err)
		synctest.Wait()
		assert.Equal(t, 1, rec.count(pool.PoolHalted))
	})
}

func TestPC13TheBudgetIsExactWhenFailuresComeOneByOne(t *testing.T) {
	b := newBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{MinWorkers: 2, MaxRestarts: 5})
	for n := uint64(1); n <= 6; n++ {
		require.False(t, b.stats().Halted, "after %d failures", n-1)
		b.submit(666)
		b.until(func(s pool.PoolStats) bool { return s.Exited == n }, "trapped")
		b.reconcile()
	}
	assert.True(t, b.stats().Halted)
	assert.Equal(t, 2+5, b.Spawned())
	assert.EqualValues(t, 1, b.stats().Live, "who lives is left alone")
}

func TestTheWindowSlides(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, rig.Config{Bubble: true, Behaviour: rig.TrapOn(666)}, pool.PoolOptions{MaxRestarts: 1, RestartWindow: time.Minute})
		b.supervise()
		for range 10 {
			b.submit(666)
			b.until(func(s pool.PoolStats) bool { return s.Live == 1 }, "healed")
			time.Sleep(time.Minute + 1)
		}
		assert.EqualValues(t, 10, b.stats().Restarted)
		assert.False(t, b.stats().Halted)
		b.submit(666)
		b.until(func(s pool.PoolStats) bool { return s.Live == 1 }, "healed")
		b.submit(666)
		b.until(func(s pool.PoolStats) bool { return s.Halted }, "twice in a window")
	})
}

func TestAHaltedPoolKeepsItsParkedTasksForRearm(t *testing.T) {
	b, gates := newGatedBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{MaxRestarts: 1})
	rec := record(b.Rig)
	b.supervise()
	b.submit(666, 1, 2, 666, 3)
	gates.Open()
	b.until(func(s pool.PoolStats) bool { return s.Halted && s.Live == 0 }, "halted")
	assert.EqualValues(t, 1, b.stats().Parked)
	_, err := b.Service.Call(t.Context(), b.id, pool.Task{Tag: 9})
	assert.ErrorIs(t, err, pool.ErrPoolHalted)
	require.NoError(t, b.Service.Rearm(b.id))
	b.quiet()
	assert.Equal(t, []uint64{1, 2, 3}, b.Finished())
	rec.await(pool.PoolRearmed, 1)
	require.NoError(t, b.Service.Rearm(b.id), "it was not halted")
	rec.awaitAll()
	assert.Equal(t, 1, rec.count(pool.PoolRearmed))
}

func TestOnePoolsStormLeavesTheOthersAlone(t *testing.T) {
	b := newBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{MaxRestarts: 2})
	calm := &bench{Rig: b.Rig}
	calm.create(pool.PoolOptions{MinWorkers: 2, MaxRestarts: 2})
	calm.supervise()
	for range 3 {
		b.until(func(s pool.PoolStats) bool { b.reconcile(); return s.Live == 1 }, "healed")
		exited := b.stats().Exited
		b.submit(666)
		b.until(func(s pool.PoolStats) bool { return s.Exited == exited+1 }, "trapped")
	}
	assert.True(t, b.stats().Halted)
	calm.submit(666)
	calm.until(func(s pool.PoolStats) bool { return s.Exited == 1 && s.Live == 2 }, "healed")
	assert.False(t, calm.stats().Halted)
}
