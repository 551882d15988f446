package strategy_test

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/JairusSW/pool/strategy"
)

// setLoads stores a load for each entry.
func setLoads(entries []strategy.Entry, load func(i int) int64) []strategy.Entry {
	for i := range entries {
		entries[i].Load.Store(load(i))
	}
	return entries
}

func TestLeastLoadedTakesTheLowest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, err := strategy.New(strategy.LeastLoaded, strategy.Options{})
		require.NoError(t, err)
		entries := drawEntries(t, 100)
		v := p.View(nil, entries)
		for range 5 {
			pos, _ := p.First(v, 0)
			for _, other := range eligible(entries) {
				// All loads up to 0 are idle, and equal.
				require.LessOrEqual(t, max(entries[pos].Load.Load(), 0), max(entries[other].Load.Load(), 0))
			}
		}
	})
}

func TestLeastLoadedSpillAscends(t *testing.T) {
	for _, n := range []int{2, 3, 16, 65} { // the first choice and one block of others
		for seed := range uint64(20) {
			random := rand.New(rand.NewPCG(seed, 0))
			entries := setLoads(fleet(n), func(int) int64 { return random.Int64N(8) })
			p := newPicker(t, strategy.LeastLoaded, strategy.Options{})
			got := walk(p, p.View(nil, entries), 0)
			require.Len(t, got, n)
			for i := 1; i < n; i++ {
				require.LessOrEqual(t, entries[got[i-1]].Load.Load(), entries[got[i]].Load.Load())
			}
		}
	}
}

func TestLeastLoadedSpillAscendsBlockByBlock(t *testing.T) {
	const n = 300
	entries := setLoads(fleet(n), func(i int) int64 { return int64(i*7919%n + 1) })
	p := newPicker(t, strategy.LeastLoaded, strategy.Options{})
	got := walk(p, p.View(nil, entries), 0)
	require.Len(t, got, n)
	assert.EqualValues(t, 1, entries[got[0]].Load.Load())
	for i := 2; i < n; i++ {
		if (i-1)%64 != 0 {
			assert.Less(t, entries[got[i-1]].Load.Load(), entries[got[i]].Load.Load())
		}
	}
}

func TestLeastLoadedTiesGoRound(t *testing.T) {
	const picks = 100_000
	for _, n := range []int{3, 16, 64} {
		p := newPicker(t, strategy.LeastLoaded, strategy.Options{})
		got := counts(p, p.View(nil, fleet(n)), picks)
		assert.LessOrEqual(t, spread(got), 1, "%d idle", n)
		entries := setLoads(fleet(n), func(int) int64 { return 3 })
		assert.LessOrEqual(t, spread(counts(p, p.View(nil, entries), picks)), 1, "%d equally busy", n)
	}
}

func TestLeastLoadedTiesAmongSomeGoRound(t *testing.T) {
	for _, tied := range [][2]int{{0, 1}, {3, 4}, {2, 15}, {0, 8}} {
		entries := setLoads(fleet(16), func(i int) int64 {
			if i == tied[0] || i == tied[1] {
				return 0
			}
			return 5
		})
		p := newPicker(t, strategy.LeastLoaded, strategy.Options{})
		got := counts(p, p.View(nil, entries), 100_000)
		assert.Equal(t, 50_000, got[tied[0]])
		assert.Equal(t, 50_000, got[tied[1]])
	}
}

// Bursts of two on four idle workers: a tie broken by counting picks would always meet the same half of
// them.
func TestLeastLoadedTiesGoRoundInBursts(t *testing.T) {
	for burst := 1; burst <= 4; burst++ {
		entries := fleet(4)
		p := newPicker(t, strategy.LeastLoaded, strategy.Options{})
		v := p.View(nil, entries)
		got := make([]int, 4)
		for range 1000 {
			for range burst {
				pos, _ := p.First(v, 0)
				entries[pos].Load.Add(1)
				got[pos]++
			}
			setLoads(entries, func(int) int64 { return 0 })
		}
		assert.LessOrEqual(t, spread(got), 1, "bursts of %d", burst)
	}
}

func TestLeastLoadedTiesGoRoundFromManyGoroutines(t *testing.T) {
	for _, n := range []int{3, 16, 64} {
		p := newPicker(t, strategy.LeastLoaded, strategy.Options{})
		v := p.View(nil, fleet(n))
		got := make([]atomic.Int64, n)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 25_000 {
					pos, _ := p.First(v, 0)
					got[pos].Add(1)
				}
			})
		}
		wg.Wait()
		total := make([]int, n)
		for i := range got {
			total[i] = int(got[i].Load())
		}
		assert.LessOrEqual(t, spread(total)*100, 100_000/n, "%d workers: %v", n, total)
	}
}

func TestLeastLoadedTiesGoOnBehindTheLastPick(t *testing.T) {
	p := newPicker(t, strategy.LeastLoaded, strategy.Options{})
	entries := fleet(4)
	v := p.View(nil, entries)
	for want := range 3 {
		pos, _ := p.First(v, 0)
		require.Equal(t, want, pos)
	}
	v = p.View(v, entries[:3]) // nobody behind slot 2 any more
	v = p.View(v, append(entries[:4:4], entry(9)))
	pos, _ := p.First(v, 0)
	assert.Equal(t, 3, pos)
}

func TestLeastLoadedFillsNewWorkersFirst(t *testing.T) {
	p := newPicker(t, strategy.LeastLoaded, strategy.Options{})
	entries := setLoads(fleet(4), func(i int) int64 { return int64(20 * (1 - i/2)) })
	v := p.View(nil, entries)
	got := make([]int, 4)
	for range 40 {
		pos, _ := p.First(v, 0)
		entries[pos].Load.Add(1)
		got[pos]++
	}
	assert.Equal(t, []int{0, 0, 20, 20}, got)
}
