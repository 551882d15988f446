package measure

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Result is a row as measured.
type Result struct {
	Row     *Row
	Rounds  int
	Figure  Spread
	Sides   []float64 // medians, in the order of the row's sides
	Without *Spread   // what the figure would be without this project; nil when nobody knows
	Verdict Verdict
	Reason  string // why it was skipped

	samples []Sample
	without []float64
}

// Run measures a row. It tells progress of each round before it begins, from 0, the row being made ready, on.
func Run(ctx context.Context, row *Row, effort Effort, progress func(round int)) (result Result, err error) {
	b := &Bench{Context: ctx, Effort: effort}
	defer func() {
		if closed := b.Close(); closed != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", row.Name, closed))
		}
	}()
	progress(0)
	samples, without, err := b.measure(row, progress)
	if errors.Is(err, ErrUnavailable) {
		return Result{Row: row, Verdict: Skipped, Reason: err.Error()}, nil
	}
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", row.Name, err)
	}
	return summarise(row, samples, without), nil
}

// measure returns the samples of the row, and the figures without this project if the row has them.
func (b *Bench) measure(row *Row, progress func(int)) (samples []Sample, without []float64, err error) {
	round, err := row.Open(b)
	if err != nil {
		return nil, nil, err
	}
	compare := func(Sample) (float64, error) { return 0, nil }
	if row.Without != nil {
		if compare, err = row.Without(b); err != nil {
			return nil, nil, fmt.Errorf("without this project: %w", err)
		}
	}
	for i := range b.Effort.Rounds {
		if err := b.Context.Err(); err != nil {
			return nil, nil, err
		}
		progress(i + 1)
		sample, err := round()
		if err != nil {
			return nil, nil, err
		}
		if len(sample.Sides) != len(row.Sides) {
			return nil, nil, fmt.Errorf("a sample has %d sides, the row %d", len(sample.Sides), len(row.Sides))
		}
		figure, err := compare(sample)
		if err != nil {
			return nil, nil, fmt.Errorf("without this project: %w", err)
		}
		samples, without = append(samples, sample), append(without, figure)
	}
	return samples, without, nil
}

// With returns what r and another result of the same row say together: all their rounds count.
func (r Result) With(more Result) Result {
	if r.Verdict == Skipped || more.Verdict == Skipped {
		return r
	}
	return summarise(r.Row, slices.Concat(r.samples, more.samples), slices.Concat(r.without, more.without))
}

// Undecided reports whether the middle half of the rounds lies on both sides of what makes the row short. Other rounds, in other
// minutes, may say the opposite then.
func (r Result) Undecided() bool {
	if r.Verdict == Noted || r.Verdict == Skipped {
		return false
	}
	var bounds Spread
	if r.Without != nil {
		bounds = *r.Without
	}
	short := 0
	for _, figure := range []float64{r.Figure.Low, r.Figure.High} {
		for _, without := range []float64{bounds.Low, bounds.High} {
			if r.Row.verdict(figure, without) == Short {
				short++
			}
		}
	}
	return short > 0 && short < 4
}

func summarise(row *Row, samples []Sample, without []float64) Result {
	r := Result{Row: row, Rounds: len(samples), samples: samples, without: without}
	r.Figure = SpreadOf(column(samples, func(s Sample) float64 { return s.Figure }))
	for i := range row.Sides {
		r.Sides = append(r.Sides, SpreadOf(column(samples, func(s Sample) float64 { return s.Sides[i] })).Median)
	}
	var bounds Spread
	if row.Without != nil {
		bounds = SpreadOf(without)
		r.Without = &bounds
	}
	r.Verdict = row.verdict(r.Figure.Median, bounds.Median)
	return r
}

// verdict is what becomes of the row with such a figure, and another without this project if that is measured.
func (row *Row) verdict(figure, without float64) Verdict {
	if row.Without != nil && row.bounded(figure, without) {
		return Bounded
	}
	return row.Aim.Verdict(figure)
}

// bounded reports whether a figure is short because of what it would be without this project: that is short too, and not much
// better, or of a growth what is left meets the aim.
func (row *Row) bounded(figure, without float64) bool {
	if row.Aim.bounds(figure, without) {
		return true
	}
	return row.Growth && row.Aim.Verdict(figure) == Short && row.Aim.Verdict(figure-(without-1)) == Reached
}

func column(samples []Sample, of func(Sample) float64) []float64 {
	figures := make([]float64, len(samples))
	for i, s := range samples {
		figures[i] = of(s)
	}
	return figures
}
