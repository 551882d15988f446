package measure_test

import (
	"math"
	"slices"
	"testing"

	"github.com/JairusSW/pool/bench/internal/measure"
	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestASpreadIsTheMedianWithTheQuartiles(t *testing.T) {
	for name, c := range map[string]struct {
		figures []float64
		want    measure.Spread
	}{
		"one":              {[]float64{3}, measure.Spread{Median: 3, Low: 3, High: 3}},
		"two":              {[]float64{4, 2}, measure.Spread{Median: 3, Low: 2.5, High: 3.5}},
		"odd, unsorted":    {[]float64{5, 1, 4, 2, 3}, measure.Spread{Median: 3, Low: 2, High: 4}},
		"even":             {[]float64{1, 2, 3, 4}, measure.Spread{Median: 2.5, Low: 1.75, High: 3.25}},
		"an outlier":       {[]float64{1, 1, 1, 1, 1000}, measure.Spread{Median: 1, Low: 1, High: 1}},
		"all the same":     {[]float64{7, 7, 7}, measure.Spread{Median: 7, Low: 7, High: 7}},
		"below and above0": {[]float64{-2, 0, 2}, measure.Spread{Median: 0, Low: -1, High: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			before := slices.Clone(c.figures)
			assert.Equal(t, c.want, measure.SpreadOf(c.figures))
			assert.Equal(t, before, c.figures, "the figures are left alone")
		})
	}
}

func TestASpreadOfNothingIsNoNumber(t *testing.T) {
	s := measure.SpreadOf(nil)
	assert.True(t, math.IsNaN(s.Median) && math.IsNaN(s.Low) && math.IsNaN(s.High))
}

func TestHalfOfTheFiguresLieInASpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		figures := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 50).Draw(t, "figures")
		s := measure.SpreadOf(figures)
		assert.LessOrEqual(t, slices.Min(figures), s.Low)
		assert.LessOrEqual(t, s.Low, s.Median)
		assert.LessOrEqual(t, s.Median, s.High)
		assert.LessOrEqual(t, s.High, slices.Max(figures))
		inside, below := 0, 0
		for _, f := range figures {
			if f >= s.Low && f <= s.High {
				inside++
			}
			if f <= s.Median {
				below++
			}
		}
		assert.GreaterOrEqual(t, 2*below, len(figures), "half are up to the median")
		assert.GreaterOrEqual(t, 2*inside+2, len(figures), "the middle half, but for the two that the quartiles lie between")
	})
}
