package measure_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/JairusSW/pool/bench/internal/measure"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// effort is three rounds; sides are filled up to a millisecond.
var effort = measure.Effort{Rounds: 3, Length: time.Millisecond}

// takes is a side whose operation takes so long, by its own account.
func takes(each time.Duration, ran *[]int) measure.Timed {
	return func(n int) (time.Duration, error) {
		*ran = append(*ran, n)
		return time.Duration(n) * each, nil
	}
}

func silent(int) {}

// row is a row of two sides.
func row(aim measure.Aim, open func(*measure.Bench) (measure.Round, error)) *measure.Row {
	return &measure.Row{
		Name: "X test", Unit: measure.Ratio, Aim: aim, Open: open,
		Sides: []measure.Side{{Name: "ours", Unit: measure.Nanoseconds}, {Name: "theirs", Unit: measure.Nanoseconds}},
	}
}

func TestSidesAreMeasuredInTurnAndCompared(t *testing.T) {
	var ours, theirs []int
	var rounds []int
	r, err := measure.Run(t.Context(), row(measure.AtMost(2.5), func(b *measure.Bench) (measure.Round, error) {
		return b.CostOver(takes(200, &ours), takes(100, &theirs))
	}), effort, func(round int) { rounds = append(rounds, round) })
	require.NoError(t, err)
	assert.Equal(t, measure.Spread{Median: 2, Low: 2, High: 2}, r.Figure)
	assert.Equal(t, []float64{200, 100}, r.Sides)
	assert.Equal(t, measure.Reached, r.Verdict)
	assert.Equal(t, 3, r.Rounds)
	assert.Equal(t, []int{0, 1, 2, 3}, rounds)
	for name, ran := range map[string]struct {
		n    []int
		each int
	}{"ours": {ours, 200}, "theirs": {theirs, 100}} {
		last := ran.n[len(ran.n)-effort.Rounds:]
		assert.GreaterOrEqual(t, last[0]*ran.each, int(effort.Length), "%s fill a side of a round", name)
		assert.Less(t, last[0]*ran.each, 2*int(effort.Length), "%s take about as long as asked", name)
		assert.Equal(t, []int{last[0], last[0], last[0]}, last, "%s do as much in every round", name)
	}
}

func TestAMachineThatIsBusyForAMomentDoesNotMakeASideSmall(t *testing.T) {
	var sizes []int
	late := true
	_, err := measure.Run(t.Context(), row(measure.Aim{}, func(b *measure.Bench) (measure.Round, error) {
		return b.CostOver(func(n int) (time.Duration, error) {
			sizes = append(sizes, n)
			took := time.Duration(n)
			if late {
				took, late = took+effort.Length, false
			}
			return took, nil
		}, takes(1, new([]int)))
	}), effort, silent)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, sizes[len(sizes)-1], int(effort.Length))
}

func TestAQuickSideIsDoneOftenAndASlowOneOnce(t *testing.T) {
	var quick, slow []int
	_, err := measure.Run(t.Context(), row(measure.Aim{}, func(b *measure.Bench) (measure.Round, error) {
		return b.CostOver(takes(1, &quick), takes(time.Second, &slow))
	}), effort, silent)
	require.NoError(t, err)
	assert.Equal(t, []int{1, 1, 1, 1, 1}, slow, "twice to find out, once a round")
	assert.GreaterOrEqual(t, quick[len(quick)-1], int(effort.Length))
	for i := 1; i < len(quick); i++ {
		assert.LessOrEqual(t, quick[i], 100*quick[i-1], "a guess from few operations is not trusted far")
	}
}

func TestRatesAreOperationsPerSecond(t *testing.T) {
	var ran []int
	r, err := measure.Run(t.Context(), row(measure.AtLeast(.9), func(b *measure.Bench) (measure.Round, error) {
		return b.RateOver(takes(time.Microsecond, &ran), takes(500*time.Nanosecond, &ran))
	}), effort, silent)
	require.NoError(t, err)
	assert.InDelta(t, .5, r.Figure.Median, 1e-9)
	assert.InDeltaSlice(t, []float64{1e6, 2e6}, r.Sides, 1e-3)
	assert.Equal(t, measure.Short, r.Verdict)
}

