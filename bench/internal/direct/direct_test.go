package direct_test

import (
	"context"
	"crypto/sha256"
	"os"
	"testing"

	"github.com/JairusSW/pool/bench/internal/direct"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, name string, how direct.Interruption) *direct.Instance {
	t.Helper()
	code, err := os.ReadFile("../../testdata/" + name + ".wasm")
	require.NoError(t, err)
	e, err := direct.Open(t.Context(), code, how)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close(context.Background())) })
	in, err := e.New(t.Context())
	require.NoError(t, err)
	return in
}

func TestADigestIsWhatItShouldBe(t *testing.T) {
	for _, how := range []direct.Interruption{direct.Plain, direct.Stoppable} {
		in := open(t, "sha256", how)
		for _, length := range []int{0, 1, 55, 56, 64, 119, 120, 1024, 4096} {
			payload := make([]byte, length)
			for i := range payload {
				payload[i] = byte(i * 3)
			}
			at, err := in.Do(t.Context(), payload)
			require.NoError(t, err)
			var digest [32]byte
			require.NoError(t, in.Result(digest[:], at))
			assert.Equal(t, sha256.Sum256(payload), digest, "of %d bytes", length)
		}
	}
}

func TestTheTrivialGuestReturnsTheLength(t *testing.T) {
	for _, name := range []string{"trivial", "memory16"} {
		n, err := open(t, name, direct.Plain).Do(t.Context(), make([]byte, 16))
		require.NoError(t, err)
		assert.EqualValues(t, 16, n)
	}
}

func TestTheMicrosecondGuestDoesXorshift(t *testing.T) {
	n, err := open(t, "microsecond", direct.Plain).Do(t.Context(), make([]byte, 16))
	require.NoError(t, err)
	x := uint64(1)
	for range 4 * 128 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	assert.Equal(t, uint32(x), n)
}

func TestEveryTaskIsDoneUntilThereIsNone(t *testing.T) {
	for name, serve := range map[string]func(*direct.Instance, context.Context, <-chan direct.Task) error{
		"in one call": (*direct.Instance).Serve, "in a call each": (*direct.Instance).Each,
	} {
		t.Run(name, func(t *testing.T) {
			in := open(t, "trivial", direct.Stoppable)
			tasks := make(chan direct.Task, 100)
			for range cap(tasks) {
				tasks <- direct.Task{Payload: make([]byte, 16)}
			}
			close(tasks)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			require.NoError(t, serve(in, ctx, tasks))
			assert.Empty(t, tasks)
		})
	}
}

func TestATaskThatDoesNotFitIsRefused(t *testing.T) {
	_, err := open(t, "trivial", direct.Plain).Do(t.Context(), make([]byte, 1<<17))
	require.Error(t, err)
}

func TestAStoppableGuestCanBeStopped(t *testing.T) {
	in := open(t, "loop", direct.Stoppable)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Error(t, in.Many(ctx, 1<<62))
}
