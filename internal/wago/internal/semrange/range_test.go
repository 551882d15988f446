package semrange_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wago-org/wago/internal/semrange"
)

// Each row is one rule of npm's README: versions inside the range and versions outside.
var rules = []struct{ name, text, in, out string }{
	{"exact", "1.2.3", "1.2.3 1.2.3+build", "1.2.2 1.2.4 1.2.3-alpha"},
	{"exact with equals and v", "=v1.2.3", "1.2.3", "1.2.4"},
	{"exact prerelease", "1.2.3-beta.2", "1.2.3-beta.2", "1.2.3 1.2.3-beta.1"},
	{"build metadata of the range is ignored", "1.2.3+a", "1.2.3 1.2.3+b", "1.2.4"},
	{"less", "<1.2.3", "1.2.2 0.0.0", "1.2.3 1.2.2-alpha 1.2.3-alpha"},
	{"less than a partial", "<1.2", "1.1.9", "1.2.0 1.2.0-alpha"},
	{"less or equal", "<=1.2.3", "1.2.3 0.1.0", "1.2.4"},
	{"less or equal to a partial takes all of it", "<=1.2", "1.2.9", "1.3.0 1.3.0-alpha"},
	{"greater", ">1.2.3", "1.2.4 2.0.0", "1.2.3"},
	{"greater than a partial leaves all of it", ">1.2", "1.3.0", "1.2.0 1.2.9"},
	{"greater than a major", ">1", "2.0.0", "1.0.0 1.9.9"},
	{"greater or equal", ">=1.24", "1.24.0 2.0.0", "1.23.9"},
	{"blanks after the operator", ">=  1.2.3  <  2", "1.2.3 1.9.0", "2.0.0 1.2.2"},
	{"x-range patch", "1.2.x", "1.2.0 1.2.9", "1.3.0 1.1.9 1.2.0-alpha"},
	{"x-range left out", "1.2", "1.2.0 1.2.9", "1.3.0"},
	{"x-range minor", "1.X", "1.0.0 1.9.9", "2.0.0 0.9.9 2.0.0-alpha"},
	{"star", "*", "0.0.0 9.9.9", "1.0.0-alpha"},
	{"more than everything", ">*", "", "0.0.0 9.9.9 0.0.0-0"},
	{"less than everything", "<*", "", "0.0.0 9.9.9 0.0.0-0"},
	{"tilde full", "~1.2.3", "1.2.3 1.2.9", "1.3.0 1.2.2 1.3.0-alpha"},
	{"tilde minor", "~2.1", "2.1.0 2.1.9", "2.2.0 2.0.9"},
	{"tilde major", "~1", "1.0.0 1.9.9", "2.0.0"},
	{"tilde arrow", "~>1.2.3", "1.2.3 1.2.9", "1.3.0"},
	{"tilde zero", "~0.0.0", "0.0.0 0.0.9", "0.1.0 1.0.0"},
	{"tilde prerelease", "~1.2.3-beta.2", "1.2.3-beta.2 1.2.3-beta.4 1.2.4", "1.2.3-beta.1 1.2.4-beta.2"},
	{"caret", "^1.2.3", "1.2.3 1.9.9", "2.0.0 1.2.2 2.0.0-alpha"},
	{"caret 0.1.0 is below 0.2.0", "^0.1.0", "0.1.0 0.1.2 0.1.99", "0.2.0 0.0.9 0.2.0-alpha 1.0.0"},
	{"caret 0.0.3", "^0.0.3", "0.0.3", "0.0.4 0.0.2"},
	{"caret 0.0", "^0.0", "0.0.0 0.0.9", "0.1.0"},
	{"caret 0", "^0", "0.0.0 0.9.9", "1.0.0"},
	{"caret 1.x", "^1.x", "1.0.0 1.9.9", "2.0.0"},
	{"caret star", "^*", "0.0.0 7.0.0", "7.0.0-rc"},
	{"caret prerelease", "^1.2.3-beta.2", "1.2.3-beta.2 1.2.3-rc 1.9.0", "1.2.3-beta.1 1.2.4-beta.3 2.0.0"},
	{"caret zero prerelease", "^0.0.3-beta", "0.0.3-beta 0.0.3-pr.2 0.0.3", "0.0.4 0.0.3-alpha"},
	{"hyphen", "1.2.3 - 2.3.4", "1.2.3 2.3.4", "1.2.2 2.3.5"},
	{"hyphen from partial", "1.2 - 2.3.4", "1.2.0 2.3.4", "1.1.9"},
	{"hyphen to partial takes all of it", "1.2.3 - 2.3", "2.3.9", "2.4.0 2.4.0-alpha"},
	{"hyphen to major", "1.2.3 - 2", "2.9.9", "3.0.0"},
	{"hyphen from star", "* - 2.0.0", "0.0.0 2.0.0", "2.0.1"},
	{"either", "1.2.7 || >=1.2.9 <2.0.0", "1.2.7 1.2.9 1.4.6", "1.2.8 2.0.0"},
	{"either without blanks", "1||3", "1.5.0 3.5.0", "2.5.0"},
	{"nothing beside either is any release", "1.2.3 ||", "1.2.3 9.9.9", "9.9.9-alpha"},
	{"prerelease of the same release", ">1.2.3-alpha.3", "1.2.3-alpha.7 3.4.5 1.2.3", "3.4.5-alpha.9 1.2.3-alpha.3"},
	{"prerelease admitted by one of the group", ">=1.2.3-alpha <1.2.4", "1.2.3-beta", "1.2.4-alpha"},
	{"prerelease isn't admitted by another group", ">=2.0.0 || 1.2.3-alpha", "1.2.3-alpha 2.0.0", "2.0.1-alpha"},
	{"prerelease numbers are ordered as numbers", ">=1.0.0-rc.2", "1.0.0-rc.10", "1.0.0-rc.1"},
}

