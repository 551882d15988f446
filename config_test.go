package pool_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// refused are configurations with what is at fault: a field, or how far the text was read.
var refused = []struct {
	name, text string
	field      string
	offset     int64
}{
	{"unknown field", `{"maxPool":1}`, "maxPool", 10},
	{"known field in other letter case", `{"maxpools":1}`, "maxpools", 11},
	{"field twice", `{"maxPools":1,"maxPools":1}`, "maxPools", 24},
	{"field twice in other letter case", `{"maxPools":1,"MAXPOOLS":2}`, "MAXPOOLS", 24},
	{"field twice by Unicode's case folding", `{"maxPools":1,"maxPoolſ":2}`, "maxPoolſ", 25},
	{"null", `null`, "", 4},
	{"field set to null", `{"maxPools":null}`, "maxPools", 16},
	{"array", `[1]`, "", 1},
	{"text instead of an object", `"maxPools"`, "", 10},
	{"extra brace", `{"maxPools":1}}`, "", 14},
	{"second document", `{"maxPools":1} {"maxPools":1}`, "", 16},
	{"words after null", `null and more`, "", 4},
	{"words after the object", `{} and more`, "", 3},
	{"float", `{"maxPools":3.0}`, "maxPools", 15},
	{"exponent", `{"maxPools":1e2}`, "maxPools", 15},
	{"number as text", `{"maxPools":"3"}`, "maxPools", 15},
	{"true", `{"maxPools":true}`, "maxPools", 16},
	{"object as a number", `{"maxPools":{}}`, "maxPools", 13},
	{"zero", `{"maxPools":0}`, "maxPools", 13},
	{"minus one", `{"maxPools":-1}`, "maxPools", 14},
	{"minus zero", `{"maxPools":-0}`, "maxPools", 14},
	{"leading zero", `{"maxPools":01}`, "maxPools", 13},
	{"beyond floats", `{"maxPools":1e400}`, "maxPools", 17},
	{"two to the 53 and one", `{"maxPools":9007199254740993}`, "maxPools", 28},
	{"two to the 32 and one", `{"maxTotalWorkers":4294967297}`, "maxTotalWorkers", 29},
	{"only blanks", "  \n", "", 3},
	{"byte order mark", "\ufeff{}", "", 1},
	{"cut off", `{"maxPools":`, "maxPools", 12},
	{"cut off after a value", `{"maxPools":1`, "", 13},
	{"trailing comma", `{"maxPools":1,}`, "", 14},
	{"no colon", `{"maxPools" 1}`, "maxPools", 12},
	{"NUL", "{}\x00", "", 2},
	{"10 000 arrays", strings.Repeat("[", 10_000), "", 1},
	{"10 000 objects in a field", `{"maxPools":` + strings.Repeat(`{"a":`, 5_000) + `1`, "maxPools", 13},
	{"10 MiB of blanks, then good", strings.Repeat(" ", 10<<20) + `{}`, "", 64 << 10},
	{"10 MiB of digits", `{"maxPools":` + strings.Repeat("1", 10<<20) + `}`, "", 64 << 10},
	{"ceiling of a pool above that of all pools", `{"maxWorkersPerPool":11,"maxTotalWorkers":10}`, "maxWorkersPerPool", 0},
	{"default ceiling of a pool above that of all pools", `{"maxTotalWorkers":10}`, "maxWorkersPerPool", 0},
	{"ceiling of a pool above the default of all pools", `{"maxWorkersPerPool":257}`, "maxWorkersPerPool", 0},
}

var accepted = map[string]string{
	"good":            `{"maxPools":3,"maxWorkersPerPool":2,"maxTotalWorkers":4,"runnableWorkers":1}`,
	"good, newline":   `{"maxPools":3}` + "\n",
	"absent":          "",
	"empty object":    "{}",
	"blanks between":  " { \"maxPools\" :\t3 } ",
	"escapes in name": `{"\u006daxPools":3}`,
}

