package wago_test

import (
	"context"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// cycles is how many forks are replaced: as many as the project promises when POOL_FULL is set, else some seconds' worth.
func cycles() int {
	if os.Getenv("POOL_FULL") != "" {
		return 100_000
	}
	return 2_000
}

// replacing keeps a few forks, and replaces the oldest again and again, after it has run to an end of some kind.
type replacing struct {
	t       *testing.T
	manager *wago.InstanceManager
	told    int32              // what the last one was told to do
	stop    context.CancelFunc // of its call
	forks   []*wago.ManagedInstance
}

// tell is env.run of the forks' worker.
func (r *replacing) tell(wago.HostModule) int32 {
	if r.told == toSpin {
		r.stop()
	}
	return r.told
}

func (r *replacing) cycle(m wago.HostModule) {
	const kept = 16
	if len(r.forks) == kept {
		require.NoError(r.t, r.forks[0].Close())
		r.forks = r.forks[1:]
	}
	fork := r.fork(m)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r.told, r.stop = r.told%toSpin+1, cancel
	err := fork.InvokeVoidTable(ctx, 0)
	require.Equal(r.t, r.told == toReturn, err == nil)
}

func (r *replacing) fork(m wago.HostModule) *wago.ManagedInstance {
	fork, err := r.manager.Fork(context.Background(), m)
	require.NoError(r.t, err)
	r.forks = append(r.forks, fork)
	return fork
}

// forkInVain makes one that traps in its start section.
func (r *replacing) forkInVain(m wago.HostModule, a answers) {
	a[fromStart] = func(wago.HostModule) int32 { return 1 }
	defer delete(a, fromStart)
	_, err := r.manager.Fork(context.Background(), m)
	var trap *wago.TrapError
	require.ErrorAs(r.t, err, &trap)
}

// G8. Each memory that stayed would be 16 KiB and more, and 64 MiB of addresses.
func TestReplacingForksTakesNoMemoryAndNoGoroutines(t *testing.T) {
	r := &replacing{t: t}
	a := answers{fromWorker: r.tell}
	rt, in, manager := openMemory(t, mappedMemory(t), a)
	r.manager = manager
	replace := func(n int) {
		a.inCall(t, in, func(m wago.HostModule) {
			for range n {
				r.cycle(m)
			}
		})
		for _, fork := range r.forks {
			require.NoError(t, fork.Close())
		}
		r.forks = nil
	}
	replace(cycles() / 4) // what the first ones leave behind is the process's
	goroutines := runtime.NumGoroutine()
	size, resident := process(t)
	replace(cycles())
	sizeAfter, residentAfter := process(t)
	t.Logf("%d cycles: resident %d KiB, then %d KiB", cycles(), resident>>10, residentAfter>>10)
	if !raceDetector {
		assert.LessOrEqual(t, residentAfter, resident+resident/10)
	}
	assert.Less(t, sizeAfter, size+1<<30)
	assert.LessOrEqual(t, runtime.NumGoroutine(), goroutines)
	assert.EqualValues(t, 1, live(rt))
}

// G9. Each memory takes 4 GiB of addresses, so that a single one would show.
func TestNoInstanceAndNoMappingIsLeftAtShutdown(t *testing.T) {
	config := mappedMemory(t).WithMemoryLimitPages(wago.MaxMemoryLimitPages)
	before, _ := process(t)
	r := &replacing{t: t}
	a := answers{fromWorker: r.tell}
	rt, in, manager := openMemory(t, config, a)
	r.manager = manager
	_, err := in.Invoke("grow", 4096)
	require.NoError(t, err)
	a.inCall(t, in, func(m wago.HostModule) {
		for range 100 {
			r.cycle(m)
			r.forkInVain(m, a)
		}
		r.fork(m) // that has never run
	})
	during, _ := process(t)
	require.Greater(t, during, before+16<<32, "the test sees nothing otherwise")

	require.NoError(t, rt.Close())
	opened, closed := rt.Instances()
	assert.Equal(t, opened, closed)
	mapped, unmapped := rt.Mappings()
	assert.Equal(t, mapped, unmapped)
	assert.Equal(t, opened, mapped)
	after, _ := process(t)
	assert.Less(t, after, before+1<<32)
}