func TestTheReportIsOfMedians(t *testing.T) {
	samples := []measure.Sample{{3, []float64{30, 10}}, {1, []float64{10, 20}}, {2, []float64{20, 30}}}
	next := 0
	r, err := measure.Run(t.Context(), row(measure.AtMost(1.5), func(*measure.Bench) (measure.Round, error) {
		return func() (measure.Sample, error) { next++; return samples[next-1], nil }, nil
	}), effort, silent)
	require.NoError(t, err)
	assert.Equal(t, measure.Spread{Median: 2, Low: 1.5, High: 2.5}, r.Figure)
	assert.Equal(t, []float64{20, 20}, r.Sides)
	assert.Equal(t, measure.Short, r.Verdict, "the median counts, not the best round")
}

// fixed is a round that always says the same.
func fixed(figure float64) func(*measure.Bench) (measure.Round, error) {
	return func(*measure.Bench) (measure.Round, error) {
		return func() (measure.Sample, error) { return measure.Sample{Figure: figure, Sides: make([]float64, 2)}, nil }, nil
	}
}

func TestAShortRowIsBoundedIfItWouldBeShortWithoutThisProjectTooAndNotMuchBetter(t *testing.T) {
	for _, c := range []struct {
		aim             measure.Aim
		figure, without float64
		want            measure.Verdict
	}{
		{measure.AtMost(1.6), 1.5, 1.2, measure.Reached}, {measure.AtMost(1.6), 1.5, 1.7, measure.Reached},
		{measure.AtMost(1.6), 1.7, 1.2, measure.Short}, {measure.AtMost(1.6), 1.7, 1.6, measure.Short},
		{measure.AtMost(1.6), 1.7, 1.61, measure.Bounded}, {measure.AtMost(1.5), 2.39, 1.8, measure.Bounded},
		{measure.AtMost(1.5), 2.41, 1.8, measure.Short}, {measure.AtMost(1.6), 10, 1.7, measure.Short},
		{measure.AtLeast(.9), .95, .8, measure.Reached}, {measure.AtLeast(.9), .85, .95, measure.Short},
		{measure.AtLeast(.9), .61, .8, measure.Bounded}, {measure.AtLeast(.9), .59, .8, measure.Short},
		{measure.Aim{}, 2, 1, measure.Noted},
	} {
		row := row(c.aim, fixed(c.figure))
		row.Without = func(*measure.Bench) (measure.Without, error) {
			return func(measure.Sample) (float64, error) { return c.without, nil }, nil
		}
		r, err := measure.Run(t.Context(), row, effort, silent)
		require.NoError(t, err)
		assert.Equal(t, c.want, r.Verdict, "%v with %v", c.figure, c.without)
		assert.Equal(t, &measure.Spread{Median: c.without, Low: c.without, High: c.without}, r.Without)
	}
}

func TestOfAGrowthTheMachinesPartIsNotHeldAgainstTheAim(t *testing.T) {
	for _, c := range []struct {
		figure, without float64
		want            measure.Verdict
	}{
		{1.5, 1.3, measure.Reached}, {1.7, 1, measure.Short}, {1.75, 1.125, measure.Short}, {1.75, 1.25, measure.Bounded},
		{2, 1.5, measure.Bounded}, {2.25, 1.5, measure.Short}, {1.7, .9, measure.Short}, {2.5, 1.75, measure.Short},
	} {
		row := row(measure.AtMost(1.6), fixed(c.figure))
		row.Growth = true
		row.Without = func(*measure.Bench) (measure.Without, error) {
			return func(measure.Sample) (float64, error) { return c.without, nil }, nil
		}
		r, err := measure.Run(t.Context(), row, effort, silent)
		require.NoError(t, err)
		assert.Equal(t, c.want, r.Verdict, "%v with %v", c.figure, c.without)
	}
}

