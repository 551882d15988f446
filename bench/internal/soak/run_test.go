package soak_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/JairusSW/pool/bench/internal/soak"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) }

func guest(t *testing.T) []byte {
	t.Helper()
	code, err := os.ReadFile("../../soak/testdata/guest.wasm")
	require.NoError(t, err)
	return code
}

func TestAShortRunDoesSomethingOfEverythingAndAllOfItHolds(t *testing.T) {
	lasts := 4 * time.Second
	if testing.Short() {
		lasts = time.Second
	}
	report, err := soak.Run(t.Context(), soak.Config{Guest: guest(t), For: lasts, Seed: 9})
	require.NoError(t, err)
	require.Empty(t, report.Violations)
	assert.Equal(t, uint64(9), report.Seed)
	assert.Positive(t, report.Rounds)
	assert.Positive(t, report.Instances)
	assert.Nil(t, report.Stacks)
	for _, family := range []string{"runtimes", "owners", "pools", "submits", "answers", "acts", "events", "audit", "instances"} {
		assert.Positive(t, report.Totals.Sum(family), family)
	}
	assert.LessOrEqual(t, report.End.Goroutines, report.Start.Goroutines)
}

func TestAnInterruptEndsARunEarlyWithItsChecksDone(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	report, err := soak.Run(ctx, soak.Config{Guest: guest(t), For: time.Hour, Seed: 2, Progress: func(p soak.Progress) {
		if p.Totals.Sum("acts") > 0 {
			interrupt()
		}
	}})
	require.NoError(t, err)
	require.Empty(t, report.Violations)
	assert.Equal(t, 1, report.Rounds)
	assert.Less(t, report.Elapsed, time.Hour)
	assert.False(t, report.Compared, "it was never warm")
	assert.Positive(t, report.Totals.Count("instances", "opened and closed"), "which is checked when a runtime has closed")
	assert.NotZero(t, report.End)
}

func TestAGuestThatIsNoneIsAnErrorOfTheSoak(t *testing.T) {
	report, err := soak.Run(t.Context(), soak.Config{Guest: []byte("no guest"), For: time.Hour, Seed: 3})
	require.Error(t, err)
	assert.Empty(t, report.Violations)
}

var errOther = errors.New("other")
