package wago_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// Where env.run of testdata/memory.wat is called from, and what the worker does with the answer.
const (
	fromWorker = 0
	fromCall   = 1
	fromFill   = 8
	fromStart  = 9

	toReturn = 1
	toTrap   = 2
	toSpin   = 3
)

// answers are env.run by where it is called from; 0 where there is none.
type answers map[int32]func(m wago.HostModule) int32

func (a answers) run(m wago.HostModule, from, _, _ int32) int32 {
	if answer := a[from]; answer != nil {
		return answer(m)
	}
	return 0
}

// inCall has body run in a host call of the guest.
func (a answers) inCall(t *testing.T, in *wago.Instance, body func(m wago.HostModule)) {
	t.Helper()
	a[fromCall] = func(m wago.HostModule) int32 { body(m); return 0 }
	_, err := in.Invoke("call", fromCall, 0, 0)
	require.NoError(t, err)
}

// eachMemory runs a test with mapped memories and with those of the Go heap.
func eachMemory(t *testing.T, test func(t *testing.T, config *wago.RuntimeConfig)) {
	config := wago.NewRuntimeConfig()
	t.Run("heap", func(t *testing.T) { test(t, config.WithMappedMemory(false)) })
	if config.MappedMemory() {
		t.Run("mapped", func(t *testing.T) { test(t, config) })
	}
}

// mappedMemory is the default configuration; the test is skipped where that doesn't map.
func mappedMemory(t *testing.T) *wago.RuntimeConfig {
	t.Helper()
	config := wago.NewRuntimeConfig()
	if !config.MappedMemory() {
		t.Skip("memories can't be mapped here")
	}
	return config
}

// openMemory returns an instance of testdata/memory.wat with a host whose grant is no limit.
func openMemory(t *testing.T, config *wago.RuntimeConfig, a answers) (*wago.Runtime, *wago.Instance, *wago.InstanceManager) {
	t.Helper()
	h := &host{run: a.run}
	p := h.plug()
	p.grants[1] = grantManage(1<<20, 1<<50)
	rt := newRuntime(t, []wago.RuntimeOption{wago.WithRuntimeConfig(config)}, p)
	return rt, instantiate(t, rt, memoryWasm), h.manager
}

// live is how many memories are mapped now.
func live(rt *wago.Runtime) uint64 {
	mapped, unmapped := rt.Mappings()
	return mapped - unmapped
}

// use reads and writes all of a memory: a fault, if it isn't there any more.
func use(view []byte) {
	for at := 0; at < len(view); at += 4096 {
		view[at]++
	}
}

func TestCloseWaitsForAGuestInsideALongFill(t *testing.T) {
	eachMemory(t, func(t *testing.T, config *wago.RuntimeConfig) {
		inside := make(chan struct{})
		rt, in, _ := openMemory(t, config, answers{fromFill: func(wago.HostModule) int32 { close(inside); return 0 }})
		before := live(rt)
		ended := make(chan error, 1)
		go func() { _, err := in.Invoke("fill"); ended <- err }()
		<-inside
		assert.Equal(t, before, live(rt))
		require.NoError(t, in.Close())
		assert.Zero(t, live(rt))
		_, ok := in.Read(0, 1)
		assert.False(t, ok)
		assertInterrupted(t, <-ended, wago.ErrInstanceClosed)
	})
}

func TestAHostFunctionKeepsTheMemoryThoughItsInstanceIsStoppedAndClosed(t *testing.T) {
	eachMemory(t, func(t *testing.T, config *wago.RuntimeConfig) {
		ctx, cancel := context.WithCancel(context.Background())
		a := answers{fromFill: func(wago.HostModule) int32 { cancel(); return 0 }}
		rt, in, manager := openMemory(t, config, a)
		before, closed := live(rt), make(chan error, 1)
		a[fromCall] = func(m wago.HostModule) int32 {
			view := m.Memory()
			_, err := in.InvokeContext(ctx, "fill")
			assertInterrupted(t, err, context.Canceled)
			use(view)
			closing, err := manager.Closing(m)
			require.NoError(t, err)
			go func() { closed <- in.Close() }()
			<-closing
			use(view)
			assert.Same(t, &view[0], &m.Memory()[0])
			assert.Equal(t, before, live(rt))
			assert.Empty(t, closed)
			return 0
		}
		_, err := in.Invoke("call", fromCall, 0, 0)
		require.Error(t, err)
		require.NoError(t, <-closed)
		assert.Zero(t, live(rt))
	})
}

// The engine frees nothing of an instance whose start section traps.
func TestAStartSectionThatTrapsTimeAndAgainLeavesNoMemory(t *testing.T) {
	times := uint64(10_000)
	if testing.Short() {
		times = 1000
	}
	a := answers{}
	rt, in, manager := openMemory(t, mappedMemory(t), a)
	a[fromStart] = func(m wago.HostModule) int32 { use(m.Memory()[:1<<16]); return 1 }
	a.inCall(t, in, func(m wago.HostModule) {
		for range times {
			_, err := manager.Fork(context.Background(), m)
			var trap *wago.TrapError
			require.ErrorAs(t, err, &trap)
			require.Equal(t, wago.TrapUnreachable, trap.Code)
		}
	})
	mapped, unmapped := rt.Mappings()
	assert.Equal(t, [2]uint64{times + 1, times}, [2]uint64{mapped, unmapped})
}
