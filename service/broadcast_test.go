package service_test

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestALegOfADeadWorkerIsItsOwn(t *testing.T) {
	b, gates := newGatedBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{MinWorkers: 3, Retries: 5})
	rec := record(b.Rig)
	n, err := b.Service.Broadcast(b.id, 1, nil)
	require.NoError(t, err)
	require.Equal(t, 3, n)
	b.submit(11, 12, 13) // an ordinary task each
	victim := b.workers()[0]
	b.kill(victim)
	stats := b.until(func(s pool.PoolStats) bool { return s.Redelivered == 1 }, "the ordinary task goes to another")
	assert.EqualValues(t, 1, stats.Dropped, "the leg in its mailbox")
	dropped := rec.await(pool.PoolTaskDropped, 1)
	require.Len(t, dropped, 1)
	assert.Equal(t, pool.ReasonWorkerExited, dropped[0].Reason)
	assert.EqualValues(t, 1, dropped[0].Count)
	assert.EqualValues(t, 1, dropped[0].Tag)
	gates.Open()
	b.quiet()
	assert.Equal(t, []uint64{1, 1, 11, 12, 13}, b.Finished())
}

func TestALegInADyingHandIsFailedAndNeverRetried(t *testing.T) {
	b := newBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{MinWorkers: 3, Retries: 5})
	rec := record(b.Rig)
	n, err := b.Service.Broadcast(b.id, 666, nil)
	require.NoError(t, err)
	require.Equal(t, 3, n)
	stats := b.until(func(s pool.PoolStats) bool { return s.Exited == 3 }, "everybody trapped")
	assert.EqualValues(t, 3, stats.FailedTasks)
	assert.Zero(t, stats.Retried)
	rec.awaitAll()
	assert.Equal(t, 3, rec.count(pool.PoolTaskFailed))
}

func TestABroadcastCountsOnePerWorkerThatTookItAndOneCall(t *testing.T) {
	b, _ := newShutBench(t, rig.Config{}, pool.PoolOptions{MinWorkers: 3, Worker: pool.WorkerOptions{QueueCapacity: 1}})
	rec := record(b.Rig)
	b.submit(1)
	n, err := b.Service.Broadcast(b.id, 2, nil)
	require.NoError(t, err)
	assert.Equal(t, 2, n)
	n, err = b.Service.Broadcast(b.id, 3, nil)
	require.NoError(t, err, "nobody had room: each is named, the call says how many took it")
	assert.Zero(t, n)
	stats := b.stats()
	assert.EqualValues(t, 3, stats.Routed)
	assert.EqualValues(t, 3, stats.Submitted)
	assert.EqualValues(t, 4, stats.Rejected, "one for each worker that was missed")
	rec.awaitAll()
	missed := map[pool.WorkerID]int{}
	for _, e := range rec.of(pool.PoolTaskRejected) {
		missed[e.Worker]++
	}
	assert.Len(t, missed, 3)
	assert.NotContains(t, missed, pool.WorkerID(0))
}

func TestASubmitToABroadcastPoolIsRefusedWhenNobodyTakesIt(t *testing.T) {
	b, open := newShutBench(t, rig.Config{}, pool.PoolOptions{
		Strategy: pool.Broadcast, MinWorkers: 2, Worker: pool.WorkerOptions{QueueCapacity: 1},
	})
	b.submit(1)
	_, err := b.Service.Submit(b.id, 2, nil)
	assert.Equal(t, pool.ErrPoolBackpressure, err)
	_, err = b.Service.Call(t.Context(), b.id, pool.Task{Tag: 3})
	assert.ErrorIs(t, err, pool.ErrInvalidPoolOptions, "there is no single result")
	open()
	b.quiet()
	assert.Equal(t, []uint64{1, 1}, b.Finished())
}

func TestSubmitWaitOnABroadcastPoolWaitsForOneWorker(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b, gates := newGatedBench(t, rig.Config{Bubble: true}, pool.PoolOptions{
			Strategy: pool.Broadcast, MinWorkers: 2, Worker: pool.WorkerOptions{QueueCapacity: 1},
		})
		b.submit(1)
		waiting := b.wait(t.Context(), pool.Task{Tag: 2})
		require.True(t, waits(waiting))
		gates.OpenFor(b.workers()[0])
		require.NoError(t, (<-waiting).err)
		gates.Open()
		b.quiet()
		assert.Equal(t, []uint64{1, 1, 2}, b.Finished())
	})
}
