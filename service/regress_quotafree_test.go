package service_test

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"
)

// Workers frees a worker's quota after its exit observers, and one of these is what wakes Destroy.
func TestTheQuotaIsFreeWhenDestroyReturns(t *testing.T) {
	r := rig.New(t, rig.Config{Settings: map[string]string{workers.PluginID: `{"maxLiveWorkers": 1}`}})
	owner := r.Owner()
	for range size(3000, 1000) {
		id, err := r.Service.Create(owner.Caller, rig.EntryLoop, pool.PoolOptions{})
		require.NoError(t, err)
		require.NoError(t, r.Service.Destroy(id))
	}
}
