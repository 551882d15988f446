package service_test

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"
)

func TestEventsTellAPoolsStoryInOrder(t *testing.T) {
	r := rig.New(t, rig.Config{Behaviour: rig.TrapOn(666)})
	rec := record(r)
	b := &bench{Rig: r}
	b.create(pool.PoolOptions{MinWorkers: 3, MaxWorkers: 6, Retries: 1})
	b.submit(span(1, 50)...)
	b.submit(666)
	b.until(func(s pool.PoolStats) bool { b.reconcile(); return s.Exited == 2 && s.Live == 3 }, "twice trapped and healed")
	b.scale(6)
	b.scale(3)
	b.quiet()
	require.NoError(t, b.Service.Destroy(b.id))
	rec.awaitAll()
	seen := rec.events()

	assert.Equal(t, pool.PoolCreated, seen[0].Kind)
	last := seen[len(seen)-1]
	assert.Equal(t, pool.PoolDestroyed, last.Kind)
	require.NotNil(t, last.Final)
	for i, e := range seen {
		if i > 0 {
			require.Equal(t, seen[i-1].Seq+1, e.Seq)
			require.False(t, e.Time.Before(seen[i-1].Time))
		}
		require.Equal(t, b.id, e.Pool)
		require.Equal(t, e.Kind == pool.PoolDestroyed, e.Final != nil)
	}
	byWorker := kindsByWorker(seen)[1:]
	assert.Len(t, byWorker, int(last.Final.Exited))
	for _, kinds := range byWorker {
		assert.Equal(t, pool.PoolWorkerAdded, kinds[0])
		assert.Equal(t, pool.PoolWorkerRemoved, kinds[len(kinds)-1])
		assert.Equal(t, 1, count(kinds, pool.PoolWorkerAdded))
		assert.Equal(t, 1, count(kinds, pool.PoolWorkerRemoved))
	}
	assert.Equal(t, 1, rec.count(pool.PoolCreated))
	assert.Equal(t, 1, rec.count(pool.PoolDestroyed))
}

func TestTheSumOfEventsIsTheLedger(t *testing.T) {
	b, gates := newGatedBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{
		MinWorkers: 3, Retries: 1, Worker: pool.WorkerOptions{QueueCapacity: 8, MaxPayloadBytes: 8},
	})
	rec := record(b.Rig)
	b.submit(666)
	b.submit(span(1, 9)...)
	_, err := b.Service.Broadcast(b.id, 100, nil)
	require.NoError(t, err)
	_, err = b.Service.Submit(b.id, 7, make([]byte, 9))
	require.Equal(t, pool.ErrPayloadTooLarge, err)
	b.kill(b.workers()[1])
	for tag := uint64(200); ; tag++ { // until it is refused
		if _, err := b.Service.Submit(b.id, tag, nil); err != nil {
			break
		}
	}
	gates.OpenFor(b.workers()[0])
	b.until(func(s pool.PoolStats) bool { return s.Retried == 1 }, "a trap and a retry")
	final := b.final()
	rec.awaitAll()
	routed := 0
	for _, e := range rec.of(pool.PoolTaskRouted) {
		assert.Zero(t, e.Attempt)
		routed++
	}
	assert.EqualValues(t, final.Routed, routed)
	assert.EqualValues(t, final.Rejected, rec.count(pool.PoolTaskRejected))
	assert.EqualValues(t, final.Redelivered, rec.count(pool.PoolTaskRedelivered))
	assert.EqualValues(t, final.Retried, rec.count(pool.PoolTaskRetried))
	assert.EqualValues(t, final.FailedTasks, rec.count(pool.PoolTaskFailed))
	assert.Equal(t, final.Dropped, rec.sum(pool.PoolTaskDropped))
	assert.EqualValues(t, final.Exited, rec.count(pool.PoolWorkerRemoved))
	assert.NotZero(t, final.Dropped)
	assert.NotZero(t, final.Redelivered)
}

func TestDestroyDropsWhatIsQueuedInOneEventAndFailsWhatIsInHand(t *testing.T) {
	b := newBench(t, rig.Config{Behaviour: rig.HoldUntil(never)}, pool.PoolOptions{MinWorkers: 2})
	rec := record(b.Rig)
	b.submit(span(1, 10)...)
	b.running(2)
	final := b.final()
	assert.EqualValues(t, 8, final.Dropped)
	assert.EqualValues(t, 2, final.FailedTasks)
	rec.awaitAll()
	dropped := rec.of(pool.PoolTaskDropped)
	require.Len(t, dropped, 1)
	assert.Equal(t, pool.ReasonDestroyed, dropped[0].Reason)
	for _, e := range rec.of(pool.PoolTaskFailed) {
		assert.Equal(t, pool.ReasonDestroyed, e.Reason)
		assert.NotZero(t, e.Worker)
	}
	removed := rec.of(pool.PoolWorkerRemoved)
	require.Len(t, removed, 2)
	for _, e := range removed {
		assert.Equal(t, workers.WorkerKilled, e.ExitKind)
		assert.ErrorIs(t, e.Err, pool.ErrPoolDestroyed)
	}
}

func TestCallsThatMeetDestroySayWhatBecameOfTheirTask(t *testing.T) {
	b := newBench(t, rig.Config{Behaviour: rig.HoldUntil(never)}, pool.PoolOptions{Worker: pool.WorkerOptions{QueueCapacity: 1}})
	call := func(tag uint64) <-chan error {
		return async(func() error {
			_, err := b.Service.Call(t.Context(), b.id, pool.Task{Tag: tag})
			return err
		})
	}
	inHand := call(1)
	b.running(1)
	queued := call(2)
	b.until(func(s pool.PoolStats) bool { return s.Queued == 1 }, "queued")
	require.NoError(t, b.Service.Destroy(b.id))
	for attempt, c := range []<-chan error{1: inHand, 0: queued} {
		err := within(t, testPatience, c, "Call")
		var ended *pool.TaskError
		require.ErrorAs(t, err, &ended)
		assert.ErrorIs(t, err, pool.ErrPoolDestroyed)
		assert.EqualValues(t, attempt, ended.Attempt, "0: no guest ever got it")
		assert.False(t, ended.Pending)
	}
}

func TestTheRuntimesEndIsToldAsTheCause(t *testing.T) {
	b := newBench(t, rig.Config{Behaviour: rig.HoldUntil(never)}, pool.PoolOptions{MinWorkers: 2})
	answer := async(func() error {
		_, err := b.Service.Call(t.Context(), b.id, pool.Task{Tag: 1})
		return err
	})
	b.running(1)
	require.NoError(t, b.Shut())
	err := within(t, testPatience, answer, "Call")
	assert.ErrorIs(t, err, pool.ErrPoolDestroyed)
}
