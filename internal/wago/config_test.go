package wago_test

import (
	"context"
	"encoding/json"
	"math/bits"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

func TestPluginConfigIsStrict(t *testing.T) {
	type config struct {
		Size int `json:"size"`
	}
	cases := map[string]struct {
		text string
		ok   bool
		want int
	}{
		"absent":         {"", true, 0},
		"empty":          {"{}", true, 0},
		"a value":        {`{"size":3}`, true, 3},
		"unknown field":  {`{"siz":3}`, false, 0},
		"repeated field": {`{"size":3,"size":4}`, false, 0},
		"wrong type":     {`{"size":"3"}`, false, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got config
			err := wago.ValidatePluginSet(set(t, plug{id: "example.com/test/p", config: json.RawMessage(c.text),
				register: func(r *wago.Registrar) error { return r.Config(&got) }}))
			if c.ok {
				require.NoError(t, err)
				assert.Equal(t, c.want, got.Size)
				return
			}
			var pe *wago.PluginError
			require.ErrorAs(t, err, &pe)
			assert.Equal(t, wago.PluginPhaseConfigure, pe.Phase)
		})
	}
}

func TestValidateConfigGetsACopyOrNil(t *testing.T) {
	var seen []json.RawMessage
	p := plug{id: "example.com/test/p", config: json.RawMessage(`{"a":1}`), validate: func(c json.RawMessage) error {
		seen = append(seen, append(json.RawMessage(nil), c...))
		for i := range c {
			c[i] = 'x'
		}
		return nil
	}, register: func(r *wago.Registrar) error {
		var v map[string]int
		return r.Config(&v)
	}}
	require.NoError(t, wago.ValidatePluginSet(set(t, p)))
	p.config = nil
	require.NoError(t, wago.ValidatePluginSet(set(t, p)))
	assert.Equal(t, []json.RawMessage{json.RawMessage(`{"a":1}`), nil}, seen)
}

func TestRuntimeConfigMistakesAreReportedAtTheFirstUse(t *testing.T) {
	cases := map[string]struct {
		config *wago.RuntimeConfig
		want   error
	}{
		"memory limit above 4 GiB": {wago.NewRuntimeConfig().WithMemoryLimitPages(65537), wago.ErrInvalidConfig},
		"bounds checks":            {wago.NewRuntimeConfig().WithBoundsChecks(1), wago.ErrUnsupported},
		"function workers":         {wago.NewRuntimeConfig().WithFunctionWorkers(2), wago.ErrUnsupported},
		"a feature":                {wago.NewRuntimeConfig().WithFeature("simd", false), wago.ErrUnsupported},
		"core features":            {wago.NewRuntimeConfig().WithCoreFeatures(1), wago.ErrUnsupported},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			assert.ErrorIs(t, c.config.Validate(), c.want)
			rt := wago.NewRuntime(wago.WithRuntimeConfig(c.config))
			started := false
			assert.ErrorIs(t, rt.LoadPlugins(context.Background(), set(t, plug{id: "example.com/test/p",
				register: func(*wago.Registrar) error { started = true; return nil }})), c.want)
			assert.False(t, started)
			_, err := rt.Compile(guestWasm)
			assert.ErrorIs(t, err, c.want)
			assert.NoError(t, rt.Close())
		})
	}
	for _, pages := range []uint32{0, 1, 65536} {
		assert.NoError(t, wago.NewRuntimeConfig().WithMemoryLimitPages(pages).Validate())
	}
	var none *wago.RuntimeConfig
	assert.NoError(t, none.Validate())
	assert.Equal(t, wago.DefaultMemoryLimitPages, none.MemoryLimitPages())
}

func TestMemoryIsMappedWhereItCanBe(t *testing.T) {
	can := runtime.GOOS == "linux" && bits.UintSize == 64
	var none *wago.RuntimeConfig
	base := wago.NewRuntimeConfig()
	off, on := base.WithMappedMemory(false), base.WithMappedMemory(true)
	assert.Equal(t, [4]bool{can, can, false, true},
		[4]bool{none.MappedMemory(), base.MappedMemory(), off.MappedMemory(), on.MappedMemory()})
	assert.NoError(t, off.Validate())
	if !can {
		assert.ErrorIs(t, on.Validate(), wago.ErrUnsupported)
		return
	}
	assert.NoError(t, on.Validate())
	for config, want := range map[*wago.RuntimeConfig]uint64{base: 1, on: 1, off: 0} {
		rt := newRuntime(t, []wago.RuntimeOption{wago.WithRuntimeConfig(config)})
		instantiate(t, rt, guestWasm, runNothing)
		mapped, unmapped := rt.Mappings()
		assert.Equal(t, [2]uint64{want, 0}, [2]uint64{mapped, unmapped})
	}
}

func TestAConfigIsNeverChanged(t *testing.T) {
	base := wago.NewRuntimeConfig().WithMemoryLimitPages(3)
	base.WithMemoryLimitPages(4)
	base.WithFeature("simd", true)
	assert.NoError(t, base.Validate())
	rt := wago.NewRuntime(wago.WithRuntimeConfig(base))
	assert.Equal(t, uint32(3), rt.Config().MemoryLimitPages())
	require.NoError(t, rt.Close())
}

func TestTheMemoryLimitBoundsGrowth(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, []wago.RuntimeOption{wago.WithRuntimeConfig(wago.NewRuntimeConfig().WithMemoryLimitPages(3))}, h.plug())
	in := instantiate(t, rt, noMaxWasm)
	for _, step := range []struct{ grow, want uint64 }{{2, 1}, {1, 0xffffffff}} {
		res, err := in.Invoke("grow", step.grow)
		require.NoError(t, err)
		assert.Equal(t, []uint64{step.want}, res)
	}
	assert.Equal(t, uint32(3), in.Memory().Pages())
}
