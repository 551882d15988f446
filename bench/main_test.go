package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/JairusSW/pool/bench/internal/measure"
	"github.com/JairusSW/pool/bench/internal/rows"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// ants starts goroutines of its own when the program does.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) }

// bench runs the command.
func bench(t *testing.T, args ...string) (status int, stdout string, err error) {
	t.Helper()
	var out bytes.Buffer
	status, err = run(t.Context(), args, &out, io.Discard)
	return status, out.String(), err
}

// line is a row as it is printed: name, figure, spread, perhaps an aim, verdict, perhaps sides and what it would be without this project.
var line = regexp.MustCompile(`^(.+?) {2,}(\S+(?: [µnm]?s| [KM]iB| B)?) +\(\S.*–\S.*\) +(aim [≤≥] \S+(?: ms| KiB)?)? *(ok|short|bounded|–)( .*)?$`)

func TestEveryRowIsMeasuredAndPrinted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "figures.json")
	all, args := everyRow()
	status, out, err := bench(t, append(args, "--quick", "--check", "--json", file)...)
	require.NoError(t, err)
	short := false
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	require.Len(t, lines, len(all)+1, "the machine, then the rows: %s", out)
	for i, row := range all {
		if strings.Contains(lines[i+1], " skipped: ") {
			continue
		}
		parts := line.FindStringSubmatch(lines[i+1])
		require.NotNil(t, parts, lines[i+1])
		assert.Equal(t, row.Name, parts[1])
		short = short || parts[4] == "short"
	}
	assert.Equal(t, short, status == statusShort, "--check says whether a row is short")
	checkJSON(t, file, all)
}

func TestWhatIsUndecidedIsMeasuredAgain(t *testing.T) {
	figures := map[string][]float64{ // of rounds, three at a time
		"calm":    {1, 1, 1},
		"wavers":  {1, 2, 3, 1, 1, 1},
		"nothing": {1, 3, 3, 1, 3, 1, 3, 1, 3},
	}
	var chosen []*measure.Row
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		chosen = append(chosen, &measure.Row{
			Name: name, Unit: measure.Ratio, Aim: measure.AtMost(2),
			Open: func(*measure.Bench) (measure.Round, error) {
				return func() (measure.Sample, error) {
					figure := figures[name][0]
					figures[name] = figures[name][1:]
					return measure.Sample{Figure: figure}, nil
				}, nil
			},
		})
	}
	var out bytes.Buffer
	s := &session{options: options{effort: measure.Effort{Rounds: 3, Again: 2}}, stdout: &out, progress: newProgress(io.Discard)}
	require.NoError(t, s.measureRows(t.Context(), chosen))
	assert.Equal(t, map[string][]float64{"calm": {}, "wavers": {}, "nothing": {}}, figures, "nothing more, nothing less")
	assert.Equal(t, []int{3, 9, 6}, []int{s.figures.Rows[0].Rounds, s.figures.Rows[1].Rounds, s.figures.Rows[2].Rounds})
	assert.True(t, s.short(), "nothing came of the second row")
	assert.Equal(t, 2, strings.Count(out.String(), "measured again, because rounds disagree on the verdict; all rounds count:\n"), &out)
	assert.Equal(t, 6, strings.Count(out.String(), "aim ≤ 2"), &out)
}

// everyRow returns the rows, and the flags that ask for them. With the race detector, only one of those with 1 024 workers.
func everyRow() (all []measure.Row, args []string) {
	all = rows.All(guests())
	if !raceDetector {
		return all, nil
	}
	all = slices.DeleteFunc(all, func(r measure.Row) bool {
		return strings.HasPrefix(r.Name, "P2 ") && r.Name != "P2 round-robin"
	})
	for _, r := range all {
		args = append(args, "--row", r.Name)
	}
	return all, args
}

