package pooltest_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
	"github.com/JairusSW/pool/pooltest/internal/recorder"
	"github.com/stretchr/testify/assert"
	"github.com/wago-org/wago"
)

func TestALedgerThatDoesNotAddUpIsReported(t *testing.T) {
	whole := pool.PoolStats{
		Pool: 3, Submitted: 12, Routed: 9, Rejected: 1, Shed: 2,
		Done: 2, FailedTasks: 1, Dropped: 1, Queued: 3, Running: 2, Outstanding: 1, Parked: 2,
	}
	assert.Empty(t, recorder.Complaints(t, func(tb testing.TB) { pooltest.CheckLedger(tb, whole) }))
	for name, c := range map[string]struct {
		harm func(*pool.PoolStats)
		want string
	}{
		"a lost task":              {func(s *pool.PoolStats) { s.Done-- }, "routed is 9, and 1 done"},
		"a task counted twice":     {func(s *pool.PoolStats) { s.Running++ }, "routed is 9, and"},
		"a parked task unseen":     {func(s *pool.PoolStats) { s.Parked-- }, "queued is 3, and 1 outstanding + 1 parked are 2"},
		"a call counted twice":     {func(s *pool.PoolStats) { s.Submitted++ }, "submitted is 13, and 9 routed + 1 rejected + 2 shed"},
		"a call that isn't there":  {func(s *pool.PoolStats) { s.Submitted-- }, "submitted is 11"},
		"a broadcast's extra call": {func(s *pool.PoolStats) { s.Submitted++; s.Strategy = pool.Broadcast }, "submitted is 13"},
	} {
		t.Run(name, func(t *testing.T) {
			stats := whole
			c.harm(&stats)
			got := recorder.Complaints(t, func(tb testing.TB) { pooltest.CheckLedger(tb, stats) })
			assert.Contains(t, got, "the ledger of pool 3 doesn't add up: "+c.want)
		})
	}
	legs := whole
	legs.Submitted, legs.Strategy = 4, pool.Broadcast
	got := recorder.Complaints(t, func(tb testing.TB) { pooltest.CheckLedger(tb, legs) })
	assert.Empty(t, got, "a broadcast is one call and many tasks")
}

// forgetful is a double whose stats have lost a task.
type forgetful struct{ pool.Service }

func (f forgetful) Stats(id pool.PoolID) (pool.PoolStats, error) {
	stats, err := f.Service.Stats(id)
	stats.Done++
	return stats, err
}

