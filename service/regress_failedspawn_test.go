package service_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// It is tried again after a second, or when a worker of the process ends.
func TestASpawnThatFailedIsNotTriedAgainWithEveryTask(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, rig.Config{Bubble: true}, pool.PoolOptions{MinWorkers: pool.NoWorkers, MaxWorkers: 2, TargetPerWorker: 1})
		var tries atomic.Int64
		b.OnSpawn(func(int) error { tries.Add(1); return errSpawn }) // a start section that traps does the same
		over := b.supervise()
		for tag := range uint64(100) {
			b.submit(tag)
			<-time.After(time.Millisecond)
			synctest.Wait()
		}
		assert.LessOrEqual(t, tries.Load(), int64(4), "in 0.1 s, by a pool of at most 2")
		require.NoError(t, b.Service.Destroy(b.id))
		<-over
	})
}
