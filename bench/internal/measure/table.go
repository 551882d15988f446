package measure

import (
	"context"
	"errors"
	"fmt"
)

// Table is figures by the size of a pool.
type Table struct {
	Columns []Side      `json:"columns"`
	Sizes   []int       `json:"sizes"`   // workers
	Cells   [][]float64 `json:"figures"` // of each size, in the order of the columns
}

// Column is one figure of a table, and how to measure it at a size.
type Column struct {
	Side

	// Open makes everything ready off the clock and returns what measures the figure once. An error that wraps
	// [ErrUnavailable] leaves the column out.
	Open func(b *Bench, size int) (func() (float64, error), error)
}

// MeasureTable measures every column at every size: the median of the effort's rounds. It tells progress of each cell.
func MeasureTable(ctx context.Context, effort Effort, sizes []int, columns []Column, progress func(cell string)) (Table, error) {
	t := Table{Sizes: sizes, Cells: make([][]float64, len(sizes))}
	for _, c := range columns {
		figures := make([]float64, len(sizes))
		var err error
		for i, size := range sizes {
			progress(fmt.Sprintf("%s, %d workers", c.Name, size))
			if figures[i], err = c.measure(ctx, effort, size); err != nil {
				break
			}
		}
		switch {
		case errors.Is(err, ErrUnavailable):
			continue
		case err != nil:
			return Table{}, fmt.Errorf("%s: %w", c.Name, err)
		}
		t.Columns = append(t.Columns, c.Side)
		for i, figure := range figures {
			t.Cells[i] = append(t.Cells[i], figure)
		}
	}
	return t, nil
}

// measure is one cell.
func (c Column) measure(ctx context.Context, effort Effort, size int) (figure float64, err error) {
	b := &Bench{Context: ctx, Effort: effort}
	defer func() { err = errors.Join(err, b.Close()) }()
	once, err := c.Open(b, size)
	if err != nil {
		return 0, err
	}
	figures := make([]float64, effort.Rounds)
	for i := range figures {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if figures[i], err = once(); err != nil {
			return 0, err
		}
	}
	return SpreadOf(figures).Median, nil
}
