package service_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mixed is a fixed pool under a racing load of every kind.
type mixed struct {
	*bench
	over chan struct{}
	all  sync.WaitGroup
}

// every runs f again and again until the load is over.
func (m *mixed) every(pause time.Duration, f func()) {
	m.all.Go(func() {
		var tick <-chan time.Time
		if pause > 0 {
			ticker := time.NewTicker(pause)
			defer ticker.Stop()
			tick = ticker.C
		}
		for !closed(m.over) {
			f()
			if tick != nil {
				<-tick
			}
		}
	})
}

// TestPC06CountersAreExactUnderAMixedRacingLoad lasts 5 s, 1 s under -short.
func TestPC06CountersAreExactUnderAMixedRacingLoad(t *testing.T) {
	t.Parallel()
	m := &mixed{over: make(chan struct{}), bench: newBench(t, rig.Config{Quiet: true, Behaviour: mixedFate}, pool.PoolOptions{
		Strategy: pool.PowerOfTwo, MinWorkers: 2, MaxWorkers: 8, MaxRestarts: 1 << 30, Overflow: pool.OverflowReject,
		Worker: pool.WorkerOptions{QueueCapacity: 8},
	})}
	for range 16 {
		m.every(0, m.submitOne)
	}
	m.every(0, func() { assert.NoError(t, m.Service.Reconcile(m.owner.Caller, m.id)) })
	m.every(time.Millisecond, func() { assert.NoError(t, m.Service.Scale(m.owner.Caller, m.id, 2+rand.Uint32N(7))) })
	m.every(time.Millisecond, func() {
		sub, err := m.Service.ObserveEvents(func(*pool.PoolEvent) {})
		assert.NoError(t, err)
		assert.NoError(t, m.Service.UnsubscribeEvents(sub))
	})
	var last pool.PoolStats
	m.every(time.Millisecond, func() {
		now := m.stats()
		sane(t, last, now)
		last = now
	})
	limit := time.NewTimer(size(5*time.Second, time.Second))
	<-limit.C
	close(m.over)
	m.all.Wait()
	m.Eventually(func() bool { // what is queued still ends workers
		m.reconcile()
		stats := m.stats()
		return stats.Queued+stats.Running == 0
	}, "no task left")
	m.settle()
	stats := m.quiet()
	assert.EqualValues(t, stats.Live, len(stats.Workers))
	assert.EqualValues(t, stats.Live, m.LiveWorkers())
	assert.GreaterOrEqual(t, stats.Live, uint32(2))
	assert.Equal(t, m.Done(), stats.Done, "what guests finished")
	assert.Equal(t, m.Service.Tally(m.id).Accepted, m.Done()+stats.FailedTasks+stats.Dropped, "where every accepted task is")
	assert.NotZero(t, stats.FailedTasks)
	assert.NotZero(t, stats.Done)
	require.False(t, stats.Halted)
}

// mixedFate traps on five of a hundred tags and exits with code 3 on five.
func mixedFate(_ *rig.Worker, task pool.Task) rig.Act {
	switch n := task.Tag % 100; {
	case n < 5:
		return rig.Trap
	case n < 10:
		return rig.Exit(3)
	}
	return rig.Next
}

func (m *mixed) submitOne() {
	tag := rand.Uint64()
	switch n := rand.IntN(100); {
	case n < 80:
		_, _ = m.Service.Submit(m.id, tag, nil) // full at times: counted by the rig
	case n < 95:
		_, _ = m.Service.SubmitKeyed(m.id, tag, tag, nil)
	default:
		_, _ = m.Service.Broadcast(m.id, tag, nil)
	}
}

// sane holds what is true of every sample, and of each against the one before.
func sane(t *testing.T, before, now pool.PoolStats) {
	for name, counter := range map[string][2]uint64{
		"Done": {before.Done, now.Done}, "FailedTasks": {before.FailedTasks, now.FailedTasks},
		"Dropped": {before.Dropped, now.Dropped}, "Restarted": {before.Restarted, now.Restarted},
		"Routed": {before.Routed, now.Routed}, "Submitted": {before.Submitted, now.Submitted},
		"Rejected": {before.Rejected, now.Rejected}, "Exited": {before.Exited, now.Exited},
		"Redelivered": {before.Redelivered, now.Redelivered},
	} {
		assert.GreaterOrEqual(t, counter[1], counter[0], "%s goes down", name)
		assert.Less(t, counter[1], uint64(1)<<31, name)
	}
	if before.Live >= 2 && now.Live < 2 {
		assert.Greater(t, now.Failed, before.Failed, "fewer than Min, and nobody died")
	}
	assert.LessOrEqual(t, now.Live, uint32(8))
	assert.LessOrEqual(t, len(now.Workers), 8)
	assert.Less(t, now.Queued, uint64(8*8*3))
	assert.LessOrEqual(t, now.Running, uint64(8))
	assert.Equal(t, now.Routed, now.Done+now.FailedTasks+now.Dropped+now.Queued+now.Running, "one consistent snapshot")
}
