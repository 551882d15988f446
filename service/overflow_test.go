package service_test

import (
	"slices"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fullRing submits 20 tasks with one key to a ring of three workers that take nothing, with mailboxes of four.
func fullRing(t *testing.T, overflow pool.OverflowPolicy) (b *bench, open func(), got []pool.WorkerID, refused []error) {
	t.Helper()
	b, open = newShutBench(t, rig.Config{}, pool.PoolOptions{
		Strategy: pool.ConsistentHash, MinWorkers: 3, Overflow: overflow, HashSeed: 42, Worker: pool.WorkerOptions{QueueCapacity: 4},
	})
	for tag := range uint64(20) {
		worker, err := b.Service.SubmitKeyed(b.id, 7, tag, nil)
		if err != nil {
			refused = append(refused, err)
			continue
		}
		got = append(got, worker)
	}
	return b, open, got, refused
}

func TestPC28AFullHomeSpillsAlongTheRing(t *testing.T) {
	var first []int
	for range 2 {
		b, _, got, refused := fullRing(t, pool.OverflowSpill)
		require.Len(t, got, 12)
		assert.Len(t, refused, 8)
		for _, err := range refused {
			assert.Equal(t, pool.ErrPoolBackpressure, err)
		}
		var order []int // positions in the pool, in order of fallback
		for i, worker := range got {
			if i%4 == 0 {
				order = append(order, slices.Index(b.workers(), worker))
			}
			assert.Equal(t, got[i-i%4], worker, "one mailbox after the other")
		}
		for _, w := range b.stats().Workers {
			assert.EqualValues(t, 4, w.Outstanding)
		}
		if first == nil {
			first = order
		}
		assert.Equal(t, first, order, "the same fallback on every run")
	}
}

func TestPC28AFullHomeRejects(t *testing.T) {
	b, _, got, refused := fullRing(t, pool.OverflowReject)
	assert.Len(t, got, 4)
	assert.Len(t, refused, 16)
	for _, err := range refused {
		assert.Equal(t, pool.ErrPoolBackpressure, err)
	}
	assert.EqualValues(t, 4, b.stats().Outstanding, "others stay empty")
}

func TestPC28AFullHomeShedsTheNewTask(t *testing.T) {
	b, open, got, refused := fullRing(t, pool.OverflowShed)
	rec := record(b.Rig)
	assert.Empty(t, refused)
	assert.Equal(t, 16, count(got, 0), "shed and parked answer worker 0")
	stats := b.stats()
	assert.EqualValues(t, 4, stats.Queued)
	assert.EqualValues(t, 16, stats.Shed)
	_, err := b.Service.SubmitKeyed(b.id, 7, 99, nil)
	require.NoError(t, err)
	shed := rec.await(pool.PoolTaskShed, 1)[0]
	assert.EqualValues(t, 99, shed.Tag)
	assert.EqualValues(t, 7, shed.Key)
	open()
	b.quiet()
	assert.Equal(t, span(0, 3), b.Finished(), "what was queued stays")
}

func count[T comparable](all []T, v T) (n int) {
	for _, x := range all {
		if x == v {
			n++
		}
	}
	return n
}

func TestPC28ABroadcastReachesWhomItCanAndNamesTheOthers(t *testing.T) {
	b, gates := newGatedBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{
		MinWorkers: 4, Worker: pool.WorkerOptions{QueueCapacity: 4},
	})
	rec := record(b.Rig)
	ids := b.workers()
	for _, tag := range []uint64{1, 2, 666, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16} {
		b.give(tag) // in turn: every mailbox is full, the third worker's begins with the poison
	}
	for _, id := range []pool.WorkerID{ids[0], ids[3], ids[2]} {
		gates.OpenFor(id)
	}
	b.until(func(s pool.PoolStats) bool {
		return s.Exited == 1 && s.Outstanding == 4 && s.Parked == 0 && s.Running == 0
	}, "W1 and W4 are free")
	before := b.Service.Tally(b.id).Accepted

	n := promptly(t, "Broadcast", func() int {
		n, err := b.Service.Broadcast(b.id, 77, nil)
		assert.NoError(t, err)
		return n
	})
	assert.Equal(t, 2, n)
	assert.Equal(t, before+2, b.Service.Tally(b.id).Accepted)
	missed := rec.await(pool.PoolTaskRejected, 1)
	require.Len(t, missed, 1)
	assert.Equal(t, ids[1], missed[0].Worker)
	assert.Equal(t, pool.ReasonFull, missed[0].Reason)
	b.until(func(s pool.PoolStats) bool { return s.Outstanding == 4 && s.Running == 0 }, "taken")
	assert.ElementsMatch(t, []pool.WorkerID{ids[0], ids[3]}, receivers(b, 77))

	gates.Open()
	b.settle()
	b.quiet()
	n, err := b.Service.Broadcast(b.id, 78, nil)
	require.NoError(t, err)
	assert.Equal(t, 4, n)
	b.quiet()
	assert.ElementsMatch(t, b.workers(), receivers(b, 78))
}

// receivers returns who had the tag in hand, once for each time.
func receivers(b *bench, tag uint64) (ids []pool.WorkerID) {
	for _, e := range b.Log() {
		if e.Task.Tag == tag {
			ids = append(ids, e.Worker)
		}
	}
	return ids
}
