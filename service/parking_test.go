package service_test

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWithoutALiveWorkerASubmitFindsNobodyHoweverMuchIsParked(t *testing.T) {
	for _, overflow := range []pool.OverflowPolicy{pool.OverflowSpill, pool.OverflowReject, pool.OverflowShed} {
		for _, parked := range []uint64{0, 1, 2} {
			b, _ := newShutBench(t, rig.Config{}, pool.PoolOptions{Overflow: overflow, Worker: pool.WorkerOptions{QueueCapacity: 2}})
			b.submit(span(1, parked)...)
			b.kill(b.workers()[0])
			require.Equal(t, parked, b.stats().Parked)
			_, err := b.Service.Submit(b.id, 9, nil)
			assert.Equal(t, pool.ErrPoolEmpty, err, "%v, %d parked", overflow, parked)
		}
	}
}

// kill ends a worker from outside and waits until it has gone.
func (b *bench) kill(id pool.WorkerID) {
	b.T.Helper()
	exited := b.stats().Exited
	require.NoError(b.T, b.Workers.Kill(id))
	b.until(func(s pool.PoolStats) bool { return s.Exited == exited+1 }, "the worker has gone")
}

// packed is a pool of n workers that take nothing, with full mailboxes of two, tags 1 to 2n in order.
func packed(t *testing.T, n uint32, opts pool.PoolOptions) (*bench, *rig.Gates) {
	t.Helper()
	opts.MinWorkers, opts.Worker.QueueCapacity = n, 2
	b, gates := newGatedBench(t, rig.Config{}, opts)
	b.submit(span(1, 2*uint64(n))...)
	return b, gates
}

func TestTasksOfADeadWorkerAreParkedWhenNobodyHasRoom(t *testing.T) {
	b, gates := packed(t, 3, pool.PoolOptions{})
	b.kill(b.workers()[0]) // had 1 and 4
	stats := b.stats()
	assert.EqualValues(t, 2, stats.Parked)
	assert.EqualValues(t, 4, stats.Outstanding)
	assert.EqualValues(t, 6, stats.Queued)
	assert.Zero(t, stats.Redelivered)
	worker, err := b.Service.Submit(b.id, 7, nil)
	require.NoError(t, err, "new tasks park behind them")
	assert.Zero(t, worker)
	gates.Open()
	stats = b.quiet()
	assert.Equal(t, span(1, 7), b.Finished())
	assert.EqualValues(t, 2, stats.Redelivered, "a new task that was parked is none")
}

func TestParkedTasksAreTakenOldestFirstAndBeforeNewOnes(t *testing.T) {
	b, gates := packed(t, 2, pool.PoolOptions{})
	dead, alive := b.workers()[0], b.workers()[1]
	b.kill(dead) // had 1 and 3
	b.submit(5, 6)
	gates.OpenFor(alive)
	b.quiet()
	var order []uint64
	for _, e := range b.Log() {
		order = append(order, e.Task.Tag)
	}
	assert.Equal(t, []uint64{2, 4, 1, 3, 5, 6}, order)
}

func TestOrderAcrossRedeliveryIsTheMailboxesOrder(t *testing.T) {
	b, gates := newGatedBench(t, rig.Config{}, pool.PoolOptions{MinWorkers: 2})
	b.submit(span(1, 6)...)
	b.kill(b.workers()[0]) // 1, 3, 5 go behind what the other has
	b.until(func(s pool.PoolStats) bool { return s.Redelivered == 3 }, "redelivered")
	b.kill(b.workers()[0]) // and all of it into the parking place
	require.EqualValues(t, 6, b.stats().Parked)
	b.OnSpawn(failNth(2)) // one replacement gets everything
	require.ErrorIs(t, b.Service.Reconcile(b.owner.Caller, b.id), errSpawn)
	gates.Open()
	b.quiet()
	var order []uint64
	for _, e := range b.Log() {
		order = append(order, e.Task.Tag)
	}
	assert.Equal(t, []uint64{2, 4, 6, 1, 3, 5}, order)
}

func TestParkingTakesNoMoreNewTasksThanMailboxesCouldHold(t *testing.T) {
	b, gates := packed(t, 2, pool.PoolOptions{})
	b.kill(b.workers()[0])
	taken := uint64(0)
	for {
		if _, err := b.Service.Submit(b.id, 5+taken, nil); err != nil {
			require.Equal(t, pool.ErrPoolBackpressure, err)
			break
		}
		taken++
	}
	assert.EqualValues(t, 2, taken, "two places for each of two workers, two of them taken by redelivery")
	gates.Open()
	b.quiet()
	assert.Equal(t, span(1, 6), b.Finished())
}

func TestRedeliveredTasksAlwaysFit(t *testing.T) {
	b, gates := packed(t, 3, pool.PoolOptions{})
	workers := b.workers()
	b.kill(workers[0])
	b.submit(7, 8, 9, 10) // the parking place is full
	b.kill(workers[1])
	b.kill(workers[2])
	stats := b.stats()
	assert.EqualValues(t, 10, stats.Parked)
	assert.Zero(t, stats.Dropped)
	gates.Open()
	b.reconcile()
	b.quiet()
	assert.Equal(t, span(1, 10), b.Finished())
}

func TestOverflowPolicyDoesNotApplyToRedelivery(t *testing.T) {
	for _, overflow := range []pool.OverflowPolicy{pool.OverflowReject, pool.OverflowShed} {
		b, gates := packed(t, 3, pool.PoolOptions{Overflow: overflow})
		b.kill(b.workers()[0])
		gates.Open()
		stats := b.quiet()
		assert.Equal(t, span(1, 6), b.Finished(), "%v", overflow)
		assert.Zero(t, stats.Shed+stats.Dropped)
	}
}

func TestARedeliveredKeyedTaskWalksTheRing(t *testing.T) {
	b, gates := newGatedBench(t, rig.Config{}, pool.PoolOptions{Strategy: pool.ConsistentHash, MinWorkers: 4, HashSeed: 1})
	heirs := make(map[pool.WorkerID]map[uint64]pool.WorkerID) // for each worker and key: who comes after it
	const keys = 64
	homes := map[uint64]pool.WorkerID{}
	for key := range uint64(keys) {
		worker, err := b.Service.SubmitKeyed(b.id, key, key, nil)
		require.NoError(t, err)
		homes[key] = worker
	}
	victim := homes[0]
	b.kill(victim)
	b.until(func(s pool.PoolStats) bool { return s.Parked == 0 }, "redelivered")
	heirs[victim] = map[uint64]pool.WorkerID{}
	for key, home := range homes { // while it is away, its keys are its heirs'
		worker, err := b.Service.SubmitKeyed(b.id, key, 1000+key, nil)
		require.NoError(t, err)
		if home == victim {
			heirs[victim][key] = worker
		} else {
			require.Equal(t, home, worker)
		}
	}
	gates.Open()
	b.quiet()
	for _, e := range b.Log() {
		if heir, ok := heirs[victim][e.Task.Tag]; ok {
			assert.Equal(t, heir, e.Worker, "key %d", e.Task.Tag)
		}
	}
}
