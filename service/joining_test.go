package service_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A worker is in DispatchNext before its Spawn returns: the first task may reach it while it is becoming a member.
func TestATaskForAWorkerThatIsJustJoiningIsTaken(t *testing.T) {
	t.Parallel()
	const pools, each = 4, 2
	var joined atomic.Int64
	b := newBench(t, rig.Config{Quiet: true}, pool.PoolOptions{})
	_, err := b.Service.ObserveEvents(func(e *pool.PoolEvent) {
		if e.Kind != pool.PoolWorkerAdded {
			return
		}
		defer joined.Add(1)
		for range 10_000 { // the worker can be sent to in a moment
			if _, err := b.Service.Submit(e.Pool, 1, nil); err != pool.ErrPoolEmpty {
				return
			}
		}
	})
	require.NoError(t, err)
	for range size(150, 50) {
		joined.Store(0)
		ids := [pools]pool.PoolID{}
		for i := range ids {
			ids[i] = b.another(pool.PoolOptions{MinWorkers: each})
		}
		b.Eventually(func() bool { return joined.Load() == pools*each }, "everybody joined")
		for _, id := range ids {
			b.id = id
			b.quiet()
			require.NoError(t, b.Service.Destroy(id))
		}
	}
}

// gaze has every pool looked at all the time, which holds its lock: workers are further along by the time they join.
func gaze(t *testing.T, r *rig.Rig) {
	over := make(chan struct{})
	var gazing sync.WaitGroup
	for range 3 {
		gazing.Go(func() {
			for !closed(over) {
				for _, id := range r.Service.List() {
					_, _ = r.Service.Stats(id) // it may be gone
				}
			}
		})
	}
	t.Cleanup(func() {
		close(over)
		gazing.Wait()
	})
}

func TestTheFirstTaskOfAWorkerThatIsJustJoiningCountsAsItsLoad(t *testing.T) {
	t.Parallel()
	const workers = 32
	b := newBench(t, rig.Config{Quiet: true}, pool.PoolOptions{})
	gaze(t, b.Rig)
	b.Act(rig.HoldUntil(never))
	for range size(4, 2) {
		b.id = b.another(pool.PoolOptions{Strategy: pool.LeastLoaded, MinWorkers: workers})
		b.submit(span(1, workers)...)
		b.running(workers)
		b.submit(span(1, workers)...)
		for _, w := range b.stats().Workers {
			assert.EqualValues(t, 1, w.Outstanding)
		}
		require.NoError(t, b.Service.Destroy(b.id))
	}
}

func TestAWorkerThatEndsBeforeItHasJoinedIsSeenToEnd(t *testing.T) {
	t.Parallel()
	r := rig.New(t, rig.Config{Quiet: true})
	gaze(t, r)
	b := &bench{Rig: r, owner: r.Owner()}
	for range size(4, 2) {
		var err error
		b.id, err = r.Service.Create(b.owner.Caller, rig.EntryTraps, pool.PoolOptions{MinWorkers: 32, Restart: pool.RestartNever})
		if err != nil {
			require.ErrorIs(t, err, pool.ErrPoolHalted) // so many that take nothing are no recovery
			continue
		}
		b.until(func(s pool.PoolStats) bool { return s.Live == 0 && s.Exited == 32 }, "everybody is seen to end")
		require.NoError(t, r.Service.Destroy(b.id))
	}
	r.Eventually(func() bool { return r.LiveWorkers() == 0 }, "nobody left")
}
