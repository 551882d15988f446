package host_test

import (
	"encoding/json"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/cmd/internal/guest"
	"github.com/JairusSW/pool/cmd/internal/host"
	"github.com/wago-org/wago/wasi"
	"github.com/wago-org/workers"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func options() host.Options {
	return host.Options{
		Plugin: guest.New(nil, guest.NewAnswers(0)).Provider(), Workers: 2,
		QueueBytes: workers.DefaultWorkerMaxQueueBytes, MemoryPages: 16, Stderr: io.Discard, Name: "guest",
	}
}

func TestEveryPluginIsLoadedBehindWhatItNeeds(t *testing.T) {
	rt, err := host.New(t.Context(), options())
	require.NoError(t, err)
	defer func() { require.NoError(t, rt.Close()) }()
	place := make(map[string]int)
	for i, def := range rt.Plugins() {
		place[def.ID] = i
	}
	require.Len(t, place, 4)
	assert.Contains(t, place, wasi.PluginID)
	assert.Less(t, place[workers.PluginID], place[pool.PluginID])
	assert.Less(t, place[pool.PluginID], place[guest.PluginID])
}

func TestPoolsConfigurationIsChecked(t *testing.T) {
	o := options()
	o.PoolConfig = json.RawMessage(`{"maxPools": "many"}`)
	_, err := host.New(t.Context(), o)
	var refused *pool.ConfigError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "maxPools", refused.Field)
	assert.ErrorAs(t, err, new(*host.ConfigError))
}

func TestCeilingsFollowTheWorkersUnlessTheyAreGiven(t *testing.T) {
	tests := map[string]struct {
		config string
		want   error
	}{
		"none given":          {``, nil},
		"another given":       {`{"maxPools": 1}`, nil},
		"enough":              {`{"maxWorkersPerPool": 300, "maxTotalWorkers": 300}`, nil},
		"too few for a pool":  {`{"maxWorkersPerPool": 2}`, &host.CeilingError{Setting: "maxWorkersPerPool", Limit: 2, Wanted: 300}},
		"too few in all":      {`{"maxTotalWorkers": 100}`, &host.CeilingError{Setting: "maxWorkersPerPool", Limit: 100, Wanted: 300}},
		"the total is raised": {`{"maxWorkersPerPool": 256}`, &host.CeilingError{Setting: "maxWorkersPerPool", Limit: 256, Wanted: 300}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := options()
			o.Workers, o.PoolConfig = 300, json.RawMessage(test.config)
			rt, err := host.New(t.Context(), o)
			assert.Equal(t, test.want, err)
			if rt != nil {
				assert.NoError(t, rt.Close())
			}
		})
	}
}

func TestSizesAreRoundedUp(t *testing.T) {
	for n, want := range map[uint64]string{
		1: "1 bytes", 1 << 16: "64 KiB", 1 << 26: "64 MiB", 1<<26 + 1: "64.1 MiB", 4 << 30: "4 GiB", 4<<30 + 1<<16: "4.1 GiB",
	} {
		assert.Equal(t, want, host.Size(n))
	}
}

func TestTheBudgetIsCheckedBeforeAnythingRuns(t *testing.T) {
	o := options()
	o.Workers = 1025
	_, err := host.New(t.Context(), o)
	assert.Equal(t, &host.BudgetError{Workers: 1025, Budget: 1024}, err)
	require.ErrorIs(t, err, host.ErrBudget)
}

func TestAWorkerIsChargedWhatItsMemoryCanGrowTo(t *testing.T) {
	o := options()
	o.MemoryPages = 1 << 14 // 1 GiB
	rt, err := host.New(t.Context(), o)
	require.NoError(t, err)
	defer func() { require.NoError(t, rt.Close()) }()
	wasm, err := os.ReadFile("../../../testdata/guests/echo.wasm")
	require.NoError(t, err)
	module, err := rt.Compile(wasm)
	require.NoError(t, err)
	assert.NoError(t, host.CheckBudget(4, module))
	assert.Equal(t, &host.BudgetError{Workers: 5, Each: 1 << 30, Budget: 4 << 30}, host.CheckBudget(5, module))

	wasm, err = os.ReadFile("../../../testdata/guests/refused/returns.wasm") // has no memory
	require.NoError(t, err)
	module, err = rt.Compile(wasm)
	require.NoError(t, err)
	assert.NoError(t, host.CheckBudget(1000, module))
}