func checkJSON(t *testing.T, file string, all []measure.Row) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var got struct {
		Rows []struct {
			Name, Verdict string
			Figure        *measure.Spread
			Sides         []struct{ Value float64 }
		}
	}
	require.NoError(t, json.Unmarshal(text, &got))
	require.Len(t, got.Rows, len(all))
	for i, r := range got.Rows {
		assert.Equal(t, all[i].Name, r.Name)
		if r.Verdict == string(measure.Skipped) {
			continue
		}
		require.NotNil(t, r.Figure, r.Name)
		assert.Len(t, r.Sides, len(all[i].Sides), r.Name)
		for _, side := range r.Sides {
			assert.Positive(t, side.Value, r.Name)
		}
	}
}

func TestScaleIsATableAndSVGAPicture(t *testing.T) {
	file := filepath.Join(t.TempDir(), "submit.svg")
	status, out, err := bench(t, "--quick", "--scale", "--svg", file, "--markdown")
	require.NoError(t, err)
	assert.Equal(t, statusOK, status)
	assert.Contains(t, out, "### How it scales\n\n| workers | Submit | Call | Stats | Create, per worker | Destroy, per worker | event |")
	assert.Regexp(t, `(?m)^\| 64 \| \S+ (ns|µs) \|`, out)
	assert.NotContains(t, out, "P1 ", "rows are measured when they are asked for")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, xml.Unmarshal(text, new(struct{})))
	for _, curve := range []string{"round-robin", "Workers&#39; Send", "ants"} {
		assert.Contains(t, string(text), curve)
	}
}

func TestRowsAreChosenByTheirFirstWords(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want []string
	}{
		"a whole name":   {[]string{"--row", "P8 stats"}, []string{"P8 stats"}},
		"a family":       {[]string{"--row", "p7"}, []string{"P7 create", "P7 consistent-hash"}},
		"two":            {[]string{"--row", "S10", "--row", "G2"}, []string{"G2 resident", "S10 recovery"}},
		"no word's half": {[]string{"--row", "P5b sha256"}, []string{"P5b sha256", "P5b sha256 stoppable"}},
	} {
		t.Run(name, func(t *testing.T) {
			status, out, err := bench(t, append(c.args, "--list")...)
			require.NoError(t, err)
			assert.Equal(t, statusOK, status)
			var names []string
			for _, l := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
				name, _, _ := strings.Cut(l, "  ")
				names = append(names, name)
			}
			assert.Equal(t, c.want, names)
		})
	}
}

func TestMistakesAreToldAndNothingIsMeasured(t *testing.T) {
	for name, args := range map[string][]string{
		"a row that isn't":    {"--row", "P11"},
		"half a word":         {"--row", "P"},
		"one of two that is":  {"--row", "P1", "--row", "nonsense"},
		"a flag that isn't":   {"--fast"},
		"a word too many":     {"P1"},
		"a flag without file": {"--json"},
	} {
		t.Run(name, func(t *testing.T) {
			status, out, err := bench(t, args...)
			require.Error(t, err)
			assert.Equal(t, statusUsage, status)
			assert.Empty(t, out)
		})
	}
}

func TestHelpIsNoMistake(t *testing.T) {
	var complaints bytes.Buffer
	status, err := run(t.Context(), []string{"--help"}, io.Discard, &complaints)
	assert.Equal(t, statusOK, status)
	require.ErrorIs(t, err, flag.ErrHelp)
	for _, name := range []string{"json", "quick", "row", "check", "scale", "svg", "markdown", "list"} {
		assert.Contains(t, complaints.String(), "-"+name)
	}
}

func TestAFileThatCannotBeWrittenIsAnError(t *testing.T) {
	status, _, err := bench(t, "--quick", "--row", "P3 submit", "--json", filepath.Join(t.TempDir(), "no", "such", "folder"))
	require.ErrorIs(t, err, os.ErrNotExist)
	assert.Equal(t, statusShort, status)
}

var errFull = errors.New("the disk is full")

// full is a place where nothing can be written.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	_, err := run(t.Context(), []string{"--quick", "--row", "P3 submit"}, full{}, io.Discard)
	require.ErrorIs(t, err, errFull)
}
