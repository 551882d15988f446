package service_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/JairusSW/pool/internal/workerstest"
	"github.com/JairusSW/pool/service"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

func TestAFailureThatSpeaksOfACreatorsEndDoesNotEndThePool(t *testing.T) {
	for name, c := range map[string]struct {
		without fakeworkers.Extras
		failure error
	}{
		"the creator's end":          {0, workers.ErrWorkerParentClosed},
		"the runtime's end":          {0, workers.ErrWorkerRuntimeClosed},
		"wrapped":                    {0, fmt.Errorf("asking elsewhere: %w", workers.ErrWorkerParentClosed)},
		"wrapped, without Closing":   {fakeworkers.Closing, fmt.Errorf("asking elsewhere: %w", workers.ErrWorkerParentClosed)},
		"wrapped, without any extra": {fakeworkers.All, fmt.Errorf("asking elsewhere: %w", workers.ErrWorkerRuntimeClosed)},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				s := newStage(t, c.without)
				id := s.create(service.Options{MinWorkers: 2})
				s.submit(id, 1, 2)
				failing, sibling := s.worker(id, 0), s.worker(id, 1)
				s.take(failing)
				require.NoError(t, failing.Do(func(wago.HostModule) workerstest.Act { panic(wago.HostTrap{Err: c.failure}) }))
				s.Settle()
				require.Equal(t, []service.ID{id}, s.Pools.List())
				stats := s.stats(id)
				assert.EqualValues(t, 1, stats.FailedTasks)
				assert.Zero(t, stats.Dropped, "the sibling keeps its task")
				s.take(sibling)
				s.reconcile(id)
				assert.EqualValues(t, 2, s.stats(id).Live)
			})
		})
	}
}

// failsInACall is a worker whose task 1 calls another pool and fails with what came of it; every other task stays in hand.
func failsInACall(other pool.PoolID) rig.Behaviour {
	return func(w *rig.Worker, task pool.Task) rig.Act {
		if task.Tag == 1 {
			_, err := w.Service().Call(w.Context(), other, pool.Task{Tag: 2})
			panic(wago.HostTrap{Err: err})
		}
		w.Hold(never)
		return rig.Return
	}
}

func TestACallThatEndsWithItsPoolsCreatorDoesNotEndTheCallersPool(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, rig.Config{Bubble: true}, pool.PoolOptions{MinWorkers: 2})
		creator := b.Owner()
		other, err := b.Service.Create(creator.Caller, rig.EntryLoop, pool.PoolOptions{})
		require.NoError(t, err)
		b.Act(failsInACall(other))
		b.submit(1)
		b.Eventually(func() bool { return b.statsOf(other).Running == 1 }, "it waits for the other pool")
		require.NoError(t, creator.Close())
		b.until(func(s pool.PoolStats) bool { return s.Failed == 1 }, "it has failed")
		assert.Equal(t, []pool.PoolID{b.id}, b.Service.List())
		assert.ErrorIs(t, b.stats().LastExit.Err, workers.ErrWorkerParentClosed, "so it does speak of a creator's end")
		assert.EqualValues(t, 2, b.settle().Live)
	})
}

func TestATimeoutDuringACallEndsItsWorkerOnly(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, rig.Config{Bubble: true}, pool.PoolOptions{})
		timed := b.another(pool.PoolOptions{MinWorkers: 2, TaskTimeout: time.Second})
		b.Act(failsInACall(b.id))
		_, err := b.Service.Call(context.Background(), timed, pool.Task{Tag: 1})
		require.ErrorIs(t, err, pool.ErrTaskTimeout)
		b.Eventually(func() bool { return b.statsOf(timed).Exited == 1 }, "its worker has gone")
		assert.ElementsMatch(t, []pool.PoolID{b.id, timed}, b.Service.List())
		assert.EqualValues(t, 1, b.statsOf(timed).Live, "its sibling")
		require.NoError(t, b.Service.Reconcile(b.owner.Caller, timed))
		assert.EqualValues(t, 2, b.statsOf(timed).Live)
	})
}
