package report_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/JairusSW/pool/bench/internal/measure"
	"github.com/JairusSW/pool/bench/internal/report"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	reached = measure.Result{
		Row: &measure.Row{
			Topic: "What a task costs", Name: "P1 round-robin", What: "Submit over Send", Unit: measure.Ratio, Aim: measure.AtMost(2.5),
			Sides: []measure.Side{{Name: "Submit", Unit: measure.Nanoseconds}, {Name: "Send", Unit: measure.Nanoseconds}},
		},
		Rounds: 15, Figure: measure.Spread{Median: 2.21, Low: 2.10, High: 2.34}, Sides: []float64{131.2, 59.4}, Verdict: measure.Reached,
	}
	alone = measure.Result{
		Row:    &measure.Row{Topic: "What a worker costs", Name: "G2 resident", What: "memory", Unit: measure.Bytes, Aim: measure.AtMost(32 << 10)},
		Rounds: 15, Figure: measure.Spread{Median: 40 << 10, Low: 39 << 10, High: 41 << 10}, Verdict: measure.Short,
	}
	bounded = measure.Result{
		Row: &measure.Row{
			Topic: "What a task costs", Name: "P2 random", What: "1 024 over 16", Unit: measure.Ratio, Aim: measure.AtMost(1.6),
			Sides: []measure.Side{{Name: "at 1 024", Unit: measure.Nanoseconds}, {Name: "at 16", Unit: measure.Nanoseconds}},
		},
		Rounds: 15, Figure: measure.Spread{Median: 1.85, Low: 1.79, High: 1.96}, Sides: []float64{291, 159}, Verdict: measure.Bounded,
		Without: &measure.Spread{Median: 1.76, Low: 1.69, High: 1.8},
	}
	noted = measure.Result{
		Row:    &measure.Row{Topic: "What a worker costs", Name: "other", What: "other things", Unit: measure.Ratio},
		Rounds: 15, Figure: measure.Spread{Median: 1, Low: 1, High: 1}, Verdict: measure.Noted,
	}
	skipped = measure.Result{
		Row:     &measure.Row{Topic: "What a worker costs", Name: "G1 fork", What: "a fork", Unit: measure.Ratio, Aim: measure.AtMost(.02)},
		Verdict: measure.Skipped, Reason: "not available here: Linux only",
	}
	table = &measure.Table{
		Columns: []measure.Side{{Name: "Submit", Unit: measure.Nanoseconds}, {Name: "memory", Unit: measure.Bytes}},
		Sizes:   []int{1, 4096}, Cells: [][]float64{{60, 1 << 16}, {1500, 1 << 20}},
	}
	machine = report.Machine{
		System: "linux/amd64", Processor: "Test Processor", Processors: 2, Go: "go1.99",
		Began: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC), Command: "go run ./bench --markdown",
	}
)

func TestALineHasFigureSpreadAimVerdictAndSides(t *testing.T) {
	for name, c := range map[string]struct {
		result measure.Result
		want   string
	}{
		"reached":         {reached, "P1 round-robin 2.21 (2.10–2.34) aim ≤ 2.5 ok Submit 131 ns, Send 59.4 ns"},
		"short, one side": {alone, "G2 resident 40 KiB (39 KiB–41 KiB) aim ≤ 32 KiB short"},
		"bounded": {
			bounded,
			"P2 random 1.85 (1.79–1.96) aim ≤ 1.6 bounded at 1 024 291 ns, at 16 159 ns; without it 1.76 (1.69–1.80)",
		},
		"no aim":  {noted, "other 1.00 (1.00–1.00) –"},
		"skipped": {skipped, "G1 fork skipped: not available here: Linux only"},
	} {
		t.Run(name, func(t *testing.T) {
			line := report.Line(c.result, 20)
			assert.Equal(t, c.want, strings.Join(strings.Fields(line), " "))
			assert.Equal(t, strings.TrimRight(line, " "), line)
			assert.NotContains(t, line, "\n")
		})
	}
}

func TestTheColumnsOfLinesStandBelowEachOther(t *testing.T) {
	at := func(r measure.Result, part string) int {
		before, _, found := strings.Cut(report.Line(r, 20), part)
		require.True(t, found)
		return len([]rune(before))
	}
	assert.Equal(t, at(reached, "aim"), at(alone, "aim"))
	assert.Equal(t, at(reached, "ok"), at(alone, "short"))
	assert.Equal(t, at(reached, "Submit"), at(bounded, "at 1 024"))
}

func TestTablesStandStraight(t *testing.T) {
	lines := strings.Split(strings.TrimRight(report.Text(table), "\n"), "\n")
	require.Len(t, lines, 3)
	assert.Equal(t, []string{"4096", "1.5", "µs", "1", "MiB"}, strings.Fields(lines[2]))
	for _, line := range lines {
		assert.Len(t, []rune(line), len([]rune(lines[0])))
	}
}

func TestMarkdownHasATableForEachTopic(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, report.Markdown(&out, machine, report.Figures{
		Rows: []measure.Result{reached, bounded, alone, skipped}, Scale: table, Curves: table,
	}))
	text := out.String()
	assert.Contains(t, text, "Test Processor")
	assert.Contains(t, text, "`go run ./bench --markdown`")
	assert.Contains(t, text, "2030-01-02")
	assert.Contains(t, text, "| P1 round-robin | Submit over Send | 2.21 (2.10–2.34) | ≤ 2.5 | ok | Submit 131 ns, Send 59.4 ns |\n")
	assert.Contains(t, text, "| bounded | at 1 024 291 ns, at 16 159 ns; without it 1.76 (1.69–1.80) |\n")
	assert.Contains(t, text, "| G1 fork | a fork | | | skipped |")
	assert.Equal(t, 1, strings.Count(text, "### What a worker costs"))
	assert.Equal(t, 4, strings.Count(text, "### "))
	columns := 0
	for _, line := range strings.Split(text, "\n") {
		switch {
		case !strings.HasPrefix(line, "|"):
			columns = 0
		case columns == 0:
			columns = strings.Count(line, "|")
		default:
			assert.Equal(t, columns, strings.Count(line, "|"), line)
		}
	}
}

func TestJSONSaysEverythingAndCanBeReadBack(t *testing.T) {
	broken := reached
	broken.Figure = measure.Spread{Median: math.NaN(), Low: math.NaN(), High: math.NaN()}
	var out bytes.Buffer
	require.NoError(t, report.JSON(&out, machine, report.Figures{
		Rows: []measure.Result{reached, skipped, broken, bounded}, Scale: table,
	}))
	var got struct {
		Machine report.Machine
		Rows    []struct {
			Name, Aim, Verdict, Reason, Unit string
			Figure, Without                  *measure.Spread
			Sides                            []struct {
				Name  string
				Value float64
			}
		}
		Scale, Curves *measure.Table
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	assert.Equal(t, machine, got.Machine)
	require.Len(t, got.Rows, 4)
	assert.Equal(t, &reached.Figure, got.Rows[0].Figure)
	assert.Equal(t, "ok", got.Rows[0].Verdict)
	assert.Equal(t, "≤ 2.5", got.Rows[0].Aim)
	assert.InDelta(t, 59.4, got.Rows[0].Sides[1].Value, 1e-9)
	assert.Nil(t, got.Rows[1].Figure)
	assert.Equal(t, skipped.Reason, got.Rows[1].Reason)
	assert.Nil(t, got.Rows[2].Figure)
	assert.Nil(t, got.Rows[0].Without)
	assert.Equal(t, bounded.Without, got.Rows[3].Without)
	assert.Equal(t, table, got.Scale)
	assert.Nil(t, got.Curves)
}
