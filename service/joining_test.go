package service_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
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

// gazing has every pool looked at while f runs, which holds its lock: workers are further along by the time they join.
func gazing(r *rig.Rig, f func()) {
	over := make(chan struct{})
	var looking sync.WaitGroup
	for range 2 {
		looking.Go(func() {
			for !closed(over) {
				for _, id := range r.Service.List() {
					_, _ = r.Service.Stats(id) // it may be gone
				}
			}
		})
	}
	f()
	close(over)
	looking.Wait()
}

func TestTheFirstTaskOfAWorkerThatIsJustJoiningIsPoolsOwn(t *testing.T) {
	t.Parallel()
	const workers = 16
	b := newBench(t, rig.Config{Quiet: true}, pool.PoolOptions{})
	b.Act(rig.HoldUntil(never))
	for range size(5, 3) {
		gazing(b.Rig, func() {
			b.id = b.another(pool.PoolOptions{MinWorkers: workers, Restart: pool.RestartNever, TaskTimeout: time.Millisecond})
		})
		b.submit(span(1, workers)...)
		b.until(func(s pool.PoolStats) bool { return s.FailedTasks == workers }, "each is known to be in hand, and for too long")
		require.NoError(t, b.Service.Destroy(b.id))
	}
}

func TestAWorkerThatEndsBeforeItHasJoinedIsSeenToEnd(t *testing.T) {
	t.Parallel()
	r := rig.New(t, rig.Config{Quiet: true})
	b := &bench{Rig: r, owner: r.Owner()}
	for range size(5, 3) {
		var err error
		opts := pool.PoolOptions{MinWorkers: 16, Restart: pool.RestartNever}
		gazing(r, func() { b.id, err = r.Service.Create(b.owner.Caller, rig.EntryTraps, opts) })
		if err != nil {
			require.ErrorIs(t, err, pool.ErrPoolHalted) // so many that take nothing are no recovery
			continue
		}
		b.until(func(s pool.PoolStats) bool { return s.Live == 0 && s.Exited == 16 }, "everybody is seen to end")
		require.NoError(t, r.Service.Destroy(b.id))
	}
	r.Eventually(func() bool { return r.LiveWorkers() == 0 }, "nobody left")
}
