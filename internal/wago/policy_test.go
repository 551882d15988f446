package wago_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/wago/tests/wasmtest"
)

// emptyMemory is a module whose memory starts with nothing.
var emptyMemory = wasmtest.Module(wasmtest.Section(5, wasmtest.Vec([]byte{0, 0})))

func TestPolicyIsEnforced(t *testing.T) {
	rt := newRuntime(t, nil, describing())
	guest, noMax := compile(t, rt, guestWasm), compile(t, rt, noMaxWasm)
	run, timer := wago.Capability("test.run"), wago.CapTimerRead
	cases := map[string]struct {
		module *wago.Module
		policy wago.Policy
		want   error
	}{
		"nothing":                        {guest, wago.Policy{}, nil},
		"allowed":                        {guest, wago.Policy{AllowedCapabilities: []wago.Capability{run}}, nil},
		"not among the allowed":          {guest, wago.Policy{AllowedCapabilities: []wago.Capability{timer}}, wago.ErrPermissionDenied},
		"none allowed":                   {guest, wago.Policy{AllowedCapabilities: []wago.Capability{}}, wago.ErrPermissionDenied},
		"denied":                         {guest, wago.Policy{DeniedCapabilities: []wago.Capability{run}}, wago.ErrPermissionDenied},
		"another one denied":             {guest, wago.Policy{DeniedCapabilities: []wago.Capability{timer}}, nil},
		"denied wins over allowed":       {guest, wago.Policy{AllowedCapabilities: []wago.Capability{run}, DeniedCapabilities: []wago.Capability{run}}, wago.ErrPermissionDenied},
		"memory that fits":               {guest, wago.Policy{MaxMemoryBytes: 65536}, nil},
		"memory above 4 GiB":             {guest, wago.Policy{MaxMemoryBytes: 1 << 40}, nil},
		"less than a page":               {guest, wago.Policy{MaxMemoryBytes: 65535}, wago.ErrPermissionDenied},
		"less than a page, empty memory": {compile(t, rt, emptyMemory), wago.Policy{MaxMemoryBytes: 1}, wago.ErrPermissionDenied},
		"tables that fit":                {guest, wago.Policy{MaxTableEntries: 5}, nil},
		"tables that don't":              {guest, wago.Policy{MaxTableEntries: 4}, wago.ErrPermissionDenied},
		"a table without a bound":        {noMax, wago.Policy{MaxTableEntries: 1 << 20}, wago.ErrPermissionDenied},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			in, err := rt.Instantiate(t.Context(), c.module, wago.WithPolicy(c.policy))
			if c.want == nil {
				require.NoError(t, err)
				require.NoError(t, in.Close())
				return
			}
			assert.ErrorIs(t, err, c.want)
		})
	}
}

func TestPolicyBoundsTheGrowthOfAGuestAndItsForks(t *testing.T) {
	h := &host{}
	rt := newRuntime(t, nil, h.plug())
	in := instantiate(t, rt, noMaxWasm, wago.WithPolicy(wago.Policy{MaxMemoryBytes: 2 * 65536}))
	child := forkOf(t, h, in).Instance()
	for name, guest := range map[string]*wago.Instance{"guest": in, "fork": child} {
		for _, step := range []struct{ grow, want uint64 }{{1, 1}, {1, 0xffffffff}} {
			res, err := guest.Invoke("grow", step.grow)
			require.NoError(t, err)
			assert.Equal(t, []uint64{step.want}, res, name)
		}
	}
}
