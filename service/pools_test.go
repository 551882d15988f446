package service_test

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestTasksReachEveryWorkerOnceThroughRealGuests(t *testing.T) {
	r := rig.New(t, rig.Config{})
	owner := r.Owner()
	id, err := r.Service.Create(owner.Caller, rig.EntryLoop, pool.PoolOptions{MinWorkers: 4})
	require.NoError(t, err)
	for tag := range uint64(200) {
		_, err := r.Service.Submit(id, tag, []byte("payload"))
		require.NoError(t, err)
	}
	r.Eventually(func() bool { return len(r.Finished()) == 200 }, "200 tasks finished")
	stats, err := r.Service.Stats(id)
	require.NoError(t, err)
	require.EqualValues(t, 200, stats.Done)
	for _, w := range stats.Workers {
		require.EqualValues(t, 50, w.Dispatched)
	}
}
