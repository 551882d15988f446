package service_test

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestThePoolThatDrainedLastGivesWayLast(t *testing.T) {
	b := newBench(t, rig.Config{Settings: map[string]string{pool.PluginID: `{"maxPools": 3}`}}, pool.PoolOptions{})
	first := b.id
	for range 3 {
		b.id = b.another(pool.PoolOptions{})
		require.NoError(t, promptlyDrained(b))
	}
	b.id = first
	require.NoError(t, promptlyDrained(b)) // the last of four
	b.another(pool.PoolOptions{})
	assert.Contains(t, b.Service.List(), first)
}

func TestACreateThatFailsMakesNoDrainedPoolGiveWay(t *testing.T) {
	b := newBench(t, rig.Config{Settings: map[string]string{pool.PluginID: `{"maxPools": 1}`}}, pool.PoolOptions{})
	first := b.id
	require.NoError(t, promptlyDrained(b))
	b.id = b.another(pool.PoolOptions{})
	require.NoError(t, promptlyDrained(b))
	b.OnSpawn(func(int) error { return errSpawn })
	_, err := b.Service.Create(b.owner.Caller, rig.EntryLoop, pool.PoolOptions{})
	require.Error(t, err)
	assert.Contains(t, b.Service.List(), first)
}
