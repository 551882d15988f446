package service_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/JairusSW/pool/internal/workerstest"
	"github.com/JairusSW/pool/service"
	"github.com/JairusSW/pool/supervise"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// Places that a Create had reserved and gives back are no worker's end, of which others would hear.
func TestAPoolThatIsShortOfItsShareGetsWhatAFailedCreateGivesBack(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		gate, held := make(chan struct{}), make(chan struct{})
		b := newBench(t, bubbleBudget("4", rig.HoldUntil(gate)), pool.PoolOptions{MaxWorkers: 4, TargetPerWorker: 1})
		over := b.supervise()
		synctest.Wait()
		other := b.Owner()
		b.OnSpawn(func(n int) error {
			if n > 1 {
				return nil
			}
			<-held
			return errSpawn
		})
		created := async(func() error {
			_, err := b.Service.Create(other.Caller, rig.EntryLoop, pool.PoolOptions{MinWorkers: 3})
			return err
		})
		synctest.Wait()
		b.submit(span(1, 8)...)
		synctest.Wait()
		require.EqualValues(t, 1, b.stats().Live, "three of four places are reserved")
		close(held)
		require.ErrorIs(t, <-created, errSpawn)
		<-time.After(2 * time.Second)
		synctest.Wait()
		assert.EqualValues(t, 4, b.stats().Live)
		close(gate)
		require.NoError(t, b.Service.Drain(b.id))
		require.NoError(t, <-over)
	})
}

func TestSuperviseOfADrainedPoolReturnsNilHoweverSoonItIsDestroyed(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		r := rig.New(t, rig.Config{Bubble: true, Quiet: true})
		owner := r.Owner()
		for range size(300, 100) {
			id, err := r.Service.Create(owner.Caller, rig.EntryLoop, pool.PoolOptions{MinWorkers: 4})
			require.NoError(t, err)
			over := async(func() error { return r.Service.Supervise(context.Background(), owner.Caller, id) })
			synctest.Wait()
			require.NoError(t, r.Service.DrainWait(context.Background(), id))
			require.NoError(t, r.Service.Destroy(id))
			require.NoError(t, <-over)
		}
	})
}

func TestACreateThatTheRestartBudgetEndsIsHaltedAndNotLimited(t *testing.T) {
	s := newTolled(t)
	s.fake.Script(workerstest.Script{Step: func(wago.HostModule) workerstest.Act { return workerstest.Return }})
	ended := make(chan struct{}, 1)
	_, err := s.fake.Service().ObserveExits(func(*workers.WorkerExitContext) { ended <- struct{}{} }) // after the pool's
	require.NoError(t, err)
	s.fake.Hook(fakeworkers.Hooks{Spawned: func(workers.WorkerID) { <-ended }})
	kinds := make(chan service.EventKind, 100)
	_, err = s.ObserveEvents(func(e *service.Event) { kinds <- e.Kind })
	require.NoError(t, err)
	_, err = s.Create(s.caller, 0, service.Options{MinWorkers: 3, MaxRestarts: 1, Restart: supervise.Always})
	require.ErrorIs(t, err, service.ErrPoolHalted)
	var seen []service.EventKind
	for kind := service.EventKind(0); kind != service.PoolDestroyed; seen = append(seen, kind) {
		kind = within(t, testPatience, kinds, "the pool's last event")
	}
	assert.Contains(t, seen, service.PoolHalted)
	assert.NotContains(t, seen, service.PoolLimited)
}
