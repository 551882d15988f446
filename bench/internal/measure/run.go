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
	Bound   *Spread   // of what bounds the figure; nil for none
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
	samples, bounds, err := b.measure(row, progress)
	if errors.Is(err, ErrUnavailable) {
		return Result{Row: row, Verdict: Skipped, Reason: err.Error()}, nil
	}
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", row.Name, err)
	}
	return summarise(row, samples, bounds), nil
}

// measure returns the samples of the row, and the figures of what bounds it if there is that.
func (b *Bench) measure(row *Row, progress func(int)) (samples []Sample, bounds []float64, err error) {
	round, err := row.Open(b)
	if err != nil {
		return nil, nil, err
	}
	bound, err := row.openBound(b)
	if err != nil {
		return nil, nil, fmt.Errorf("what bounds it: %w", err)
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
		samples = append(samples, sample)
		if bound == nil {
			continue
		}
		if sample, err = bound(); err != nil {
			return nil, nil, fmt.Errorf("what bounds it: %w", err)
		}
		bounds = append(bounds, sample.Figure)
	}
	return samples, bounds, nil
}

func (row *Row) openBound(b *Bench) (Round, error) {
	if row.Bound == nil {
		return nil, nil
	}
	return row.Bound(b)
}

func summarise(row *Row, samples []Sample, bounds []float64) Result {
	r := Result{Row: row, Rounds: len(samples)}
	r.Figure = SpreadOf(column(samples, func(s Sample) float64 { return s.Figure }))
	for i := range row.Sides {
		r.Sides = append(r.Sides, SpreadOf(column(samples, func(s Sample) float64 { return s.Sides[i] })).Median)
	}
	r.Verdict = row.Aim.Verdict(r.Figure.Median)
	if row.Bound != nil {
		bound := SpreadOf(bounds)
		if r.Bound = &bound; r.Verdict == Short && row.Aim.Verdict(bound.Median) == Short {
			r.Verdict = Bounded
		}
	}
	return r
}

func column(samples []Sample, of func(Sample) float64) []float64 {
	figures := make([]float64, len(samples))
	for i, s := range samples {
		figures[i] = of(s)
	}
	return figures
}
