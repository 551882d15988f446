package service_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// admitted is what a SubmitWait returned.
type admitted struct {
	worker pool.WorkerID
	err    error
}

// wait starts a SubmitWait in a bubble and returns when it is parked.
func (b *bench) wait(ctx context.Context, task pool.Task) <-chan admitted {
	c := async(func() admitted {
		worker, err := b.Service.SubmitWait(ctx, b.id, task)
		return admitted{worker, err}
	})
	synctest.Wait()
	return c
}

// waits reports whether nothing has come back yet.
func waits[T any](c <-chan T) bool { return len(c) == 0 }

func TestSubmitWaitLetsInByOrderOfArrival(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b, gates := bubblePacked(t, 2, pool.PoolOptions{})
		var queue []<-chan admitted
		for tag := uint64(5); tag <= 10; tag++ {
			queue = append(queue, b.wait(t.Context(), pool.Task{Tag: tag}))
		}
		for _, c := range queue {
			require.True(t, waits(c))
		}
		_, err := b.Service.Submit(b.id, 99, nil)
		require.Equal(t, pool.ErrPoolBackpressure, err, "Submit never waits")
		gates.OpenFor(b.workers()[0])
		for _, c := range queue {
			got := <-c
			require.NoError(t, got.err)
			assert.Equal(t, b.workers()[0], got.worker)
		}
		gates.Open()
		b.quiet()
		var order []uint64
		for _, e := range b.Log() {
			if e.Worker == b.workers()[0] {
				order = append(order, e.Task.Tag)
			}
		}
		assert.Equal(t, []uint64{1, 3, 5, 6, 7, 8, 9, 10}, order, "in order of arrival")
	})
}

// bubblePacked is packed, in a bubble.
func bubblePacked(t *testing.T, n uint32, opts pool.PoolOptions) (*bench, *rig.Gates) {
	t.Helper()
	opts.MinWorkers, opts.Worker.QueueCapacity = n, 2
	b, gates := newGatedBench(t, rig.Config{Bubble: true}, opts)
	b.submit(span(1, 2*uint64(n))...)
	return b, gates
}

func TestSubmitWaitEnds(t *testing.T) {
	cases := map[string]struct {
		end  func(*bench, context.CancelFunc)
		want error
	}{
		"with its context":     {func(_ *bench, cancel context.CancelFunc) { cancel() }, context.Canceled},
		"when the pool drains": {func(b *bench, _ context.CancelFunc) { require.NoError(b.T, b.Service.Drain(b.id)) }, pool.ErrPoolDraining},
		"when the pool goes": {func(b *bench, _ context.CancelFunc) {
			require.NoError(b.T, b.Service.Destroy(b.id))
		}, pool.ErrPoolDestroyed},
		"when the owner goes": {func(b *bench, _ context.CancelFunc) { require.NoError(b.T, b.owner.Close()) }, pool.ErrPoolDestroyed},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				b, _ := bubblePacked(t, 1, pool.PoolOptions{})
				rec := record(b.Rig)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				waiting := b.wait(ctx, pool.Task{Tag: 9, Key: 8})
				require.True(t, waits(waiting))
				c.end(b, cancel)
				got := <-waiting
				assert.ErrorIs(t, got.err, c.want)
				assert.Zero(t, got.worker)
				refused := rec.await(pool.PoolTaskRejected, 1)[0]
				assert.Equal(t, pool.ReasonWaitEnded, refused.Reason)
				assert.EqualValues(t, 9, refused.Tag)
				assert.EqualValues(t, 8, refused.Key)
			})
		})
	}
}

func TestSubmitWaitEndsWhenThePoolIsHaltedWithoutWorkers(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		gate := make(chan struct{})
		b := newBench(t, rig.Config{Bubble: true, Behaviour: func(w *rig.Worker, task pool.Task) rig.Act {
			if task.Tag == 667 {
				w.Hold(gate)
			}
			return rig.Trap
		}}, pool.PoolOptions{MaxRestarts: 1, Worker: pool.WorkerOptions{QueueCapacity: 1}})
		b.submit(666)
		b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "the budget is spent")
		b.reconcile()
		b.submit(667)
		b.running(1)
		b.submit(1)
		waiting := b.wait(t.Context(), pool.Task{Tag: 2})
		require.True(t, waits(waiting))
		close(gate)
		assert.ErrorIs(t, (<-waiting).err, pool.ErrPoolHalted)
		assert.EqualValues(t, 1, b.stats().Parked, "what was accepted stays for Rearm")
		_, err := b.Service.SubmitWait(t.Context(), b.id, pool.Task{Tag: 3})
		assert.ErrorIs(t, err, pool.ErrPoolHalted, "at once")
	})
}

