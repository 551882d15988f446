package measure_test

import (
	"testing"

	"github.com/JairusSW/pool/bench/internal/measure"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// column is one whose figure at a size is what of returns, round by round.
func column(name string, of func(size, round int) float64) measure.Column {
	return measure.Column{
		Side: measure.Side{Name: name, Unit: measure.Nanoseconds},
		Open: func(_ *measure.Bench, size int) (func() (float64, error), error) {
			round := 0
			return func() (float64, error) { round++; return of(size, round), nil }, nil
		},
	}
}

func TestATableHasTheMedianOfEveryColumnAtEverySize(t *testing.T) {
	var cells []string
	table, err := measure.MeasureTable(t.Context(), effort, []int{1, 16}, []measure.Column{
		column("linear", func(size, round int) float64 { return float64(size * round) }),
		column("constant", func(_, _ int) float64 { return 7 }),
	}, func(cell string) { cells = append(cells, cell) })
	require.NoError(t, err)
	assert.Equal(t, [][]float64{{2, 7}, {32, 7}}, table.Cells)
	assert.Equal(t, []int{1, 16}, table.Sizes)
	assert.Equal(t, "constant", table.Columns[1].Name)
	assert.Equal(t, []string{"linear, 1 workers", "linear, 16 workers", "constant, 1 workers", "constant, 16 workers"}, cells)
}

func TestATableLeavesOutWhatIsNotAvailable(t *testing.T) {
	missing := measure.Column{
		Side: measure.Side{Name: "missing"},
		Open: func(*measure.Bench, int) (func() (float64, error), error) {
			return nil, measure.Unavailable("not on this system")
		},
	}
	table, err := measure.MeasureTable(t.Context(), effort, []int{1}, []measure.Column{
		missing, column("there", func(_, _ int) float64 { return 1 }),
	}, func(string) {})
	require.NoError(t, err)
	require.Len(t, table.Columns, 1)
	assert.Equal(t, [][]float64{{1}}, table.Cells)
}

func TestATableThatFailsNamesTheColumn(t *testing.T) {
	_, err := measure.MeasureTable(t.Context(), effort, []int{1}, []measure.Column{{
		Side: measure.Side{Name: "broken column"},
		Open: func(b *measure.Bench, _ int) (func() (float64, error), error) {
			b.OnClose(func() error { return errBroken })
			return func() (float64, error) { return 1, nil }, nil
		},
	}}, func(string) {})
	require.ErrorIs(t, err, errBroken)
	assert.ErrorContains(t, err, "broken column")
}
