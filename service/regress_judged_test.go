package service_test

import (
	"testing"
	"time"

	"github.com/JairusSW/pool/internal/workerstest"
	"github.com/JairusSW/pool/service"
	"github.com/JairusSW/pool/supervise"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A worker that is stopped by a verdict stays for a while. When the size has come down meanwhile, its place is the one that went:
// its end takes none from the others.
func TestAPlaceThatTheSizeHasDoneWithoutIsNotGivenUpAgain(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStage(t, 0)
		id := s.create(service.Options{
			MaxWorkers: 2, TargetPerWorker: 1, Restart: supervise.Never,
			TaskTimeout: 50 * time.Millisecond, ScaleDownDelay: time.Millisecond,
		})
		require.NoError(t, s.Pools.Scale(s.owner.Caller, id, 2))
		s.Settle()
		s.submit(id, 1, 2)
		slow, quick := s.worker(id, 0), s.worker(id, 1)
		slow.Stubborn()
		s.take(slow)
		time.Sleep(20 * time.Millisecond)
		s.take(quick)
		time.Sleep(40 * time.Millisecond) // the verdict on the slow one, and the delay
		stats := s.stats(id)
		require.EqualValues(t, 1, stats.FailedTasks)
		require.EqualValues(t, 1, stats.Desired, "for the load of the other")
		require.NoError(t, slow.End(workerstest.Return))
		s.Settle()
		require.EqualValues(t, 1, s.stats(id).Exited)
		require.NoError(t, quick.Take()) // the next, and has done what it has
		s.Settle()
		stats = s.stats(id)
		assert.EqualValues(t, 1, stats.Live)
		assert.EqualValues(t, 1, stats.Desired)
		s.reconcile(id)
		assert.EqualValues(t, 1, s.stats(id).Live)
	})
}