func TestSubmitWaitWaitsWhileThereIsNoWorker(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, rig.Config{Bubble: true, Behaviour: rig.TrapOn(666)}, pool.PoolOptions{})
		b.submit(666)
		b.until(func(s pool.PoolStats) bool { return s.Live == 0 }, "no worker")
		waiting := b.wait(t.Context(), pool.Task{Tag: 1})
		require.True(t, waits(waiting))
		b.reconcile()
		require.NoError(t, (<-waiting).err)
		b.quiet()
		assert.Equal(t, []uint64{1}, b.Finished())
	})
}

func TestSubmitWaitForTheChosenWorker(t *testing.T) {
	for _, overflow := range []pool.OverflowPolicy{pool.OverflowReject, pool.OverflowShed} {
		t.Run(overflow.String(), func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				opts := pool.PoolOptions{
					Strategy: pool.ConsistentHash, HashSeed: 1, MinWorkers: 3, Overflow: overflow, Worker: pool.WorkerOptions{QueueCapacity: 1},
				}
				other := keyOfAnother(t, opts, 7)
				b, gates := newGatedBench(t, rig.Config{Bubble: true}, opts)
				home, err := b.Service.SubmitKeyed(b.id, 7, 1, nil)
				require.NoError(t, err)
				first := b.wait(t.Context(), pool.Task{Key: 7, Tag: 2})
				second := b.wait(t.Context(), pool.Task{Key: 7, Tag: 3})
				elsewhere := b.wait(t.Context(), pool.Task{Key: other, Tag: 4})
				require.True(t, waits(first) && waits(second), "others have room, but they were not chosen")
				require.False(t, waits(elsewhere), "nobody is in the way of another worker's tasks")
				require.NoError(t, (<-elsewhere).err)
				gates.OpenFor(home)
				for _, c := range []<-chan admitted{first, second} {
					got := <-c
					require.NoError(t, got.err)
					assert.Equal(t, home, got.worker)
				}
				gates.Open()
				stats := b.quiet()
				assert.Zero(t, stats.Shed, "SubmitWait never sheds")
				assert.Equal(t, span(1, 4), b.Finished())
			})
		})
	}
}

// keyOfAnother returns a key whose home is another worker than that of key, by a pool with the same seed.
func keyOfAnother(t *testing.T, opts pool.PoolOptions, key uint64) uint64 {
	t.Helper()
	opts.Worker.QueueCapacity = 1024
	b, _ := newGatedBench(t, rig.Config{Bubble: true}, opts)
	home, err := b.Service.SubmitKeyed(b.id, key, 0, nil)
	require.NoError(t, err)
	for other := key + 1; other < key+1000; other++ {
		if worker, err := b.Service.SubmitKeyed(b.id, other, 0, nil); err == nil && worker != home {
			return other
		}
	}
	require.Fail(t, "one worker has every key")
	return 0
}

func TestNobodyOvertakesAWaiter(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b, gates := bubblePacked(t, 1, pool.PoolOptions{})
		first := b.wait(t.Context(), pool.Task{Tag: 3})
		second := b.wait(t.Context(), pool.Task{Tag: 4})
		gates.Open()
		require.NoError(t, (<-first).err)
		require.NoError(t, (<-second).err)
		b.quiet()
		var order []uint64
		for _, e := range b.Log() {
			order = append(order, e.Task.Tag)
		}
		assert.Equal(t, span(1, 4), order)
	})
}

func TestASubmitWaitThatEndsLeavesNoTask(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b, gates := bubblePacked(t, 1, pool.PoolOptions{})
		ctx, cancel := context.WithCancel(t.Context())
		waiting := b.wait(ctx, pool.Task{Tag: 3})
		cancel()
		require.Equal(t, context.Canceled, (<-waiting).err)
		gates.Open()
		stats := b.quiet()
		assert.Equal(t, span(1, 2), b.Finished())
		assert.EqualValues(t, 1, stats.Rejected)
	})
}
