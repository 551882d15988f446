package semrange_test

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wago-org/wago/internal/semrange"
)

//go:embed testdata/npm.txt
var npmAnswers string

func TestRangeAnswersAsNPMDoes(t *testing.T) {
	rows := 0
	for line := range strings.Lines(npmAnswers) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		require.Len(t, fields, 3, line)
		rows++
		r, err := semrange.Parse(fields[0])
		if fields[2] == "invalid" {
			require.ErrorIs(t, err, semrange.ErrRange, line)
			continue
		}
		require.NoError(t, err, line)
		require.Equal(t, fields[2] == "in", contains(t, r, fields[1]), line)
	}
	require.Greater(t, rows, 400, "the file of answers is cut short")
}

// A caret or tilde and its long form in npm's README must agree on every version.
func TestShortAndLongFormsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.IntRange(0, 3)
		major, minor, patch := part.Draw(t, "major"), part.Draw(t, "minor"), part.Draw(t, "patch")
		pre := rapid.SampledFrom([]string{"", "-alpha", "-beta.2", "-0"})
		low := fmt.Sprintf("%d.%d.%d%s", major, minor, patch, pre.Draw(t, "pre"))
		caret := fmt.Sprintf("<%d.0.0-0", major+1)
		switch {
		case major == 0 && minor == 0:
			caret = fmt.Sprintf("<0.0.%d-0", patch+1)
		case major == 0:
			caret = fmt.Sprintf("<0.%d.0-0", minor+1)
		}
		version := fmt.Sprintf("%d.%d.%d%s", part.Draw(t, "x"), part.Draw(t, "y"), part.Draw(t, "z"), pre.Draw(t, "vpre"))
		same(t, "^"+low, ">="+low+" "+caret, version)
		same(t, "~"+low, fmt.Sprintf(">=%s <%d.%d.0-0", low, major, minor+1), version)
		same(t, fmt.Sprintf("%d.%d.%d - %d", major, minor, patch, major+1),
			fmt.Sprintf(">=%d.%d.%d <%d.0.0-0", major, minor, patch, major+2), version)
	})
}

func same(t *rapid.T, short, long, version string) {
	a, err := semrange.Parse(short)
	require.NoError(t, err)
	b, err := semrange.Parse(long)
	require.NoError(t, err)
	require.Equal(t, contains(t, b, version), contains(t, a, version), "%q and %q differ on %s", short, long, version)
}

// FuzzParse holds ranges against each other: "a || b" has what is in one of them, "a b" the releases that are in both, and a
// version by itself is the range of itself.
func FuzzParse(f *testing.F) {
	for i, row := range rules {
		f.Add(row.text, rules[len(rules)-1-i].text, "1.2.3-alpha")
	}
	for i, line := range strings.Split(npmAnswers, "\n") {
		if fields := strings.Split(strings.TrimSpace(line), "\t"); i%5 == 0 && len(fields) == 3 {
			f.Add(fields[0], "^1.2 || 0.x", fields[1])
		}
	}
	f.Fuzz(func(t *testing.T, text, other, against string) {
		a, errA := semrange.Parse(text)
		b, errB := semrange.Parse(other)
		version, errV := semrange.ParseVersion(against)
		for err, sentinel := range map[error]error{errA: semrange.ErrRange, errB: semrange.ErrRange, errV: semrange.ErrVersion} {
			if err != nil {
				require.ErrorIs(t, err, sentinel)
			}
		}
		if errA != nil || errB != nil || errV != nil {
			return
		}
		inA, inB := a.Contains(version), b.Contains(version)
		either, err := semrange.Parse(text + "||" + other)
		require.NoError(t, err)
		require.Equal(t, inA || inB, either.Contains(version))
		if version.Prerelease() == "" && !manyOrHyphen.MatchString(text+" "+other) {
			both, err := semrange.Parse(text + " " + other)
			require.NoError(t, err)
			require.Equal(t, inA && inB, both.Contains(version))
		}
		if itself, err := semrange.Parse(against); err == nil {
			require.True(t, itself.Contains(version))
		}
	})
}

// manyOrHyphen finds what gives a text another meaning beside another.
var manyOrHyphen = regexp.MustCompile(`\|\||\s-\s`)
