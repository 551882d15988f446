package service_test

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestARetiredRawWorkerThatIsKilledHasNotDoneItsTask has a worker that takes from Workers directly be retired while it has a
// task in hand (of a raw worker only the mailbox is known), and then be killed by somebody else. Only a retirement that is
// itself a kill, where Workers has no Retire, settles the task as done.
func TestARetiredRawWorkerThatIsKilledHasNotDoneItsTask(t *testing.T) {
	gate := make(chan struct{})
	b := newRaw(t, rig.Config{Behaviour: func(w *rig.Worker, task pool.Task) rig.Act {
		w.Hold(gate) // until it is killed
		return rig.Trap
	}}, pool.PoolOptions{MinWorkers: 1, MaxWorkers: 2})
	b.scale(2)
	b.submit(1, 2)
	stats := b.until(func(s pool.PoolStats) bool { return s.Queued == 0 && s.Running == 2 }, "taken")
	listed := []pool.WorkerID{stats.Workers[0].ID, stats.Workers[1].ID}
	b.scale(1)
	stats = b.stats()
	require.Len(t, stats.Workers, 1, "one is retired")
	victim := listed[0]
	if victim == stats.Workers[0].ID {
		victim = listed[1]
	}
	require.NoError(t, b.Workers.Kill(victim))
	stats = b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "killed")
	assert.EqualValues(t, 1, stats.FailedTasks, "it was killed with the task in hand, and its guest trapped")
	assert.Zero(t, stats.Done)
}
