package measure

import (
	"math"
	"slices"
)

// Spread is what many rounds say together.
type Spread struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`  // the first quartile
	High   float64 `json:"high"` // the third
}

// SpreadOf returns the median and the quartiles, interpolated between neighbours (R-7, as spreadsheets and NumPy do). Without
// figures all are NaN.
func SpreadOf(figures []float64) Spread {
	sorted := slices.Sorted(slices.Values(figures))
	return Spread{Median: quantile(sorted, .5), Low: quantile(sorted, .25), High: quantile(sorted, .75)}
}

func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	place := q * float64(len(sorted)-1)
	below := int(place)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + (place-float64(below))*(sorted[above]-sorted[below])
}
