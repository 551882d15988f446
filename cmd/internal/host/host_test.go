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
	"github.com/wago-org/wago"
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

func TestPoolsConfigurationIsPassedOn(t *testing.T) {
	o := options()
	o.PoolConfig = json.RawMessage(`{"maxPools": "many"}`)
	_, err := host.New(t.Context(), o)
	var refused *wago.PluginError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, pool.PluginID, refused.Plugin)
	assert.Equal(t, wago.PluginPhaseConfigure, refused.Phase)
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
