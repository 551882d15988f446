package host_test

import (
	"context"
	"crypto/sha256"
	"os"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/direct"
	"github.com/JairusSW/pool/bench/internal/host"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) }

func guest(t *testing.T, name string) []byte {
	t.Helper()
	code, err := os.ReadFile("../../testdata/" + name + ".wasm")
	require.NoError(t, err)
	return code
}

func open(t *testing.T, name string, level host.Level, size uint32) *host.Host {
	t.Helper()
	h, err := host.Open(t.Context(), host.Options{Guest: guest(t, name), Level: level, Workers: size})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return h
}

func newPool(t *testing.T, h *host.Host, opts pool.PoolOptions) *host.Pool {
	t.Helper()
	p, err := h.NewPool(opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Destroy()) })
	return p
}

// stats are the pool's, after use.
func stats(t *testing.T, h *host.Host, p *host.Pool, use func(pool.Service) error) (got pool.PoolStats) {
	t.Helper()
	require.NoError(t, h.WithPools(func(s pool.Service) (err error) {
		if err := use(s); err != nil {
			return err
		}
		got, err = s.Stats(p.ID)
		return err
	}))
	return got
}

func submit(p *host.Pool, n int) func(pool.Service) error {
	return func(s pool.Service) error {
		for tag := range n {
			if _, err := s.Submit(p.ID, uint64(tag), []byte("sixteen bytes...")); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestParkedWorkersTakeNothingUntilTheyAreParkedAgain(t *testing.T) {
	h := open(t, "trivial", host.Pools, 4)
	p := newPool(t, h, pool.PoolOptions{MinWorkers: 4})
	require.NoError(t, p.Park(t.Context()))
	for round := 1; round <= 3; round++ {
		filled := stats(t, h, p, submit(p, 100))
		assert.EqualValues(t, 100, filled.Queued, "nobody takes any")
		require.NoError(t, p.Park(t.Context()))
		emptied := stats(t, h, p, func(pool.Service) error { return nil })
		assert.Zero(t, emptied.Queued, "all were taken")
		assert.EqualValues(t, 4, emptied.Live)
	}
}

func TestARawWorkerTakesWhatItWasSentWhenItIsTold(t *testing.T) {
	h := open(t, "trivial", host.Workers, 3)
	r, err := h.NewRaw(t.Context(), 3, workers.WorkerOptions{QueueCapacity: 10})
	require.NoError(t, err)
	require.Len(t, r.IDs, 3)
	send := func(to workers.WorkerID) error {
		return h.WithWorkers(func(s workers.Service) error { return s.Send(to, 1, []byte("payload")) })
	}
	for range 3 {
		for _, id := range r.IDs {
			for range 10 {
				require.NoError(t, send(id))
			}
			require.ErrorIs(t, send(id), workers.ErrWorkerQueueFull, "nobody takes any")
		}
		require.NoError(t, r.Drain(t.Context()))
	}
}

func TestALoopDoesEveryTask(t *testing.T) {
	h := open(t, "microsecond", host.Bare, 0)
	l, err := h.NewLoop(t.Context(), 2)
	require.NoError(t, err)
	for range 2 {
		tasks := l.Start(t.Context(), 8)
		for range 100 {
			tasks <- direct.Task{Payload: []byte("sixteen bytes...")}
		}
		close(tasks)
		require.NoError(t, l.Wait())
	}
}

func TestAGuestsReplyIsTheCallsResult(t *testing.T) {
	h := open(t, "sha256", host.Pools, 2)
	p := newPool(t, h, pool.PoolOptions{MinWorkers: 2})
	for _, length := range []int{0, 1, 55, 56, 63, 64, 1024, 4000} {
		payload := make([]byte, length)
		for i := range payload {
			payload[i] = byte(i * 7)
		}
		stats(t, h, p, func(s pool.Service) error {
			digest, err := s.Call(t.Context(), p.ID, pool.Task{Payload: payload})
			want := sha256.Sum256(payload)
			assert.Equal(t, want[:], digest, "of %d bytes", length)
			return err
		})
	}
}

func TestATrapIsMarkedAndItsReplacementToo(t *testing.T) {
	h := open(t, "trivial", host.Pools, 2)
	p := newPool(t, h, pool.PoolOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	supervised := make(chan error, 1)
	go func() {
		supervised <- h.WithPools(func(s pool.Service) error { return s.Supervise(ctx, h.Caller, p.ID) })
	}()
	for _, tag := range []uint64{host.TagTrap, host.TagMark} {
		stats(t, h, p, func(s pool.Service) error {
			_, err := s.SubmitWait(ctx, p.ID, pool.Task{Tag: tag})
			return err
		})
	}
	first, second := <-h.Marks, <-h.Marks
	cancel()
	require.ErrorIs(t, <-supervised, context.Canceled)
	assert.Equal(t, host.TagTrap, first.Tag)
	assert.Equal(t, host.TagMark, second.Tag)
	assert.Greater(t, second.At.Sub(first.At), time.Duration(0))
	assert.EqualValues(t, 1, stats(t, h, p, func(pool.Service) error { return nil }).Failed)
}

func TestArrivalsCountsWorkersThatAskForATask(t *testing.T) {
	h := open(t, "trivial", host.Pools, 8)
	arrived := h.Arrivals(8)
	newPool(t, h, pool.PoolOptions{MinWorkers: 7})
	select {
	case <-arrived:
		t.Fatal("seven are not eight")
	default:
	}
	newPool(t, h, pool.PoolOptions{MinWorkers: 1})
	<-arrived
}

func TestForksThatAreSentHomeReturn(t *testing.T) {
	h := open(t, "trivial", host.Bare, 0)
	h.SendHome()
	fork, err := h.Manager.Fork(t.Context(), h.Caller)
	require.NoError(t, err)
	require.NoError(t, fork.InvokeVoidTable(t.Context(), h.Entry))
	require.NoError(t, fork.Close())
}

func TestThereCanBeMoreWorkersThanWorkersItselfAsksFor(t *testing.T) {
	const size = 1100
	h := open(t, "trivial", host.Pools, size)
	p := newPool(t, h, pool.PoolOptions{MinWorkers: size, Worker: pool.WorkerOptions{MaxPayloadBytes: 64, MaxQueueBytes: 4096}})
	assert.EqualValues(t, size, stats(t, h, p, func(pool.Service) error { return nil }).Live)
}

func TestACloseEndsWorkersWhateverTheyWaitFor(t *testing.T) {
	for name, park := range map[string]bool{"for a task": false, "at the gate": true} {
		t.Run(name, func(t *testing.T) {
			h, err := host.Open(t.Context(), host.Options{Guest: guest(t, "trivial"), Level: host.Pools, Workers: 2})
			require.NoError(t, err)
			p, err := h.NewPool(pool.PoolOptions{MinWorkers: 2})
			require.NoError(t, err)
			if park {
				require.NoError(t, p.Park(t.Context()))
			}
			require.NoError(t, h.Close())
		})
	}
}

func TestAGuestThatIsNoneIsRefused(t *testing.T) {
	_, err := host.Open(t.Context(), host.Options{Guest: []byte("no guest"), Level: host.Pools, Workers: 1})
	require.Error(t, err)
}

func TestEveryGuestIsStoppedAtFullSpeed(t *testing.T) {
	for _, name := range []string{"trivial", "microsecond", "sha256", "loop", "memory16"} {
		h, err := host.OpenIdle(t.Context(), host.Options{Guest: guest(t, name), Level: host.Bare})
		require.NoError(t, err)
		assert.Equal(t, wago.InterruptCountdown, h.Module.Metadata().Interruption, name)
		require.NoError(t, h.Close())
	}
}
