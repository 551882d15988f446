package service_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func (b *bench) drainWait() <-chan error {
	return async(func() error { return b.Service.DrainWait(context.Background(), b.id) })
}

// TestPC27DestroyEndsADrain has a clock of its own: two goroutines wait in DrainWait for 100 ms when a third calls Destroy.
func TestPC27DestroyEndsADrain(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := &bench{Rig: rig.New(t, rig.Config{Bubble: true})}
		b.owner = b.Owner()
		rec := record(b.Rig)
		leavesNoGoroutine(t, func() {
			b.ShutGates()
			b.id = b.another(pool.PoolOptions{MinWorkers: 2})
			b.submit(span(1, 10)...)
			first, second := b.drainWait(), b.drainWait()
			time.Sleep(100 * time.Millisecond)
			require.True(t, waits(first) && waits(second))
			require.True(t, b.stats().Draining)
			begun := time.Now()
			require.NoError(t, b.Service.Destroy(b.id))
			assert.LessOrEqual(t, time.Since(begun), 2*time.Second)
			synctest.Wait()
			require.False(t, waits(first) || waits(second), "both are back, with no more time gone")
			assert.ErrorIs(t, <-first, pool.ErrPoolDestroyed)
			assert.ErrorIs(t, <-second, pool.ErrPoolDestroyed)
		})
		assert.EqualValues(t, 10, b.finalOf(b.id).Dropped)
		assert.Zero(t, b.LiveWorkers())
		kinds := kindsOf(rec.of(pool.PoolDraining, pool.PoolDrained, pool.PoolDestroyed))
		assert.Equal(t, []pool.PoolEventKind{pool.PoolDraining, pool.PoolDestroyed}, kinds)
	})
}

func TestPC27DrainIsOverWithTheLastTask(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, rig.Config{Bubble: true, Behaviour: takesMilliseconds(50)}, pool.PoolOptions{MinWorkers: 2})
		begun := time.Now()
		b.submit(span(1, 10)...)
		require.NoError(t, <-b.drainWait())
		assert.Equal(t, 250*time.Millisecond, time.Since(begun))
		stats := b.stats()
		assert.Zero(t, stats.Queued+stats.Running)
		assert.Zero(t, stats.Live)
		assert.Len(t, b.Finished(), 10)
		assert.Zero(t, b.LiveWorkers())
	})
}

func TestADrainThatLosesItsLastWorkerSaysWhatWasDropped(t *testing.T) {
	b, gates := newGatedBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{})
	rec := record(b.Rig)
	b.submit(666, 1, 2, 3)
	waiting := b.drainWait()
	supervised := b.supervise()
	b.until(func(s pool.PoolStats) bool { return s.Draining }, "draining")
	gates.Open()
	assert.ErrorIs(t, within(t, testPatience, waiting, "DrainWait"), pool.ErrTasksDropped)
	assert.NoError(t, within(t, testPatience, supervised, "Supervise"), "the drain is over")
	assert.ErrorIs(t, <-b.drainWait(), pool.ErrTasksDropped, "asked again")
	stats := b.stats()
	assert.EqualValues(t, 3, stats.Dropped)
	assert.EqualValues(t, 1, stats.FailedTasks)
	rec.awaitAll()
	drained := rec.of(pool.PoolDrained)
	require.Len(t, drained, 1)
	assert.EqualValues(t, 3, drained[0].Count)
	dropped := rec.of(pool.PoolTaskDropped)
	require.Len(t, dropped, 1)
	assert.EqualValues(t, 3, dropped[0].Count)
	assert.Equal(t, pool.ReasonDrained, dropped[0].Reason)
	assert.Contains(t, b.Service.List(), b.id, "the pool stays until Destroy")
	assert.Equal(t, pool.ErrPoolDraining, b.Service.Scale(b.owner.Caller, b.id, 1))
	assert.NoError(t, b.Service.Drain(b.id), "again")
}

func TestADrainOfAPoolWithoutWorkersDropsWhatIsParked(t *testing.T) {
	b, _ := packed(t, 1, pool.PoolOptions{})
	b.kill(b.workers()[0])
	assert.ErrorIs(t, <-b.drainWait(), pool.ErrTasksDropped)
	assert.EqualValues(t, 2, b.stats().Dropped)
}

func TestADrainInterruptsNobodyAndHealsNobody(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, rig.Config{Bubble: true, Behaviour: func(w *rig.Worker, task pool.Task) rig.Act {
			if task.Tag == 666 {
				return rig.Trap
			}
			return takesMilliseconds(60_000)(w, task)
		}}, pool.PoolOptions{MinWorkers: 3})
		b.supervise()
		b.submit(1, 666, 2)
		b.until(func(s pool.PoolStats) bool { return s.Exited == 1 && s.Live == 3 }, "healed")
		b.submit(666)
		over := b.drainWait()
		synctest.Wait()
		require.True(t, waits(over))
		spawned := b.Spawned()
		b.reconcile()
		require.NoError(t, <-over)
		assert.Equal(t, spawned, b.Spawned())
		assert.Equal(t, []uint64{1, 2}, b.Finished())
		assert.EqualValues(t, 2, b.stats().FailedTasks)
	})
}

func TestADrainedPoolGivesItsPlaceBack(t *testing.T) {
	b := newBench(t, rig.Config{Settings: map[string]string{pool.PluginID: `{"maxPools":1}`}}, pool.PoolOptions{})
	_, err := b.Service.Create(b.owner.Caller, rig.EntryLoop, pool.PoolOptions{})
	require.Equal(t, pool.ErrPoolLimit, err)
	require.NoError(t, promptlyDrained(b))
	old := b.id
	b.id = b.another(pool.PoolOptions{})
	assert.Equal(t, []pool.PoolID{old, b.id}, b.Service.List())
	require.NoError(t, b.Service.Destroy(old))
	_, err = b.Service.Create(b.owner.Caller, rig.EntryLoop, pool.PoolOptions{})
	require.Equal(t, pool.ErrPoolLimit, err, "a place is given back once")
}
