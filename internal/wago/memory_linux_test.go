package wago_test

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// process reads what the kernel counts of this process, in bytes, when the Go heap has nothing left to give back: all its
// addresses, and its resident memory.
func process(t *testing.T) (size, resident uint64) {
	t.Helper()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	require.NoError(t, err)
	_, err = fmt.Sscan(string(text), &size, &resident)
	require.NoError(t, err)
	page := uint64(os.Getpagesize())
	return size * page, resident * page
}

// G2's bound, for a fork that has been at work and waits for more.
func TestAnIdleForkCostsWhatItHasWritten(t *testing.T) {
	const forks, bound = 64, 256 << 10
	a := answers{fromWorker: func(wago.HostModule) int32 { return toReturn }}
	_, in, manager := openMemory(t, mappedMemory(t), a)
	var kept []*wago.ManagedInstance
	_, before := process(t)
	a.inCall(t, in, func(m wago.HostModule) {
		for range forks {
			fork, err := manager.Fork(context.Background(), m)
			require.NoError(t, err)
			require.NoError(t, fork.InvokeVoidTable(context.Background(), 0))
			kept = append(kept, fork)
		}
	})
	_, after := process(t)
	assert.Less(t, after, before+forks*bound)
	assert.Equal(t, uint32(256), kept[0].Instance().Memory().Pages())
}

func TestAMemoryThatTheSystemRefusesIsTheForksError(t *testing.T) {
	a := answers{}
	rt, in, manager := openMemory(t, mappedMemory(t).WithMemoryLimitPages(wago.MaxMemoryLimitPages), a)
	fork := func() (err error) {
		a.inCall(t, in, func(m wago.HostModule) { _, err = manager.Fork(context.Background(), m) })
		return err
	}
	size, _ := process(t)
	var old syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_AS, &old))
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: min(size+1<<30, old.Max), Max: old.Max}))
	err := fork()
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_AS, &old))
	assert.ErrorIs(t, err, wago.ErrGuestMemory)
	assert.ErrorIs(t, err, syscall.ENOMEM)
	assert.EqualValues(t, 1, live(rt))
	require.NoError(t, fork(), "with room again")
}
