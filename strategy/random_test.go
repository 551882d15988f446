package strategy_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/JairusSW/pool/strategy"
)

// chiSquare returns how far counts lie from even, over the degrees of freedom: 1 on average, for many
// degrees.
func chiSquare(counts []int) float64 {
	total := 0
	for _, c := range counts {
		total += c
	}
	mean := float64(total) / float64(len(counts))
	sum := 0.0
	for _, c := range counts {
		sum += (float64(c) - mean) * (float64(c) - mean) / mean
	}
	return sum / float64(len(counts)-1)
}

func TestRandomIsUniform(t *testing.T) {
	const n = 101
	for seed := range uint64(5) {
		p := newPicker(t, strategy.Random, strategy.Options{Seed: seed})
		v := p.View(nil, fleet(n))
		firsts, seconds, pairs := make([]int, n), make([]int, n), make([]int, n*n)
		before := 0
		for range 100_000 {
			a, w := p.First(v, 0)
			b, _ := p.Next(v, w)
			firsts[a]++
			seconds[b]++
			pairs[before*n+a]++
			before = a
		}
		// Standard deviations are .14, .14 and .014.
		assert.InDelta(t, 1, chiSquare(firsts), 0.6)
		assert.InDelta(t, 1, chiSquare(seconds), 0.6)
		assert.InDelta(t, 1, chiSquare(pairs), 0.06, "one pick says nothing of the next")
	}
}

func TestRandomSpillFavoursNoNeighbour(t *testing.T) {
	const n = 12
	p := newPicker(t, strategy.Random, strategy.Options{})
	v := p.View(nil, fleet(n))
	distance := make([]int, n-1)
	for range 110_000 {
		a, w := p.First(v, 0)
		b, _ := p.Next(v, w)
		distance[(b-a+n)%n-1]++
	}
	assert.LessOrEqual(t, spread(distance), 800, "10,000 each")
}

func TestViewsMadeOneAfterTheOtherDiffer(t *testing.T) {
	p := newPicker(t, strategy.Random, strategy.Options{})
	firsts := make([]int, 8)
	var v *strategy.View
	for range 8000 {
		v = p.View(v, fleet(8))
		pos, _ := p.First(v, 0)
		firsts[pos]++
	}
	assert.LessOrEqual(t, spread(firsts), 250, "1,000 each")
}

// A pool may list the same slots again at any moment; a seed has to repeat the picks all the same.
func TestPicksDependOnThePicksBeforeAndNotOnTheViews(t *testing.T) {
	for _, kind := range []strategy.Kind{strategy.Random, strategy.PowerOfTwo} {
		p := newPicker(t, kind, strategy.Options{Seed: 7})
		once, often := p.View(nil, fleet(8)), p.View(nil, fleet(8))
		for range 5 {
			often = p.View(often, fleet(8))
		}
		for range 64 {
			a, _ := p.First(once, 0)
			b, _ := p.First(often, 0)
			assert.Equal(t, a, b, "%v", kind)
		}
		once, often = p.View(once, fleet(9)), p.View(p.View(often, fleet(8)), fleet(9))
		a, _ := p.First(once, 0)
		b, _ := p.First(often, 0)
		assert.Equal(t, a, b, "%v", kind)
	}
}
