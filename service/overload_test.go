package service_test

import (
	"strconv"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"
)

// overfull is a pool of workers that take nothing and whose mailboxes are full.
func overfull(t *testing.T, opts pool.PoolOptions) *bench {
	t.Helper()
	opts.Worker.QueueCapacity = 4
	b, _ := newShutBench(t, rig.Config{Settings: map[string]string{workers.PluginID: `{"maxQueueBytes":1073741824}`}}, opts)
	for tag := range uint64(1 << 16) {
		before := b.stats()
		_, err := b.Service.SubmitKeyed(b.id, tag, tag, nil)
		if err != nil {
			require.Equal(t, pool.ErrPoolBackpressure, err)
		}
		if before.Outstanding == uint64(before.Live)*4 {
			break
		}
	}
	return b
}

func TestQ8ARefusedSubmitAllocatesNothing(t *testing.T) {
	payload := make([]byte, 1024)
	for _, n := range []uint32{1, 16, 64} {
		full := overfull(t, pool.PoolOptions{MinWorkers: n})
		shed := overfull(t, pool.PoolOptions{MinWorkers: n, Overflow: pool.OverflowShed})
		chosen := homeFull(t, pool.OverflowReject, n)
		chosenShed := homeFull(t, pool.OverflowShed, n)
		heavy := fullByBytes(t, n, payload)
		parked := fullParking(t, max(n, 2))
		draining := overfull(t, pool.PoolOptions{MinWorkers: n})
		require.NoError(t, draining.Service.Drain(draining.id))
		for name, refused := range map[string]struct {
			b   *bench
			use func(pool.Service, pool.PoolID) error
			err error
		}{
			"every mailbox full":           {full, submitBytes(payload), pool.ErrPoolBackpressure},
			"every mailbox full, by key":   {full, submitKeyed(payload), pool.ErrPoolBackpressure},
			"every mailbox full of bytes":  {heavy, submitBytes(payload), pool.ErrPoolBackpressure},
			"the parking place full":       {parked, submitBytes(payload), pool.ErrPoolBackpressure},
			"shed":                         {shed, submitBytes(payload), nil},
			"the chosen worker full":       {chosen, submitKeyed(payload), pool.ErrPoolBackpressure},
			"the chosen worker full, shed": {chosenShed, submitKeyed(payload), nil},
			"too large":                    {full, submitBytes(make([]byte, 1<<20)), pool.ErrPayloadTooLarge},
			"draining":                     {draining, submitBytes(payload), pool.ErrPoolDraining},
			"unknown pool":                 {&bench{Rig: full.Rig, id: 999}, submitBytes(payload), pool.ErrPoolNotFound},
		} {
			t.Run(name+" of "+strconv.Itoa(int(n)), func(t *testing.T) {
				use := func() error { return refused.use(refused.b.Service, refused.b.id) }
				require.Equal(t, refused.err, use())
				assert.Zero(t, allocsOf(func() { _ = use() }))
			})
		}
	}
}

// allocsOf is how often f allocates: the least of a few measurements, since the whole process is measured, in which guests that
// have ended are still being taken apart.
func allocsOf(f func()) float64 {
	least := testing.AllocsPerRun(200, f)
	for range 5 {
		least = min(least, testing.AllocsPerRun(200, f))
	}
	return least
}

func submitBytes(payload []byte) func(pool.Service, pool.PoolID) error {
	return func(s pool.Service, id pool.PoolID) error {
		_, err := s.Submit(id, 1, payload)
		return err
	}
}

func submitKeyed(payload []byte) func(pool.Service, pool.PoolID) error {
	return func(s pool.Service, id pool.PoolID) error {
		_, err := s.SubmitKeyed(id, 0, 1, payload)
		return err
	}
}

// homeFull is a hash pool in which the home of key 0 is full and, if there are others, they are not.
func homeFull(t *testing.T, overflow pool.OverflowPolicy, n uint32) *bench {
	t.Helper()
	b, _ := newShutBench(t, rig.Config{Settings: map[string]string{workers.PluginID: `{"maxQueueBytes":1073741824}`}}, pool.PoolOptions{
		Strategy: pool.ConsistentHash, MinWorkers: n, Overflow: overflow, Worker: pool.WorkerOptions{QueueCapacity: 4},
	})
	for range 4 {
		_, err := b.Service.SubmitKeyed(b.id, 0, 1, nil)
		require.NoError(t, err)
	}
	return b
}

// fullByBytes is a pool whose mailboxes hold one task each, which leaves no room for the bytes of another.
func fullByBytes(t *testing.T, n uint32, payload []byte) *bench {
	t.Helper()
	bytes := uint32(len(payload))
	b, _ := newShutBench(t, rig.Config{}, pool.PoolOptions{
		MinWorkers: n, Worker: pool.WorkerOptions{MaxPayloadBytes: bytes, MaxQueueBytes: bytes},
	})
	for range n {
		_, err := b.Service.Submit(b.id, 1, payload)
		require.NoError(t, err)
	}
	return b
}

// fullParking is a pool in which a worker died with a full mailbox while all others were full, and then as many tasks were
// submitted as can be parked.
func fullParking(t *testing.T, n uint32) *bench {
	t.Helper()
	b := overfull(t, pool.PoolOptions{MinWorkers: n})
	require.NoError(t, b.Workers.Kill(b.workers()[0]))
	b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "gone")
	for range 1 << 16 {
		if _, err := b.Service.Submit(b.id, 1, nil); err != nil {
			require.Equal(t, pool.ErrPoolBackpressure, err)
			return b
		}
	}
	require.Fail(t, "parking is never full")
	return nil
}
