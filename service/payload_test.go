package service_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

const (
	payloadLimit = 1 << 20
	payloadHuge  = 64 << 20
	payloadGuest = payloadHuge + 1<<16 // the most memory a guest can have
)

// waysIn are the ways to submit from outside; broadcasts reach every worker.
func waysIn(caller wago.HostModule) map[string]func(s pool.Service, id pool.PoolID, tag uint64, payload []byte) error {
	ctx := context.Background()
	return map[string]func(s pool.Service, id pool.PoolID, tag uint64, payload []byte) error{
		"Submit": func(s pool.Service, id pool.PoolID, tag uint64, payload []byte) error {
			_, err := s.Submit(id, tag, payload)
			return err
		},
		"SubmitKeyed": func(s pool.Service, id pool.PoolID, tag uint64, payload []byte) error {
			_, err := s.SubmitKeyed(id, ^tag, tag, payload)
			return err
		},
		"SubmitFrom": func(s pool.Service, id pool.PoolID, tag uint64, payload []byte) error {
			_, err := s.SubmitFrom(caller, id, tag, payload)
			return err
		},
		"SubmitTask": func(s pool.Service, id pool.PoolID, tag uint64, payload []byte) error {
			_, err := s.SubmitTask(id, pool.Task{Tag: tag, Payload: payload})
			return err
		},
		"SubmitWait": func(s pool.Service, id pool.PoolID, tag uint64, payload []byte) error {
			_, err := s.SubmitWait(ctx, id, pool.Task{Tag: tag, Payload: payload})
			return err
		},
		"Call": func(s pool.Service, id pool.PoolID, tag uint64, payload []byte) error {
			_, err := s.Call(ctx, id, pool.Task{Tag: tag, Payload: payload})
			return err
		},
		"Broadcast": func(s pool.Service, id pool.PoolID, tag uint64, payload []byte) error {
			_, err := s.Broadcast(id, tag, payload)
			return err
		},
	}
}

func newPayloadBench(t *testing.T) *bench {
	t.Helper()
	limit := wago.WithRuntimeConfig(wago.NewRuntimeConfig().WithMemoryLimitPages(payloadGuest >> 16))
	return newBench(t, rig.Config{Guest: rig.Starts, Runtime: []wago.RuntimeOption{limit}}, pool.PoolOptions{
		MinWorkers: 2, Worker: pool.WorkerOptions{MaxPayloadBytes: payloadLimit, MaxQueueBytes: 4 * payloadLimit},
	})
}

func TestPC08PayloadsUpToTheLimitArriveAndLongerOnesAreRefusedEveryway(t *testing.T) {
	b := newPayloadBench(t)
	bytes64M := make([]byte, payloadHuge)
	pattern(bytes64M[:payloadLimit])
	for name, submit := range waysIn(b.owner.Caller) {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{payloadLimit - 1, payloadLimit} {
				before := len(b.Log())
				require.NoError(t, submit(b.Service, b.id, 1, bytes64M[:n]))
				b.quiet()
				seen := b.Log()[before:]
				require.NotEmpty(t, seen)
				for _, e := range seen {
					assert.Len(t, e.Task.Payload, n)
					assert.Equal(t, sha256.Sum256(bytes64M[:n]), sha256.Sum256(e.Task.Payload))
				}
			}
			for _, n := range []int{payloadLimit + 1, payloadHuge} {
				queued := b.stats().Routed
				took := allocated(func() {
					assert.Equal(t, pool.ErrPayloadTooLarge, submit(b.Service, b.id, 1, bytes64M[:n]))
				})
				assert.Less(t, took, uint64(payloadLimit/2), "bytes allocated for a refusal")
				assert.Equal(t, queued, b.stats().Routed)
			}
		})
	}
}

// pattern fills b with bytes that tell where they are.
func pattern(b []byte) {
	for i := range b {
		b[i] = byte(i * 7)
	}
}

// allocated returns how many bytes were allocated while f ran.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// guestSubmits has a guest of b submit a range of its memory with the given tag. As much of it as can be sent is a pattern.
func guestSubmits(b *bench, tag uint64, address, length uint32) <-chan error {
	answers := make(chan (<-chan error), 1)
	b.Act(func(w *rig.Worker, task pool.Task) rig.Act {
		if task.Tag != 2 {
			return rig.Next
		}
		if memory := w.Caller.Memory(); int(address)+payloadLimit <= len(memory) {
			pattern(memory[address : address+payloadLimit])
		}
		how, answer := w.Submits(b.id, tag, address, length)
		answers <- answer
		return how
	})
	b.submit(2)
	return within(b.T, testPatience, answers, "the guest's submit")
}

