package service_test

import (
	"fmt"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"
)

const benchMailbox = 1 << 15

// BenchmarkSubmit gives tasks of 16 bytes to workers that take none; full mailboxes are emptied off the clock by making the
// pool anew. "send" is Workers' own Send through a lease, to the same number of workers in turn.
func BenchmarkSubmit(b *testing.B) {
	payload := make([]byte, 16)
	for _, size := range []uint32{1, 16, 64} {
		b.Run(fmt.Sprintf("send/%d", size), func(b *testing.B) {
			r := rig.New(b, benchConfig)
			r.ShutGates()
			refill(b, r, pool.RoundRobin, size, func(id pool.PoolID, stats pool.PoolStats, n int) {
				for i := range n {
					worker := stats.Workers[i%int(size)].ID
					if err := r.WithWorkers(func(w workers.Service) error { return w.Send(worker, 1, payload) }); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
		for _, kind := range []pool.Strategy{pool.RoundRobin, pool.LeastLoaded, pool.Random, pool.PowerOfTwo, pool.ConsistentHash} {
			b.Run(fmt.Sprintf("%v/%d", kind, size), func(b *testing.B) {
				r := rig.New(b, benchConfig)
				r.ShutGates()
				s := r.Service.Service
				refill(b, r, kind, size, func(id pool.PoolID, _ pool.PoolStats, n int) {
					for i := range n {
						if _, err := s.SubmitKeyed(id, uint64(i), 1, payload); err != nil {
							b.Fatal(err)
						}
					}
				})
			})
		}
	}
}

var benchConfig = rig.Config{Settings: map[string]string{workers.PluginID: `{"maxQueueBytes":4294967296}`}, Bare: true}

// refill runs b.N operations in batches that fill half the mailboxes.
func refill(b *testing.B, r *rig.Rig, kind pool.Strategy, size uint32, batch func(pool.PoolID, pool.PoolStats, int)) {
	owner := r.Owner()
	b.ReportAllocs()
	b.ResetTimer()
	for left := b.N; left > 0; {
		b.StopTimer()
		id, err := r.Service.Service.Create(owner.Caller, rig.EntryLoop, pool.PoolOptions{
			Strategy: kind, MinWorkers: size, Worker: pool.WorkerOptions{QueueCapacity: benchMailbox},
		})
		require.NoError(b, err)
		stats, err := r.Service.Stats(id)
		require.NoError(b, err)
		n := min(left, benchMailbox/2*int(size))
		b.StartTimer()
		batch(id, stats, n)
		b.StopTimer()
		require.NoError(b, r.Service.Destroy(id))
		b.StartTimer()
		left -= n
	}
}
