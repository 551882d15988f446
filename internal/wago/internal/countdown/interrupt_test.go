package countdown_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// soon is when a test gives up on something that takes microseconds.
const soon = 20 * time.Second

// spinner runs an export that never returns until it is stopped.
type spinner struct {
	*guest
	exited atomic.Int64
	ctx    context.Context
	stop   context.CancelFunc
	done   chan error
}

func spin(t tb, w way, binary []byte, export string, args ...uint64) *spinner {
	s := &spinner{guest: open(t, w, binary), done: make(chan error, 1)}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.check = func(exits int) {
		s.exited.Store(int64(exits))
		if s.ctx.Err() != nil {
			panic(errStopped)
		}
	}
	go func() {
		_, err := s.mod.ExportedFunction(export).Call(s.ctx, args...)
		s.done <- err
	}()
	return s
}

// running waits until the guest has come by a few times.
func (s *spinner) running(t tb) {
	seen := s.exited.Load()
	require.Eventually(t, func() bool { return s.exited.Load() > seen+2 }, soon, time.Microsecond)
}

func (s *spinner) ended(t tb) error {
	select {
	case err := <-s.done:
		return err
	case <-time.After(soon):
		t.Fatal("the guest goes on")
		return nil
	}
}

// endless are the exports of kernels.wasm that never return.
var endless = []struct {
	name, export string
	args         []uint64
}{
	{"a tight loop", "spin", nil},
	{"recursion without a loop", "recurse_for_ever", []uint64{200}},
	{"memory.fill in nested loops", "fill_for_ever", nil},
}

func TestAGuestThatNeverReturnsIsStopped(t *testing.T) {
	for _, tc := range endless {
		t.Run(tc.name, func(t *testing.T) {
			s := spin(t, counted, wasm(t, "kernels"), tc.export, tc.args...)
			s.running(t)
			s.stop()
			require.ErrorIs(t, s.ended(t), errStopped)
		})
	}
}

// Beside a guest in code without exits runtime.GC would never return.
func TestGarbageIsCollectedBesideAGuestThatNeverReturns(t *testing.T) {
	for _, tc := range endless {
		t.Run(tc.name, func(t *testing.T) {
			s := spin(t, counted, wasm(t, "kernels"), tc.export, tc.args...)
			s.running(t)
			collected := make(chan struct{})
			go func() {
				defer close(collected)
				for range 5 {
					runtime.GC()
				}
			}()
			require.Eventually(t, func() bool {
				select {
				case <-collected:
					return true
				default:
					return false
				}
			}, soon, time.Millisecond)
			s.stop()
			require.ErrorIs(t, s.ended(t), errStopped)
		})
	}
}

// With one processor the guest must give it away at the gate, or nobody could
// ever set the flag.
func TestAGuestSharesTheOnlyProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	s := spin(t, counted, wasm(t, "kernels"), "spin")
	s.running(t)
	timer := time.AfterFunc(time.Millisecond, s.stop)
	defer timer.Stop()
	require.ErrorIs(t, s.ended(t), errStopped)
}

func TestAStartSectionIsStopped(t *testing.T) {
	g := &guest{}
	g.stopAfter(3)
	err := g.open(t, counted, wasm(t, "start_spin"))
	require.ErrorIs(t, err, errStopped)
	require.Equal(t, 3, g.exits)
}

func TestAnInterruptionIsNoTrapOfTheGuest(t *testing.T) {
	g := open(t, counted, wasm(t, "kernels"))
	_, err := g.call("trap")
	require.ErrorContains(t, err, "wasm error: unreachable")
	require.NotErrorIs(t, err, errStopped)

	g.stopAfter(1)
	_, err = g.call("spin")
	require.ErrorIs(t, err, errStopped)
	require.NotContains(t, err.Error(), "unreachable")
}

func TestAStoppedGuestCanBeCalledAgain(t *testing.T) {
	g := open(t, every(100), wasm(t, "kernels"))
	g.stopAfter(5)
	_, err := g.call("spin")
	require.ErrorIs(t, err, errStopped)
	g.check = nil
	got, err := g.call("sum", 1000)
	require.NoError(t, err)
	require.Equal(t, []uint64{500500}, got)
}
