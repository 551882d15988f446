package measure

import (
	"context"
	"errors"
	"fmt"
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

func summarise(row *Row, samples []Sample, without []float64) Result {
	r := Result{Row: row, Rounds: len(samples)}
	r.Figure = SpreadOf(column(samples, func(s Sample) float64 { return s.Figure }))
	for i := range row.Sides {
		r.Sides = append(r.Sides, SpreadOf(column(samples, func(s Sample) float64 { return s.Sides[i] })).Median)
	}
	r.Verdict = row.Aim.Verdict(r.Figure.Median)
	if row.Without == nil {
		return r
	}
	spread := SpreadOf(without)
	if r.Without = &spread; row.bounded(r.Figure.Median, spread.Median) {
		r.Verdict = Bounded
	}
	return r
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
