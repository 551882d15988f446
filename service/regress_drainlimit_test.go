package service_test

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Found by the soak: a spawn that is refused when the pool has begun to drain meanwhile limits nobody.
func TestADrainingPoolIsNeverLimited(t *testing.T) {
	b := newBench(t, rig.Config{}, pool.PoolOptions{MinWorkers: 1, MaxWorkers: 2})
	rec := record(b.Rig)
	b.OnSpawn(func(int) error {
		if err := b.Service.Drain(b.id); err != nil {
			return err
		}
		return errSpawn
	})
	require.Error(t, b.Service.Scale(b.owner.Caller, b.id, 2))
	assert.False(t, b.stats().Limited)
	rec.await(pool.PoolDrained, 1)
	assert.Empty(t, rec.of(pool.PoolLimited))
}
