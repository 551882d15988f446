package service_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/JairusSW/pool/internal/workerstest"
	"github.com/JairusSW/pool/service"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"
)

// TestACallThatMeetsTheHaltOfAPoolThatParksIsToldSo has the pool's last worker end, and halt it, while a Call has found the pool
// in order and offers its task to that worker.
func TestACallThatMeetsTheHaltOfAPoolThatParksIsToldSo(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		fake := fakeworkers.New(fakeworkers.Config{})
		ends := make(chan workers.WorkerID, 1)
		_, err := fake.Service().ObserveExits(func(e *workers.WorkerExitContext) { // before Pool's
			select {
			case ends <- e.WorkerID:
			default:
			}
		})
		require.NoError(t, err)
		s := stageOver(t, fake)
		for range size(50, 20) { // who is first at the pool's lock is chance
			id := s.onItsLastLegs()
			last := s.worker(id, 0)
			for len(ends) > 0 {
				<-ends
			}
			end := sync.OnceFunc(func() {
				_ = last.End(workerstest.Trap) // it waits for an order
				<-ends
				for range 100 {
					runtime.Gosched() // Pool learns of it, and waits for this offer with its lock held
				}
			})
			fake.Hook(fakeworkers.Hooks{Send: func(workers.WorkerID) error {
				end()
				return workers.ErrWorkerNotFound
			}})
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			_, err := s.Pools.Call(ctx, id, service.Task{Tag: 3})
			cancel()
			require.ErrorIs(t, err, service.ErrPoolHalted)
			fake.Hook(fakeworkers.Hooks{})
			s.Settle()
		}
	})
}

// TestAPoolThatIsHaltedWhileALowerSizeIsPendingSleeps has a clock that stands still while anybody is awake.
func TestAPoolThatIsHaltedWhileALowerSizeIsPendingSleeps(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		gate := make(chan struct{})
		config := budget("32")
		config.Bubble = true
		config.Behaviour = func(w *rig.Worker, task pool.Task) rig.Act {
			if task.Tag == 666 {
				return rig.Trap
			}
			w.Hold(gate)
			return rig.Next
		}
		b := newBench(t, config, pool.PoolOptions{
			MaxWorkers: 4, TargetPerWorker: 1, ScaleDownDelay: 8 * time.Second, MaxRestarts: 1,
		})
		b.supervise()
		b.submit(span(1, 4)...)
		synctest.Wait()
		require.EqualValues(t, 4, b.stats().Live)
		close(gate) // a lower size is wanted, and pending
		synctest.Wait()
		for !b.stats().Halted {
			b.submit(666)
			synctest.Wait()
		}
		live := b.stats().Live
		require.Greater(t, live, uint32(1))
		time.Sleep(time.Minute)
		require.Equal(t, live, b.stats().Live, "a halted pool keeps its size")
		require.NoError(t, b.Service.Rearm(b.id))
		time.Sleep(time.Minute)
		require.EqualValues(t, 1, b.stats().Live)
	})
}

// onItsLastLegs makes a pool without a floor whose only worker has tasks and is not going to be replaced.
func (s *stage) onItsLastLegs() service.ID {
	s.t.Helper()
	id := s.create(service.Options{MinWorkers: service.NoWorkers, MaxWorkers: 1, TargetPerWorker: 1, MaxRestarts: 1})
	s.submit(id, 1)
	s.reconcile(id)
	first := s.worker(id, 0)
	s.take(first)
	require.NoError(s.t, first.End(workerstest.Trap))
	s.Settle()
	s.submit(id, 2)
	s.reconcile(id)
	s.take(s.worker(id, 0))
	return id
}
