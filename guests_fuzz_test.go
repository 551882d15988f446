package pool_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// guestFiles are the guests of this repository.
func guestFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	for _, pattern := range []string{
		"testdata/guests/*.wasm", "testdata/guests/refused/*.wasm", "testdata/isolation/*.wasm", "pooltest/*.wasm",
		"internal/rig/*.wasm", "internal/workers/testdata/*.wasm",
	} {
		paths, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, paths, pattern)
		for _, path := range paths {
			files[path], err = os.ReadFile(path)
			require.NoError(t, err)
		}
	}
	return files
}

// FuzzGuests compiles whatever it is given, changed as it says, makes an instance, calls its exports, and serves a real pool of
// its forks if it asks for one. What comes of it is an error, or a guest that works or fails at its tasks: never a panic, a task
// that is nowhere, or something left behind.
func FuzzGuests(f *testing.F) {
	h := newGuestHost(f)
	files := guestFiles(f)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		f.Add(files[path], []byte{})
		f.Add(files[path], []byte(path))
	}
	good := files["testdata/guests/echo.wasm"]
	h.works(f, good)
	played, goroutines := 0, 0
	f.Fuzz(func(t *testing.T, wasm, changes []byte) {
		if played == 0 {
			goroutines = runtime.NumGoroutine() // what is made once is there, and the fuzzer's own
		}
		h.play(t, changed(wasm, changes))
		h.left(t, goroutines)
		if played++; played%64 == 0 {
			h.works(t, good)
		}
	})
}

// works sees to it that the host has not suffered. Where the machine is busy, some tasks time out.
func (h *guestHost) works(t testing.TB, good []byte) {
	h.eventually(t, "a good guest does not do its work", func() bool { return h.play(t, good) > 0 })
}

// play has a guest do what it can, and returns how many calls of its pool have succeeded.
func (h *guestHost) play(t testing.TB, wasm []byte) uint64 {
	module, err := h.runtime.Compile(wasm)
	if err != nil {
		require.True(t, errors.Is(err, wago.ErrInvalidModule) || errors.Is(err, wago.ErrUnsupported) || errors.Is(err, wago.ErrLimit), err)
		return 0
	}
	turn := &guestTurn{code: module.Compiled()}
	h.turn.Store(turn)
	ctx, cancel := context.WithTimeout(context.Background(), 2*guestTime)
	defer cancel()
	instance, err := h.runtime.Instantiate(ctx, module, wago.WithPolicy(wago.Policy{MaxInvokeDuration: guestCall}))
	if err == nil {
		for _, export := range module.Exports()[:min(len(module.Exports()), 8)] {
			_, _ = instance.InvokeContext(ctx, export)
		}
		require.NoError(t, instance.Close())
	}
	require.NoError(t, module.Close())
	if turn.id != 0 {
		h.ended(t, turn)
	}
	return turn.succeeded
}

// ended holds what is said of a pool that was destroyed.
func (h *guestHost) ended(t testing.TB, turn *guestTurn) {
	require.NoError(t, turn.err, "Destroy")
	var s pool.PoolStats
	h.eventually(t, "no event tells of the end of the pool", func() (ended bool) {
		s, ended = h.final(turn.id)
		return ended
	})
	require.Equal(t, s.Routed, s.Done+s.FailedTasks+s.Dropped, "%+v", s)
	require.Zero(t, s.Queued+s.Running, "%+v", s)
	require.EqualValues(t, guestCalls, s.Submitted, "%+v", s)
	require.Equal(t, s.Submitted, s.Routed+s.Rejected, "%+v", s)
	require.LessOrEqual(t, turn.succeeded, s.Done, "%+v", s)
}

// left waits until everything that was made has gone.
func (h *guestHost) left(t testing.TB, goroutines int) {
	h.eventually(t, "something is left", func() bool {
		opened, closed := h.runtime.Instances()
		mapped, unmapped := h.runtime.Mappings()
		return opened == closed && mapped == unmapped && len(h.service.List()) == 0 && runtime.NumGoroutine() <= goroutines
	})
	if turn := h.turn.Load(); turn != nil {
		_, err := h.runtime.Module(turn.code)
		require.ErrorIs(t, err, wago.ErrInvalidHandle, "the code is not freed")
	}
}

// eventually waits until the condition holds; most of the time it does already.
func (h *guestHost) eventually(t testing.TB, otherwise string, condition func() bool) {
	deadline := time.Now().Add(8 * time.Second) // the fuzzer waits for 10 s
	for wait := time.Microsecond; !condition(); wait = min(2*wait, time.Millisecond) {
		if time.Now().After(deadline) {
			opened, closed := h.runtime.Instances()
			stacks := make([]byte, 1<<20)
			require.Fail(t, otherwise, "%d instances, %d are closed, pools %v, %d goroutines:\n%s", opened, closed,
				h.service.List(), runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
		}
		<-time.After(wait)
	}
}
