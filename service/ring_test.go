package service_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// keyFamilies are keys as users make them.
var keyFamilies = map[string]func(i int) uint64{
	"identifiers": func(int) uint64 { return textKey(fmt.Sprintf("%016x-%016x", rand.Uint64(), rand.Uint64())) },
	"names":       func(i int) uint64 { return textKey(fmt.Sprintf("user-%d", i)) },
	"counters": func(i int) uint64 {
		return uint64(binary.LittleEndian.Uint32(binary.BigEndian.AppendUint32(nil, uint32(i))))
	},
}

func textKey(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return h.Sum64()
}

// route submits a task for each key and returns who got it. If workers take tasks, it waits at the end, and whenever half of a
// mailbox could be full, until they have taken everything.
func (b *bench) route(keys []uint64, taken bool) map[uint64]pool.WorkerID {
	b.T.Helper()
	homes := make(map[uint64]pool.WorkerID, len(keys))
	for i, key := range keys {
		worker, err := b.Service.SubmitKeyed(b.id, key, 1, nil)
		if err != nil || worker == 0 {
			require.NoError(b.T, err)
			require.NotZero(b.T, worker)
		}
		homes[key] = worker
		if taken && (i+1 == len(keys) || i%(ringMailbox/2) == 0) {
			b.quiet()
		}
	}
	return homes
}

const ringMailbox = 65_536

func ringOf(workers, most uint32) pool.PoolOptions {
	return pool.PoolOptions{
		Strategy: pool.ConsistentHash, MinWorkers: workers, MaxWorkers: most, Worker: pool.WorkerOptions{QueueCapacity: ringMailbox},
	}
}

// TestPC15TheRingIsBalancedAndStable takes 100 000 keys of each family, which workers take at once; 3 000 with the race detector or
// under -short, which wait in mailboxes. Fewer would let chance leave the bounds.
func TestPC15TheRingIsBalancedAndStable(t *testing.T) {
	count, taken := 100_000, true
	b := &bench{Rig: rig.New(t, rig.Config{Quiet: true})}
	if slack > 1 || testing.Short() {
		count, taken = 3_000, false
		b.ShutGates()
	}
	b.owner = b.Owner()
	for name, key := range keyFamilies {
		keys := make([]uint64, count)
		for i := range keys {
			keys[i] = key(i)
		}
		t.Run(name, func(t *testing.T) { balancedAndStable(t, b, keys, taken) })
	}
}

// balancedAndStable routes keys twice through pools of 2, 3 and 10 workers, each created five times.
func balancedAndStable(t *testing.T, b *bench, keys []uint64, taken bool) {
	bounds := map[uint32][2]int{2: {35, 65}, 3: {20, 47}, 10: {5, 15}} // percent
	for workers, bound := range bounds {
		for range 5 {
			b.id = b.another(ringOf(workers, workers))
			homes := b.route(keys, taken)
			shares := make(map[pool.WorkerID]int)
			for _, worker := range homes {
				shares[worker]++
			}
			assert.Len(t, shares, int(workers))
			for _, n := range shares {
				assert.GreaterOrEqual(t, n*100, bound[0]*len(homes), "%d workers: %v", workers, shares)
				assert.LessOrEqual(t, n*100, bound[1]*len(homes), "%d workers: %v", workers, shares)
			}
			assert.Empty(t, moved(homes, b.route(keys, taken)), "the second pass")
			require.NoError(t, b.Service.Destroy(b.id))
		}
	}
}

// moved returns the keys whose worker differs.
func moved(from, to map[uint64]pool.WorkerID) (keys []uint64) {
	for key, worker := range from {
		if to[key] != worker {
			keys = append(keys, key)
		}
	}
	return keys
}

func TestPC16OnlyKeysOfTheChangedWorkerMove(t *testing.T) {
	keys := span(1, size[uint64](10_000, 2_000))
	b, gates := newGatedBench(t, rig.Config{Quiet: true, Behaviour: rig.TrapOn(666)}, ringOf(5, 6))
	m0 := b.route(keys, false)
	dead, err := b.Service.SubmitKeyed(b.id, 1, 666, nil)
	require.NoError(t, err)
	gates.OpenFor(dead)
	b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "666 traps")

	away := b.route(keys, false)
	for _, key := range moved(m0, away) {
		require.Equal(t, dead, m0[key])
	}
	require.NotContains(t, values(away), dead)

	known := b.workers()
	b.reconcile()
	heir := b.workers()[slices.IndexFunc(b.workers(), func(id pool.WorkerID) bool { return !slices.Contains(known, id) })]
	m1 := b.route(keys, false)
	for _, key := range keys {
		if m0[key] == dead {
			require.Equal(t, heir, m1[key])
		} else {
			require.Equal(t, m0[key], m1[key])
		}
	}

	known = b.workers()
	b.scale(6)
	m2 := b.route(keys, false)
	share := len(moved(m1, m2)) * 100 / len(keys)
	assert.GreaterOrEqual(t, share, 8, "percent moved to the sixth")
	assert.LessOrEqual(t, share, 30)
	for _, key := range moved(m1, m2) {
		require.NotContains(t, known, m2[key], "keys move to the new worker only")
	}

	all := b.workers()
	b.scale(5)
	m3 := b.route(keys, false)
	left := slices.DeleteFunc(all, func(id pool.WorkerID) bool { return slices.Contains(values(m3), id) })
	require.Len(t, left, 1)
	for _, key := range moved(m2, m3) {
		require.Equal(t, left[0], m2[key], "only keys of the removed worker move")
	}
	if !slices.Contains(known, left[0]) {
		assert.Equal(t, m1, m3, "the one added went again")
	}
}

func values(homes map[uint64]pool.WorkerID) (ids []pool.WorkerID) {
	for _, id := range homes {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}
