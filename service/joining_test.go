package service_test

import (
	"sync/atomic"
	"testing"

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