func TestRangeFollowsNPM(t *testing.T) {
	for _, row := range rules {
		t.Run(row.name, func(t *testing.T) {
			r, err := semrange.Parse(row.text)
			require.NoError(t, err)
			for _, version := range strings.Fields(row.in) {
				require.True(t, contains(t, r, version), "%s must be in %q", version, row.text)
			}
			for _, version := range strings.Fields(row.out) {
				require.False(t, contains(t, r, version), "%s must not be in %q", version, row.text)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":                    "",
		"blanks":                     " \t\n",
		"a word":                     "latest",
		"an operator alone":          ">=",
		"two operators":              ">=<1.2.3",
		"operator of others":         "!=1.2.3",
		"turned operator":            "=>1.2.3",
		"comma":                      ">=1.2.3,<2",
		"leading zero":               "01.2.3",
		"leading zero prerelease":    "1.2.3-01",
		"four parts":                 "1.2.3.4",
		"negative":                   "-1",
		"prerelease of a partial":    "1.2-alpha",
		"upper-case V":               "V1.2.3",
		"number after a free part":   "1.x.3",
		"the same after a caret":     "^x.1",
		"the same in a hyphen":       "1 - 2.x.3",
		"the same before a hyphen":   "x.1 - 2",
		"number above 2^53-1":        "9007199254740992",
		"number above 64 bits":       "1.2.99999999999999999999",
		"one bad group":              "1.2.3 || nope",
		"hyphen without blanks":      "1.0.0 -2.0.0",
		"empty prerelease":           "1.2.3-",
		"empty part of prerelease":   "1.2.3-a..b",
		"a URL":                      "https://example.com/x.tgz",
		"a word of another alphabet": "１.2.3",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := semrange.Parse(text)
			require.ErrorIs(t, err, semrange.ErrRange)
		})
	}
}

func TestLargestNumberHasASuccessor(t *testing.T) {
	r, err := semrange.Parse("^9007199254740991")
	require.NoError(t, err)
	require.True(t, contains(t, r, "9007199254740991.5.0"))
	require.False(t, contains(t, r, "9007199254740992.0.0"))
}

func TestZeroRangeIsEmpty(t *testing.T) {
	require.False(t, contains(t, semrange.Range{}, "1.0.0"))
}

func TestParseVersion(t *testing.T) {
	for _, good := range []string{"1.2.3", "v1.2.3", "0.0.0", "1.2.3-a.1+b.2", "1.2.3+01"} {
		_, err := semrange.ParseVersion(good)
		require.NoError(t, err, good)
	}
	bad := []string{
		"", "1", "1.2", "V1.2.3", "vv1.2.3", "01.2.3", "1.2.3-01", "1.2.3-", "1.2.3+", " 1.2.3", "1.2.3 ", "1.2.x",
		"=1.2.3", "1.2.3-a..b", "1.2.3-é", "-1.2.3", "1.2.18446744073709551616", "1.2.3-" + strings.Repeat("a", 256),
	}
	for _, text := range bad {
		_, err := semrange.ParseVersion(text)
		require.ErrorIs(t, err, semrange.ErrVersion, text)
	}
}

func contains(t require.TestingT, r semrange.Range, text string) bool {
	version, err := semrange.ParseVersion(text)
	require.NoError(t, err)
	return r.Contains(version)
}