func TestPC23StrictConfiguration(t *testing.T) {
	for name, text := range accepted {
		t.Run("accepted/"+name, func(t *testing.T) {
			require.NoError(t, pool.Provider().ValidateConfig(json.RawMessage(text)))
			_, started, err := load(t, text)
			require.NoError(t, err)
			assert.True(t, *started)
		})
	}
	for _, row := range refused {
		t.Run("refused/"+row.name, func(t *testing.T) {
			err := pool.Provider().ValidateConfig(json.RawMessage(row.text))
			var where *pool.ConfigError
			require.ErrorAs(t, err, &where)
			assert.ErrorIs(t, err, pool.ErrInvalidConfig)
			assert.Equal(t, row.field, where.Field, err)
			assert.Equal(t, row.offset, where.Offset, err)

			runtime, started, err := load(t, row.text)
			var refusal *wago.PluginError
			require.ErrorAs(t, err, &refusal)
			assert.Equal(t, pool.PluginID, refusal.Plugin)
			assert.False(t, *started, "a plugin was started")
			assert.Empty(t, runtime.Plugins())
			assert.Empty(t, runtime.ProvidedImports())
		})
	}
}

func TestNilIsNoConfiguration(t *testing.T) {
	require.NoError(t, pool.Provider().ValidateConfig(nil))
	require.NoError(t, pool.Provider().ValidateConfig(json.RawMessage{}))
}

func TestWhatTheDecoderFoundIsWrapped(t *testing.T) {
	var syntax *json.SyntaxError
	require.ErrorAs(t, pool.Provider().ValidateConfig(json.RawMessage(`{"maxPools" 1}`)), &syntax)
	require.ErrorIs(t, pool.Provider().ValidateConfig(json.RawMessage(`{"maxPools":`)), io.ErrUnexpectedEOF)
}

// What is configured is what the service holds to: Register reads the configuration as ValidateConfig does.
func TestTheConfigurationReachesTheService(t *testing.T) {
	r := rig.New(t, rig.Config{Settings: map[string]string{
		pool.PluginID: `{"maxPools":2,"maxWorkersPerPool":3,"maxTotalWorkers":4}`,
	}})
	owner := r.Owner()
	create := func(workers uint32) error {
		_, err := r.Service.Create(owner.Caller, rig.EntryLoop, pool.PoolOptions{MinWorkers: workers})
		return err
	}
	require.ErrorIs(t, create(4), pool.ErrPoolWorkerLimit, "more than a pool may have")
	require.NoError(t, create(3))
	require.ErrorIs(t, create(2), pool.ErrPoolWorkerLimit, "more than all pools may have")
	require.NoError(t, create(1))
	require.ErrorIs(t, create(1), pool.ErrPoolLimit, "more than two pools")
}

// load starts a runtime with Workers, Pool in that configuration, and a witness that would be started before both.
func load(t testing.TB, config string) (*wago.Runtime, *bool, error) {
	t.Helper()
	started := new(bool)
	set, err := rig.Select(
		[]wago.PluginProvider{workers.Provider(), pool.Provider(), witness(started)},
		map[string]string{pool.PluginID: config},
	)
	require.NoError(t, err)
	runtime := wago.NewRuntime()
	t.Cleanup(func() { assert.NoError(t, runtime.Close()) })
	return runtime, started, runtime.LoadPlugins(context.Background(), set)
}

func witness(started *bool) wago.PluginProvider {
	start := func(context.Context) error {
		*started = true
		return nil
	}
	return wago.PluginProvider{
		Definition: wago.PluginDefinition{
			ID: "example.com/pool/witness", Version: "1.0.0",
			Provenance: wago.PluginProvenance{Repository: "https://example.com/pool/witness", License: "Apache-2.0"},
		},
		New: func() wago.Plugin {
			return pluginFunc(func(reg *wago.Registrar) error { return reg.Lifecycle(wago.PluginLifecycle{Start: start}) })
		},
	}
}

// pluginFunc is a plugin of one function.
type pluginFunc func(*wago.Registrar) error

func (f pluginFunc) Register(reg *wago.Registrar) error { return f(reg) }
