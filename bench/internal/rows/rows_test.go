package rows_test

import (
	"strings"
	"testing"

	"github.com/JairusSW/pool/bench/internal/rows"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// aims are what the rows are to reach. A row that isn't here is for comparison.
var aims = map[string]string{
	"P1 round-robin": "≤ 2.5", "P1 random": "≤ 2.5", "P1 power-of-two": "≤ 2.5", "P1 consistent-hash": "≤ 2.5",
	"P1 least-loaded": "≤ 3",
	"P2 round-robin":  "≤ 1.6", "P2 random": "≤ 1.6", "P2 power-of-two": "≤ 1.6", "P2 consistent-hash": "≤ 1.6",
	"P2 least-loaded": "≤ 8",
	"P3 submit":       "≤ 0", "P3 refused": "≤ 0", "P3 observed": "≤ 0", "P3 supervised": "≤ 0",
	"P4 trivial": "≥ 0.25", "P4 trivial wazero": "≥ 0.25",
	"P4 microsecond": "≥ 0.7", "P4 microsecond wazero": "≥ 0.7",
	"P5 instance-per-task": "≥ 20", "P5 ants": "≥ 1", "P5 ants microsecond": "≥ 1",
	"P5b sha256": "≥ 0.95",
	"P6 call":    "≤ 4",
	"P7 create":  "≤ 1.5", "P7 consistent-hash": "≤ 1.3",
	"P8 stats":     "≤ 3",
	"P9 producers": "≥ 0.9",
	"P10 cores":    "≥ 1.9",
	"G1 fork":      "≤ 0.02",
	"G2 resident":  "≤ 32 KiB",
	"G13 sha256":   "≤ 1.15", "G13 loop": "≤ 2", "G13 collection": "≤ 10 ms",
	"S10 recovery": "≤ 1 ms",
}

func TestTheRowsHaveTheirAims(t *testing.T) {
	got := make(map[string]string)
	for _, row := range rows.All(rows.Guests{}) {
		if text := row.Aim.Text(row.Unit); text != "" {
			got[row.Name] = text
		}
	}
	assert.Equal(t, aims, got)
}

// compared are the rows that are measured without this project too.
var compared = []string{"P10 cores", "P2 consistent-hash", "P2 power-of-two", "P2 random", "P2 round-robin", "P5b sha256"}

func TestRowsThatTheMachineMayKeepFromTheirAimsAreMeasuredWithoutThisProjectToo(t *testing.T) {
	var got []string
	for _, row := range rows.All(rows.Guests{}) {
		if row.Without != nil {
			got = append(got, row.Name)
		}
	}
	assert.ElementsMatch(t, compared, got)
}

func TestRowsCanBeToldApartAndSayWhatTheyAre(t *testing.T) {
	seen := make(map[string]bool)
	for _, row := range rows.All(rows.Guests{}) {
		assert.False(t, seen[row.Name], "%s is there twice", row.Name)
		seen[row.Name] = true
		assert.NotEmpty(t, row.What, row.Name)
		assert.NotEmpty(t, row.Topic, row.Name)
		require.NotNil(t, row.Open, row.Name)
		assert.Equal(t, strings.TrimSpace(row.Name), row.Name)
	}
}

func TestOurCurvesComeFirst(t *testing.T) {
	columns, ours := rows.Curves(rows.Guests{})
	require.Greater(t, len(columns), ours)
	assert.Equal(t, "round-robin", columns[0].Name)
	assert.Equal(t, "Workers' Send", columns[ours].Name)
}
