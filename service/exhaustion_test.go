package service_test

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// guestMemory is the most memory a guest of these tests can have.
const guestMemory = 16 << 20

func newExhaustion(t *testing.T, behave rig.Behaviour) *bench {
	t.Helper()
	limit := wago.WithRuntimeConfig(wago.NewRuntimeConfig().WithMemoryLimitPages(guestMemory >> 16))
	return newBench(t, rig.Config{Guest: rig.Starts, Runtime: []wago.RuntimeOption{limit}, Behaviour: behave}, pool.PoolOptions{MinWorkers: 4})
}

// resident returns the memory of the process that is in RAM, after giving back what is not needed.
func resident(t *testing.T) uint64 {
	t.Helper()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("no /proc/self/statm:", err)
	}
	pages, err := strconv.ParseUint(strings.Fields(string(text))[1], 10, 64)
	require.NoError(t, err)
	return pages * uint64(os.Getpagesize())
}

func TestPC26EndlessRecursionEndsThatGuestOnly(t *testing.T) {
	b := newExhaustion(t, rig.ActOn(rig.Recurse, 666))
	before := resident(t)
	b.submit(span(1, 20)...)
	b.submit(666)
	b.submit(span(21, 60)...)
	b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "the stack ends")
	b.reconcile()
	stats := b.quiet()
	assert.Equal(t, span(1, 60), b.Finished())
	assert.EqualValues(t, 1, stats.FailedTasks)
	assert.EqualValues(t, 1, stats.Restarted)
	var trap *wago.TrapError
	require.ErrorAs(t, stats.LastExit.Err, &trap)
	assert.LessOrEqual(t, resident(t), before+64<<20*slack)
}

func TestPC26MemoryIsGrownUntilRefused(t *testing.T) {
	b := newExhaustion(t, func(w *rig.Worker, task pool.Task) rig.Act {
		switch task.Tag {
		case 1:
			return w.Then(rig.Next)
		case 2:
			return w.Then(rig.Trap)
		}
		return rig.Next
	})
	b.submit(1)
	stats := b.quiet()
	assert.Equal(t, []uint64{1}, b.Finished())
	assert.Zero(t, stats.Restarted)
	b.submit(2)
	stats = b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "trapped")
	assert.EqualValues(t, 1, stats.FailedTasks)
	assert.EqualValues(t, 1, stats.Restarted)
}

func TestPC26AllGuestsAtTheirMemoryLimitStillAnswer(t *testing.T) {
	b := newExhaustion(t, func(w *rig.Worker, task pool.Task) rig.Act {
		if task.Tag == 1 {
			return w.Then(rig.Next)
		}
		assert.Len(t, w.Caller.Memory(), guestMemory)
		return rig.Next
	})
	before := resident(t)
	n, err := b.Service.Broadcast(b.id, 1, nil)
	require.NoError(t, err)
	require.Equal(t, 4, n)
	b.quiet()
	assert.LessOrEqual(t, resident(t), before+4*guestMemory+64<<20*slack)
	n, err = b.Service.Broadcast(b.id, 2, nil)
	require.NoError(t, err)
	require.Equal(t, 4, n)
	b.quiet()
	assert.Equal(t, []uint64{1, 1, 1, 1, 2, 2, 2, 2}, b.Finished())
	assert.Zero(t, b.stats().Exited)
}

func TestPC26AnImpossiblePageLimitIsRefused(t *testing.T) {
	for _, pages := range []uint32{65_537, 13_107_200} {
		config := wago.NewRuntimeConfig().WithMemoryLimitPages(pages)
		assert.ErrorIs(t, config.Validate(), wago.ErrInvalidConfig)
		runtime := wago.NewRuntime(wago.WithRuntimeConfig(config))
		_, err := runtime.Compile(rig.Named)
		assert.ErrorIs(t, err, wago.ErrInvalidConfig)
		opened, _ := runtime.Instances()
		assert.Zero(t, opened)
		assert.NoError(t, runtime.Close())
	}
}