func TestARowIsUndecidedWhenItsQuartilesDisagree(t *testing.T) {
	for _, c := range []struct {
		aim              measure.Aim
		figures, without []float64 // of the rounds
		want             bool
	}{
		{measure.AtMost(2), []float64{1, 1.5, 1.9}, nil, false}, {measure.AtMost(2), []float64{2.1, 2.5, 3}, nil, false},
		{measure.AtMost(2), []float64{1.5, 1.9, 2.3}, nil, true}, {measure.AtMost(2), []float64{2, 2.1, 2.3}, nil, false},
		{measure.AtMost(2), []float64{1.7, 2.1, 2.3}, nil, true}, {measure.AtLeast(2), []float64{1.5, 1.9, 2.3}, nil, true},
		{measure.Aim{}, []float64{1, 2, 3}, nil, false}, {measure.AtMost(0), []float64{0, 0, 0}, nil, false},
		{measure.AtMost(2), []float64{2.1, 2.2, 2.3}, []float64{2.1, 2.2, 2.3}, false}, // bounded, whatever counts
		{measure.AtMost(2), []float64{2.1, 2.2, 2.3}, []float64{1.7, 2.1, 2.3}, true},
		{measure.AtMost(2), []float64{2.6, 2.8, 3}, []float64{2.1, 2.1, 2.1}, true}, // up to 2.8
		{measure.AtMost(2), []float64{1.6, 1.9, 2.2}, []float64{2.1, 2.2, 2.3}, false},
	} {
		r := measured(t, c.aim, c.figures, c.without)
		assert.Equal(t, c.want, r.Undecided(), "%v with %v", c.figures, c.without)
	}
	r, err := measure.Run(t.Context(), row(measure.AtMost(1), func(*measure.Bench) (measure.Round, error) {
		return nil, measure.ErrUnavailable
	}), effort, silent)
	require.NoError(t, err)
	assert.False(t, r.Undecided(), "skipped")
	assert.Equal(t, r, r.With(measured(t, measure.AtMost(1), []float64{1}, nil)))
}

func TestAllRoundsOfARowThatIsMeasuredAgainCount(t *testing.T) {
	first := measured(t, measure.AtMost(4), []float64{1, 6, 5}, []float64{4, 8, 6})
	assert.Equal(t, measure.Bounded, first.Verdict)
	both := first.With(measured(t, measure.AtMost(4), []float64{2, 3, 4}, []float64{1, 2, 3}))
	assert.Equal(t, 6, both.Rounds)
	assert.Equal(t, 3.5, both.Figure.Median)
	assert.Equal(t, []float64{3.5, 7}, both.Sides)
	assert.Equal(t, 3.5, both.Without.Median)
	assert.Equal(t, measure.Reached, both.Verdict)
}

// measured is a row whose rounds say that; its sides are the figure and twice that.
func measured(t *testing.T, aim measure.Aim, figures, without []float64) measure.Result {
	t.Helper()
	round := 0
	row := row(aim, func(*measure.Bench) (measure.Round, error) {
		return func() (measure.Sample, error) {
			figure := figures[round]
			round++
			return measure.Sample{Figure: figure, Sides: []float64{figure, 2 * figure}}, nil
		}, nil
	})
	if without != nil {
		row.Without = func(*measure.Bench) (measure.Without, error) {
			return func(measure.Sample) (float64, error) { return without[round-1], nil }, nil
		}
	}
	r, err := measure.Run(t.Context(), row, measure.Effort{Rounds: len(figures)}, silent)
	require.NoError(t, err)
	return r
}

func TestWhatItWouldBeWithoutThisProjectIsMeasuredAfterEachRound(t *testing.T) {
	var order []float64
	row := row(measure.AtMost(1), func(*measure.Bench) (measure.Round, error) {
		next := 0.
		return func() (measure.Sample, error) {
			next++
			order = append(order, next)
			return measure.Sample{Figure: next, Sides: make([]float64, 2)}, nil
		}, nil
	})
	row.Without = func(*measure.Bench) (measure.Without, error) {
		return func(s measure.Sample) (float64, error) { order = append(order, -s.Figure); return s.Figure, nil }, nil
	}
	_, err := measure.Run(t.Context(), row, effort, silent)
	require.NoError(t, err)
	assert.Equal(t, []float64{1, -1, 2, -2, 3, -3}, order)
}

