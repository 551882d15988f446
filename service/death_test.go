package service_test

import (
	"slices"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPC19ATrappedWorkerLeavesRoutingAtOnce(t *testing.T) {
	for name, how := range map[string]rig.Act{
		"unreachable": rig.Trap, "out of bounds": rig.OutOfBounds, "divide by zero": rig.DivideByZero, "wrong type": rig.WrongType,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, rig.Config{Behaviour: rig.ActOn(how, 666)}, pool.PoolOptions{
				Strategy: pool.LeastLoaded, MinWorkers: 3, Worker: pool.WorkerOptions{QueueCapacity: 64},
			})
			b.submit(span(1, 30)...)
			b.quiet()
			turns := lastTurns(b)
			dead := b.give(666)
			b.Eventually(func() bool { return b.LiveWorkers() == 2 }, "the probe sees the exit")
			b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "the exit is told")
			for tag := range uint64(100) {
				require.NotEqual(t, dead, b.give(100+tag))
			}
			b.quiet()
			assert.Len(t, b.Finished(), 130)
			known := b.workers()
			b.reconcile()
			assert.EqualValues(t, 3, b.stats().Live)
			young := slices.DeleteFunc(b.workers(), func(id pool.WorkerID) bool { return slices.Contains(known, id) })
			require.Len(t, young, 1)
			assert.Greater(t, young[0], slices.Max(append(known, dead)), "the id was never used before")
			gates := b.ShutGates() // those that wait take one more each
			got := make(map[pool.WorkerID]int)
			for tag := range uint64(99) {
				got[b.give(300+tag)]++
			}
			gates.Open()
			assert.GreaterOrEqual(t, got[young[0]], 20, "%v", got)
			b.quiet()
			for id, turn := range lastTurns(b) {
				if before, ok := turns[id]; ok && id != dead {
					assert.Greater(t, turn, before, "what %d counts in its memory goes on", id)
				}
			}
		})
	}
}

// lastTurns returns how often each worker had asked for a task when it last got one, by its own count.
func lastTurns(b *bench) map[pool.WorkerID]uint32 {
	turns := make(map[pool.WorkerID]uint32)
	served := make(map[pool.WorkerID]uint32)
	for _, e := range b.Log() {
		served[e.Worker]++
		assert.Equal(b.T, served[e.Worker], e.Turn, "worker %d has lost its memory", e.Worker)
		turns[e.Worker] = e.Turn
	}
	return turns
}

func TestHowAWorkerEndsDecidesWhatBecomesOfItsTask(t *testing.T) {
	for name, c := range map[string]struct {
		how          rig.Act
		done, failed uint64
	}{
		"returns":     {rig.Return, 1, 0},
		"exit code 0": {rig.Exit(0), 1, 0},
		"exit code 1": {rig.Exit(1), 0, 1},
		"traps":       {rig.Trap, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, rig.Config{Behaviour: rig.ActOn(c.how, 7)}, pool.PoolOptions{})
			rec := record(b.Rig)
			b.submit(7)
			stats := b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "ended")
			assert.Equal(t, c.done, stats.Done)
			assert.Equal(t, c.failed, stats.FailedTasks)
			assert.Equal(t, c.failed, stats.Failed, "workers that ended with a failure")
			rec.awaitAll()
			failures := rec.of(pool.PoolTaskFailed)
			require.Len(t, failures, int(c.failed))
			for _, e := range failures {
				assert.EqualValues(t, 7, e.Tag)
				assert.EqualValues(t, 1, e.Attempt)
				assert.Equal(t, pool.ReasonWorkerExited, e.Reason)
				assert.Error(t, e.Err)
			}
		})
	}
}