func TestWhatGoesWrongIsReported(t *testing.T) {
	onlyADouble := func(s pool.Service) pool.Service { return forgetful{s} }
	for name, c := range map[string]struct {
		config pooltest.Config
		wrong  func(*pooltest.Kit)
		want   string
	}{
		"a plugin that can't be loaded": {
			pooltest.Config{Settings: map[string]string{pool.PluginID: `{"maxPools": 0}`}}, nil, "loading the plugins",
		},
		"a configuration of nobody": {pooltest.Config{Settings: map[string]string{"example.com/x": `{}`}}, nil, "example.com/x"},
		"a guest that is none": {
			pooltest.Config{}, func(k *pooltest.Kit) { k.Instantiate([]byte("no")) }, "compiling the guest",
		},
		"a guest without its imports": {
			pooltest.Config{}, func(k *pooltest.Kit) { k.Instantiate(k.Adapt(pooltest.Loop, map[string]string{"step": "a.b"})) },
			"instantiating the guest",
		},
		"a guest with another signature": {
			pooltest.Config{Plugins: []wago.PluginProvider{new(mine).provider()}},
			func(k *pooltest.Kit) { k.Instantiate(k.Adapt(pooltest.Loop, map[string]string{"own": "mine.done"})) },
			"the guest imports mine.done as (i32), plugin example.com/mine declares it as (i32, i32)",
		},
		"an owner that owns nothing": {
			pooltest.Config{Plugins: []wago.PluginProvider{new(mine).provider()}},
			func(k *pooltest.Kit) { k.Owner(k.Adapt(pooltest.Loop, map[string]string{"own": "mine.leave"})) },
			"the owner's guest is back instead of in pooltest.own: ",
		},
		"options that are refused": {
			pooltest.Config{},
			func(k *pooltest.Kit) { k.Owner(pooltest.Loop).Create(pool.PoolOptions{Strategy: 99}) },
			"creating a pool: ",
		},
		"stats of nobody": {pooltest.Config{}, func(k *pooltest.Kit) { k.Quiet(99) }, "the stats of pool 99"},
		"stats that don't add up": {
			pooltest.Config{Double: onlyADouble},
			func(k *pooltest.Kit) { k.Stats(k.Owner(pooltest.Loop).Create(pool.PoolOptions{})) },
			"the ledger of pool 1 doesn't add up",
		},
		"what doesn't come": {
			pooltest.Config{},
			func(k *pooltest.Kit) { k.Eventually("the flying pig", func() bool { return false }) },
			"still waiting after 20s: the flying pig",
		},
		"a broadcast that was not announced": {
			pooltest.Config{}, broadcast, "the ledger of pool 1 doesn't add up: submitted is 1, and 2 routed",
		},
		"a broadcast that was": {pooltest.Config{Broadcasts: true}, broadcast, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got := recorder.Complaints(t, func(tb testing.TB) {
					var kit *pooltest.Kit
					defer func() {
						if kit != nil {
							kit.Close()
						}
					}()
					if kit = pooltest.Start(tb, c.config); c.wrong != nil {
						c.wrong(kit)
					}
				})
				if c.want == "" {
					assert.Empty(t, got)
				}
				assert.Contains(t, got, c.want)
			})
		})
	}
}

func broadcast(k *pooltest.Kit) {
	id := k.Owner(pooltest.Loop).Create(pool.PoolOptions{MinWorkers: 2})
	_, _ = k.Service.Broadcast(id, 1, nil)
}

func TestAnObserverThatPanicsIsReportedWhenTheRuntimeCloses(t *testing.T) {
	got := recorder.Complaints(t, func(tb testing.TB) {
		kit := pooltest.Start(tb, pooltest.Config{})
		defer kit.Close()
		_, err := kit.Service.ObserveEvents(func(*pool.PoolEvent) { panic("observed") })
		assert.NoError(t, err)
		kit.Owner(pooltest.Loop).Create(pool.PoolOptions{})
	})
	assert.Contains(t, got, "closing the runtime")
	assert.Contains(t, got, "observed")
}

func TestAGuestIsAdaptedOnlyWhereItImports(t *testing.T) {
	kit := pooltest.Start(t, pooltest.Config{})
	for name, c := range map[string]struct {
		guest   []byte
		imports map[string]string
		want    string
	}{
		"a name it doesn't import": {pooltest.Loop, map[string]string{"next": "a.b", "done": "a.c"}, "it imports no done, next that"},
		"the kit's own turn":       {pooltest.Echo, map[string]string{"turn": "a.b"}, "it imports no turn that"},
		"a name without a module":  {pooltest.Loop, map[string]string{"step": "b"}, `step is to be "b"`},
		"no module at all":         {[]byte("short"), nil, "it is not one of the kit's guests"},
		"half a module":            {pooltest.Loop[:40], nil, "it is not one of the kit's guests"},
	} {
		t.Run(name, func(t *testing.T) {
			guest := fmt.Sprintf("%x", c.guest)
			got := recorder.Complaints(t, func(tb testing.TB) { pooltest.OnTest(kit, tb).Adapt(c.guest, c.imports) })
			assert.Contains(t, got, "adapting the guest: "+c.want)
			assert.Equal(t, guest, fmt.Sprintf("%x", c.guest), "the original stays as it is")
		})
	}
	assert.Equal(t, pooltest.Echo, kit.Adapt(pooltest.Echo, nil))
	same := map[string]string{"own": "pooltest.own", "next": "pooltest.next", "done": "pooltest.done"}
	assert.Equal(t, pooltest.Echo, kit.Adapt(pooltest.Echo, same))
}