func TestWhatItWouldBeWithoutThisProjectMayFail(t *testing.T) {
	for name, without := range map[string]func(*measure.Bench) (measure.Without, error){
		"made ready": func(*measure.Bench) (measure.Without, error) { return nil, errBroken },
		"in a round": func(*measure.Bench) (measure.Without, error) {
			return func(measure.Sample) (float64, error) { return 0, errBroken }, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			row := row(measure.AtMost(1), fixed(1))
			row.Without = without
			_, err := measure.Run(t.Context(), row, effort, silent)
			require.ErrorIs(t, err, errBroken)
			assert.ErrorContains(t, err, "without this project")
		})
	}
}

var errBroken = errors.New("broken")

func TestARowThatFailsSaysWhichItIs(t *testing.T) {
	fails := func(int) (time.Duration, error) { return 0, errBroken }
	later := 0
	breaks := func(int) (time.Duration, error) {
		if later++; later > 1 {
			return 0, errBroken
		}
		return time.Second, nil
	}
	for name, open := range map[string]func(*measure.Bench) (measure.Round, error){
		"made ready": func(*measure.Bench) (measure.Round, error) { return nil, errBroken },
		"warmed up":  func(b *measure.Bench) (measure.Round, error) { return b.CostOver(fails, fails) },
		"in a round": func(b *measure.Bench) (measure.Round, error) { return b.CostOver(breaks, breaks) },
		"taken apart": func(b *measure.Bench) (measure.Round, error) {
			b.OnClose(func() error { return errBroken })
			return func() (measure.Sample, error) { return measure.Sample{Sides: make([]float64, 2)}, nil }, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			later = 0
			_, err := measure.Run(t.Context(), row(measure.Aim{}, open), effort, silent)
			require.ErrorIs(t, err, errBroken)
			assert.ErrorContains(t, err, "X test")
		})
	}
}

func TestASampleHasTheRowsSides(t *testing.T) {
	_, err := measure.Run(t.Context(), row(measure.Aim{}, func(*measure.Bench) (measure.Round, error) {
		return func() (measure.Sample, error) { return measure.Sample{Sides: []float64{1}}, nil }, nil
	}), effort, silent)
	require.Error(t, err)
}

func TestOperationsThatTakeNoTimeAreAnError(t *testing.T) {
	first := true
	_, err := measure.Run(t.Context(), row(measure.Aim{}, func(b *measure.Bench) (measure.Round, error) {
		stops := func(int) (time.Duration, error) {
			defer func() { first = false }()
			if first {
				return time.Second, nil
			}
			return 0, nil
		}
		return b.CostOver(stops, func(int) (time.Duration, error) { return time.Second, nil })
	}), effort, silent)
	require.Error(t, err)
}

func TestWhatIsNotAvailableIsSkippedWithItsReason(t *testing.T) {
	r, err := measure.Run(t.Context(), row(measure.AtMost(1), func(*measure.Bench) (measure.Round, error) {
		return nil, measure.Unavailable("no second core")
	}), effort, silent)
	require.NoError(t, err)
	assert.Equal(t, measure.Skipped, r.Verdict)
	assert.Contains(t, r.Reason, "no second core")
}

func TestWhatARowMadeReadyIsTakenApartInReverse(t *testing.T) {
	var closed []int
	_, err := measure.Run(t.Context(), row(measure.Aim{}, func(b *measure.Bench) (measure.Round, error) {
		for i := range 3 {
			b.OnClose(func() error { closed = append(closed, i); return nil })
		}
		return nil, errBroken
	}), effort, silent)
	require.ErrorIs(t, err, errBroken)
	assert.Equal(t, []int{2, 1, 0}, closed)
}

func TestAnEndedContextEndsTheMeasurement(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	rounds := 0
	_, err := measure.Run(ctx, row(measure.Aim{}, func(*measure.Bench) (measure.Round, error) {
		return func() (measure.Sample, error) {
			rounds++
			cancel()
			return measure.Sample{Sides: make([]float64, 2)}, nil
		}, nil
	}), effort, silent)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 1, rounds)
}
