package service_test

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/JairusSW/pool/internal/workerstest"
	"github.com/JairusSW/pool/service"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"
)

func TestABroadcastNamesNoWorkerThatHasBeenReportedGone(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStage(t, 0)
		removed := make(chan service.WorkerID, 8)
		var named []service.WorkerID // by the observer, which is read when everything is settled
		_, err := s.Pools.ObserveEvents(func(e *service.Event) {
			switch e.Kind {
			case service.PoolWorkerRemoved:
				removed <- e.Worker
			case service.PoolTaskRejected:
				named = append(named, e.Worker)
			}
		})
		require.NoError(t, err)
		id := s.create(service.Options{MinWorkers: 3, Worker: service.WorkerOptions{QueueCapacity: 1}})
		s.submit(id, 1, 2)
		goes, stays, roomy := s.worker(id, 0), s.worker(id, 1), s.worker(id, 2)
		s.fake.Hook(fakeworkers.Hooks{Send: func(to workers.WorkerID) error {
			require.Equal(t, roomy.ID, to)
			require.NoError(t, goes.End(workerstest.Trap))
			require.Equal(t, goes.ID, <-removed) // after the broadcast has found it full
			return nil
		}})
		took, err := s.Pools.Broadcast(id, 3, nil)
		require.NoError(t, err)
		assert.Equal(t, 1, took)
		s.fake.Hook(fakeworkers.Hooks{})
		s.Settle()
		assert.Equal(t, []service.WorkerID{stays.ID}, named)
		assert.EqualValues(t, 2, s.stats(id).Rejected, "counted all the same")
	})
}

func TestAMissedWorkerIsCountedBeforeItIsReported(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStage(t, 0)
		id := s.create(service.Options{MinWorkers: 3, Worker: service.WorkerOptions{QueueCapacity: 1}})
		s.submit(id, 1, 2)
		first, second, roomy := s.worker(id, 0), s.worker(id, 1), s.worker(id, 2)
		var release func() // of the second: the broadcast reports it when the first's event has been looked at
		s.fake.Hook(fakeworkers.Hooks{Send: func(to workers.WorkerID) error {
			require.Equal(t, roomy.ID, to)
			release = s.Pools.HoldWorker(second.ID)
			return nil
		}})
		var counted []uint64
		_, err := s.Pools.ObserveEvents(func(e *service.Event) {
			if e.Kind != service.PoolTaskRejected {
				return
			}
			counted = append(counted, s.Pools.RejectedAtDoor(id))
			if e.Worker == first.ID {
				release()
			}
		})
		require.NoError(t, err)
		took, err := s.Pools.Broadcast(id, 3, nil)
		require.NoError(t, err)
		require.Equal(t, 1, took)
		s.Settle()
		assert.Equal(t, []uint64{2, 2}, counted)
	})
}

func TestABroadcastPoolHasAFloor(t *testing.T) {
	r := rig.New(t, rig.Config{})
	owner := r.Owner()
	_, err := r.Service.Create(owner.Caller, rig.EntryLoop, pool.PoolOptions{
		Strategy: pool.Broadcast, MinWorkers: pool.NoWorkers, MaxWorkers: 2, TargetPerWorker: 1,
	})
	require.ErrorIs(t, err, pool.ErrInvalidPoolOptions)
	var refused *pool.OptionError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "MinWorkers", refused.Option)
	assert.Empty(t, r.Service.List())
}