func TestPC08AGuestsOwnSubmitHasTheSameLimit(t *testing.T) {
	b := newPayloadBench(t)
	b.Act(func(*rig.Worker, pool.Task) rig.Act { return rig.GrowToLimit })
	_, err := b.Service.Broadcast(b.id, 1, nil)
	require.NoError(t, err)
	b.quiet()
	sent := make([]byte, payloadLimit)
	pattern(sent)
	for _, n := range []uint32{payloadLimit - 1, payloadLimit} {
		require.NoError(t, within(t, testPatience, guestSubmits(b, 3, 16, n), "the answer"))
		b.quiet()
		at := slices.IndexFunc(b.Log(), func(e rig.Entry) bool { return e.Task.Tag == 3 && len(e.Task.Payload) == int(n) })
		require.GreaterOrEqual(t, at, 0, "a task of %d bytes", n)
		assert.Equal(t, sha256.Sum256(sent[:n]), sha256.Sum256(b.Log()[at].Task.Payload))
	}
	for _, n := range []uint32{payloadLimit + 1, payloadHuge} {
		routed := b.stats().Routed
		took := allocated(func() {
			require.Equal(t, pool.ErrPayloadTooLarge, within(t, quick, guestSubmits(b, 3, 16, n), "the answer"))
		})
		assert.Less(t, took, uint64(payloadLimit/2), "bytes allocated for a refusal")
		assert.Equal(t, routed+1, b.quiet().Routed, "the task that submits, and no other")
	}
	assert.Zero(t, b.stats().FailedTasks)
}

func TestPC08ABadRangeEndsThatGuestOnly(t *testing.T) {
	for name, bad := range map[string]struct{ address, length uint32 }{
		"over the end": {1<<16 - 4, 16}, "far over": {8, math.MaxUint32},
	} {
		t.Run(name, func(t *testing.T) {
			b := newPayloadBench(t)
			guestSubmits(b, 3, bad.address, bad.length)
			b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "the guest ended")
			b.submit(span(11, 20)...)
			stats := b.quiet()
			assert.Equal(t, span(11, 20), b.Finished())
			assert.EqualValues(t, 1, stats.FailedTasks)
			assert.EqualValues(t, 1, stats.Live)
			assert.ErrorIs(t, stats.LastExit.Err, rig.ErrBadRange)
		})
	}
}

func TestPC08AnEmptyPayloadIsATask(t *testing.T) {
	b := newPayloadBench(t)
	for name, submit := range waysIn(b.owner.Caller) {
		for _, payload := range [][]byte{nil, {}} {
			for _, tag := range []uint64{0, math.MaxUint64} {
				before := len(b.Log())
				require.NoError(t, submit(b.Service, b.id, tag, payload), name)
				b.submit(77, 78) // each worker gets one
				b.quiet()
				seen := b.Log()[before:]
				legs := slices.DeleteFunc(slices.Clone(seen), func(e rig.Entry) bool { return e.Task.Tag != tag })
				require.NotEmpty(t, legs, name)
				for _, e := range legs {
					assert.Empty(t, e.Task.Payload)
					assert.True(t, e.Finished)
				}
				assert.Equal(t, len(legs)+2, len(seen), "the ordinary tasks after it are done, too")
			}
		}
	}
}

func TestTheSubmittersBytesAreItsOwnAgainWhenSubmitReturns(t *testing.T) {
	b, open := newShutBench(t, rig.Config{}, pool.PoolOptions{MinWorkers: 2})
	payload := []byte("mine")
	for name, submit := range waysIn(b.owner.Caller) {
		if name == "Call" {
			continue // it returns when the guest has had them
		}
		copy(payload, "mine")
		require.NoError(t, submit(b.Service, b.id, 1, payload), name)
		copy(payload, "XXXX")
	}
	open()
	b.quiet()
	for _, e := range b.Log() {
		assert.True(t, bytes.Equal([]byte("mine"), e.Task.Payload))
	}
}
