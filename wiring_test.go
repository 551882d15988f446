package pool_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
	"github.com/wago-org/workers"
)

func TestContractGraphRoutesAndScales(t *testing.T) {
	c := &consumer{}
	r := rig.New(t, rig.Config{Plugins: []wago.PluginProvider{c.provider()}})
	assert.Equal(t, []string{workers.PluginID, pool.PluginID}, order(r.Runtime, workers.PluginID, pool.PluginID))
	assert.Equal(t, []string{pool.PluginID, consumerID}, order(r.Runtime, pool.PluginID, consumerID))

	owner := r.Owner()
	id, err := r.Service.Create(owner.Caller, rig.EntryLoop, pool.PoolOptions{MinWorkers: 2, MaxWorkers: 4})
	require.NoError(t, err)
	assert.EqualValues(t, 2, live(r, id))

	var tags []uint64
	for tag := range uint64(20) {
		_, err := r.Service.Submit(id, tag, fmt.Append(nil, "payload ", tag))
		require.NoError(t, err)
		tags = append(tags, tag)
	}
	r.Eventually(func() bool { return slices.Equal(tags, r.Finished()) }, "every task delivered once")
	for _, entry := range r.Log() {
		assert.Equal(t, fmt.Sprint("payload ", entry.Task.Tag), string(entry.Task.Payload))
	}

	require.NoError(t, r.Service.Scale(owner.Caller, id, 4))
	assert.EqualValues(t, 4, live(r, id))
	assert.Equal(t, []pool.PoolID{id}, r.Service.List())

	kept := r.Service.Service
	r.Close()
	assert.ErrorIs(t, c.pools.With(func(pool.Service) error { return nil }), wago.ErrPermissionDenied)
	assert.ErrorIs(t, c.workers.With(func(workers.Service) error { return nil }), wago.ErrPermissionDenied)
	assert.Empty(t, kept.List())
}

func TestProviderRejectsMissingWorkersAndStrictConfig(t *testing.T) {
	alone, err := rig.Select([]wago.PluginProvider{pool.Provider()}, nil)
	require.NoError(t, err)
	var refusal *wago.PluginError
	require.ErrorAs(t, wago.ValidatePluginSet(alone), &refusal)
	assert.Equal(t, wago.PluginPhaseResolve, refusal.Phase)
	assert.Equal(t, pool.PluginID, refusal.Plugin)

	for _, text := range []string{
		`null`, `[]`, `{"maxPools":null}`, `{"maxPools":0}`, `{"unknown":1}`, `{"maxPools":1,"maxPools":1}`,
		`{"maxWorkersPerPool":11,"maxTotalWorkers":10}`,
	} {
		err := wago.ValidatePluginSet(both(t, text))
		require.ErrorAs(t, err, &refusal, text)
		assert.Equal(t, wago.PluginPhaseConfigure, refusal.Phase, text)
		assert.ErrorIs(t, err, pool.ErrInvalidConfig, text)
	}
	require.NoError(t, wago.ValidatePluginSet(both(t, "")))
}

func TestOptimalWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	assert.EqualValues(t, 3, pool.OptimalWorkers())
	runtime.GOMAXPROCS(1)
	assert.EqualValues(t, 1, pool.OptimalWorkers())
}

func both(t testing.TB, config string) wago.PluginSet {
	t.Helper()
	set, err := rig.Select([]wago.PluginProvider{pool.Provider(), workers.Provider()}, map[string]string{pool.PluginID: config})
	require.NoError(t, err)
	return set
}

// order returns which of the plugins were activated, in that order.
func order(rt *wago.Runtime, among ...string) (ids []string) {
	for _, d := range rt.Plugins() {
		if slices.Contains(among, d.ID) {
			ids = append(ids, d.ID)
		}
	}
	return ids
}

func live(r *rig.Rig, id pool.PoolID) uint32 {
	r.T.Helper()
	stats, err := r.Service.Stats(id)
	require.NoError(r.T, err)
	return stats.Live
}

const consumerID = "example.com/pool/consumer"

// consumer is a plugin that only holds references.
type consumer struct {
	pools   *wagoplugin.Ref[pool.Service]
	workers *wagoplugin.Ref[workers.Service]
}

func (c *consumer) provider() wago.PluginProvider {
	return wago.PluginProvider{
		Definition: wago.PluginDefinition{
			ID: consumerID, Version: "1.0.0",
			Provenance: wago.PluginProvenance{Repository: "https://example.com/pool/consumer", License: "Apache-2.0"},
			Requires:   []wago.PluginRequirement{{ID: pool.PluginID, Version: "^0.1.0"}, {ID: workers.PluginID, Version: "^0.1.0"}},
			Consumes: []wago.ContractRequirement{
				{ID: pool.Contract.ID(), Major: 1, Mode: wago.ContractRequired},
				{ID: workers.Contract.ID(), Major: 1, Mode: wago.ContractRequired},
			},
		},
		New: func() wago.Plugin { return pluginFunc(c.register) },
	}
}

func (c *consumer) register(reg *wago.Registrar) (err error) {
	if c.pools, err = wagoplugin.Require(reg, pool.Contract); err != nil {
		return err
	}
	c.workers, err = wagoplugin.Require(reg, workers.Contract)
	return err
}
