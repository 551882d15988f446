package service_test

import (
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// budget gives elastic pools room on any machine.
func budget(runnable string) rig.Config {
	return rig.Config{Settings: map[string]string{pool.PluginID: `{"runnableWorkers":` + runnable + `}`}}
}

func TestASupervisedElasticPoolGrowsWithLoadAndShrinksWhenItHasHeldLow(t *testing.T) {
	b, open := newShutBench(t, budget("32"), pool.PoolOptions{
		MaxWorkers: 8, TargetPerWorker: 4, ScaleDownDelay: 50 * time.Millisecond,
	})
	b.supervise()
	b.submit(span(1, 37)...)
	b.until(func(s pool.PoolStats) bool { return s.Live == 8 }, "grown")
	open()
	b.quiet()
	b.until(func(s pool.PoolStats) bool { return s.Live == 1 && len(s.Workers) == 1 }, "shrunk")
	assert.Equal(t, span(1, 37), b.Finished())
}

func TestAnUnsupervisedElasticPoolGrowsAtItsOwnersCallsAndShrinksByItself(t *testing.T) {
	b, open := newShutBench(t, budget("32"), pool.PoolOptions{
		MaxWorkers: 4, TargetPerWorker: 2, ScaleDownDelay: 50 * time.Millisecond,
	})
	for tag := uint64(1); tag <= 8; tag++ {
		_, err := b.Service.SubmitFrom(b.owner.Caller, b.id, tag, nil)
		require.NoError(t, err)
	}
	assert.EqualValues(t, 4, b.stats().Live)
	open()
	b.until(func(s pool.PoolStats) bool { return s.Live == 1 && len(s.Workers) == 1 }, "shrunk")
}

func TestAPoolWithoutAFloorParksItsFirstTasks(t *testing.T) {
	b := newBench(t, budget("32"), pool.PoolOptions{
		MinWorkers: pool.NoWorkers, MaxWorkers: 4, TargetPerWorker: 2, ScaleDownDelay: 20 * time.Millisecond,
	})
	b.submit(1, 2, 3)
	assert.EqualValues(t, 3, b.stats().Parked)
	b.supervise()
	b.quiet()
	b.until(func(s pool.PoolStats) bool { return s.Live == 0 && len(s.Workers) == 0 }, "nobody left")
	_, err := b.Service.Call(t.Context(), b.id, pool.Task{Tag: 4})
	require.NoError(t, err)
}

func TestATaskThatRunsTooLongCostsItsWorkerAndNothingElse(t *testing.T) {
	b := newBench(t, rig.Config{Behaviour: func(_ *rig.Worker, task pool.Task) rig.Act {
		if task.Tag == 9 {
			return rig.Spin
		}
		return rig.Next
	}}, pool.PoolOptions{MinWorkers: 2, TaskTimeout: 100 * time.Millisecond})
	b.supervise()
	_, err := b.Service.Call(t.Context(), b.id, pool.Task{Tag: 9})
	require.ErrorIs(t, err, pool.ErrTaskTimeout)
	b.submit(span(10, 40)...)
	stats := b.quiet()
	assert.EqualValues(t, 1, stats.FailedTasks)
	b.until(func(s pool.PoolStats) bool { return s.Restarted == 1 && s.Live == 2 }, "replaced")
	assert.Equal(t, span(10, 40), b.Finished())
}

func TestATaskIsRetriedOnlyAfterItsWorkerHasGone(t *testing.T) {
	for name, act := range map[string]rig.Act{"trap": rig.Trap, "spin": rig.Spin} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, rig.Config{Behaviour: func(_ *rig.Worker, task pool.Task) rig.Act {
				if task.Attempt < 3 {
					return act
				}
				return rig.Next
			}}, pool.PoolOptions{Retries: 2, TaskTimeout: 50 * time.Millisecond})
			b.supervise()
			_, err := b.Service.Call(t.Context(), b.id, pool.Task{Tag: 1})
			require.NoError(t, err)
			stats := b.quiet()
			assert.EqualValues(t, 2, stats.Retried)
			assert.EqualValues(t, 2, stats.Exited)
			assert.EqualValues(t, 1, stats.Routed)
		})
	}
}

func TestASubmitToABroadcastPoolReachesEveryWorker(t *testing.T) {
	b := newBench(t, rig.Config{}, pool.PoolOptions{Strategy: pool.Broadcast, MinWorkers: 3})
	worker, err := b.Service.Submit(b.id, 1, nil)
	require.NoError(t, err)
	assert.Zero(t, worker)
	_, err = b.Service.SubmitWait(t.Context(), b.id, pool.Task{Tag: 2})
	require.NoError(t, err)
	_, err = b.Service.Call(t.Context(), b.id, pool.Task{Tag: 3})
	require.ErrorIs(t, err, pool.ErrInvalidPoolOptions)
	assert.EqualValues(t, 6, b.quiet().Done)
}
