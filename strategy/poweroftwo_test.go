package strategy_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/JairusSW/pool/strategy"
)

func TestPowerOfTwoPairsComeEquallyOften(t *testing.T) {
	for _, n := range []int{2, 3, 4, 5, 12, 16} {
		p := newPicker(t, strategy.PowerOfTwo, strategy.Options{Seed: 5})
		v := p.View(nil, fleet(n))
		seen := map[[2]int]int{}
		for range 3 * n * (n - 1) {
			a, w := p.First(v, 0)
			b, _ := p.Next(v, w)
			require.NotEqual(t, a, b, "two different ones")
			seen[[2]int{a, b}]++
		}
		require.Len(t, seen, n*(n-1))
		for pair, count := range seen {
			assert.Equal(t, 3, count, "%d workers, pair %v", n, pair)
		}
	}
}

func TestPowerOfTwoTakesTheLowerOfTwo(t *testing.T) {
	entries := setLoads(fleet(20), func(i int) int64 { return int64(i) })
	p := newPicker(t, strategy.PowerOfTwo, strategy.Options{})
	v := p.View(nil, entries)
	for range 1000 {
		got := walk(p, v, 0)
		for i := 0; i < len(got); i += 2 {
			assert.Less(t, got[i], got[i+1])
		}
	}
}

func TestPowerOfTwoOfTwoTakesTheLower(t *testing.T) {
	for busy := range 2 {
		entries := fleet(2)
		entries[busy].Load.Store(5)
		p := newPicker(t, strategy.PowerOfTwo, strategy.Options{})
		v := p.View(nil, entries)
		for range 500 {
			pos, _ := p.First(v, 0)
			require.Equal(t, 1-busy, pos)
		}
	}
}

func TestPowerOfTwoTiesAreFair(t *testing.T) {
	const picks = 100_000
	for _, n := range []int{3, 16, 64} {
		for seed := range uint64(5) {
			p := newPicker(t, strategy.PowerOfTwo, strategy.Options{Seed: seed})
			got := spread(counts(p, p.View(nil, fleet(n)), picks))
			t.Logf("%d workers, seed %d: spread %d, %.3f %% of the mean", n, seed, got, float64(100*got*n)/picks)
			assert.LessOrEqual(t, got*100, picks/n)
		}
	}
}

func TestPowerOfTwoTiesAmongSomeAreFair(t *testing.T) {
	for _, tied := range [][2]int{{0, 1}, {3, 4}, {2, 15}, {0, 8}} {
		entries := setLoads(fleet(16), func(i int) int64 {
			if i == tied[0] || i == tied[1] {
				return 0
			}
			return 5
		})
		p := newPicker(t, strategy.PowerOfTwo, strategy.Options{Seed: 3})
		got := counts(p, p.View(nil, entries), 100_000)
		a, b := got[tied[0]], got[tied[1]]
		t.Logf("tied %v: %d and %d", tied, a, b)
		assert.LessOrEqual(t, max(a, b)-min(a, b), (a+b)/200)
	}
}

// Mitzenmacher: with two choices the fullest of n bins holds about ln ln n / ln 2 of n balls.
func TestPowerOfTwoBallsIntoBins(t *testing.T) {
	const bins = 1000
	trials := 2000
	if testing.Short() {
		trials = 200
	}
	worst, sum := int64(0), int64(0)
	entries := fleet(bins)
	for trial := range trials {
		setLoads(entries, func(int) int64 { return 0 })
		p := newPicker(t, strategy.PowerOfTwo, strategy.Options{Seed: uint64(trial)})
		v := p.View(nil, entries)
		counts(p, v, trial%bins) // begin anywhere in a round
		highest := int64(0)
		for range bins {
			pos, _ := p.First(v, 0)
			highest = max(highest, entries[pos].Load.Add(1))
		}
		worst, sum = max(worst, highest), sum+highest
	}
	mean := float64(sum) / float64(trials)
	t.Logf("worst maximum %d, mean %.3f", worst, mean)
	assert.LessOrEqual(t, worst, int64(4))
	assert.LessOrEqual(t, mean, 3.1)
}

func TestPowerOfTwoFindsNewWorkers(t *testing.T) {
	entries := setLoads(fleet(4), func(i int) int64 { return int64(20 * (1 - i/2)) })
	for seed := range uint64(50) {
		setLoads(entries, func(i int) int64 { return int64(20 * (1 - i/2)) })
		p := newPicker(t, strategy.PowerOfTwo, strategy.Options{Seed: seed})
		v := p.View(nil, entries)
		got := make([]int, 4)
		for range 40 {
			pos, _ := p.First(v, 0)
			entries[pos].Load.Add(1)
			got[pos]++
		}
		assert.GreaterOrEqual(t, got[2], 10)
		assert.GreaterOrEqual(t, got[3], 10)
	}
}
