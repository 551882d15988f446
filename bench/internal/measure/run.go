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
	samples, err := b.measure(row, progress)
	if errors.Is(err, ErrUnavailable) {
		return Result{Row: row, Verdict: Skipped, Reason: err.Error()}, nil
	}
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", row.Name, err)
	}
	return summarise(row, samples), nil
}

func (b *Bench) measure(row *Row, progress func(int)) ([]Sample, error) {
	round, err := row.Open(b)
	if err != nil {
		return nil, err
	}
	samples := make([]Sample, b.Effort.Rounds)
	for i := range samples {
		if err := b.Context.Err(); err != nil {
			return nil, err
		}
		progress(i + 1)
		if samples[i], err = round(); err != nil {
			return nil, err
		}
		if len(samples[i].Sides) != len(row.Sides) {
			return nil, fmt.Errorf("a sample has %d sides, the row %d", len(samples[i].Sides), len(row.Sides))
		}
	}
	return samples, nil
}

func summarise(row *Row, samples []Sample) Result {
	r := Result{Row: row, Rounds: len(samples)}
	r.Figure = SpreadOf(column(samples, func(s Sample) float64 { return s.Figure }))
	for i := range row.Sides {
		r.Sides = append(r.Sides, SpreadOf(column(samples, func(s Sample) float64 { return s.Sides[i] })).Median)
	}
	r.Verdict = row.Aim.Verdict(r.Figure.Median)
	return r
}

func column(samples []Sample, of func(Sample) float64) []float64 {
	figures := make([]float64, len(samples))
	for i, s := range samples {
		figures[i] = of(s)
	}
	return figures
}
