package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/JairusSW/pool/bench/internal/soak"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) }

// command runs the command.
func command(t *testing.T, args ...string) (status int, stdout, stderr string, err error) {
	t.Helper()
	var out, complaints bytes.Buffer
	status, err = run(t.Context(), args, &out, &complaints)
	return status, out.String(), complaints.String(), err
}

func TestARunPrintsWhatItDidAndTheSeed(t *testing.T) {
	status, out, complaints, err := command(t, "--for", "1s", "--seed", "18")
	require.NoError(t, err, complaints)
	assert.Equal(t, statusOK, status)
	assert.True(t, strings.HasPrefix(out, "soak: 1s, seed 18\nran for "), out)
	assert.Contains(t, out, "all of it holds; to repeat it: go run ./bench/soak --for 1s --seed 18\n")
	for _, line := range []string{
		`submits\n +\d+  \w+\n`, `what guests did with tasks\n +\d+  reply\n`, `goroutines +\d+ +– +\d+\n`,
	} {
		assert.Regexp(t, line, out)
	}
}

func TestASeedThatIsNotGivenIsDrawnAndTold(t *testing.T) {
	drawn, err := parse(nil, io.Discard)
	require.NoError(t, err)
	other, err := parse(nil, io.Discard)
	require.NoError(t, err)
	assert.NotZero(t, drawn.seed)
	assert.NotEqual(t, drawn.seed, other.seed)
	assert.Equal(t, 10*time.Minute, drawn.lasts)
}

func TestMistakesAreToldAndNothingRuns(t *testing.T) {
	for name, args := range map[string][]string{
		"a flag that isn't": {"--duration", "1m"},
		"no time":           {"--for", "0s"},
		"time before now":   {"--for", "-1m"},
		"a time that isn't": {"--for", "long"},
		"a seed that isn't": {"--seed", "-1"},
		"a word too many":   {"1m"},
	} {
		t.Run(name, func(t *testing.T) {
			status, out, _, err := command(t, args...)
			require.Error(t, err)
			assert.Equal(t, statusUsage, status)
			assert.Empty(t, out)
		})
	}
}

func TestHelpIsNoMistake(t *testing.T) {
	status, _, complaints, err := command(t, "--help")
	assert.Equal(t, statusOK, status)
	require.ErrorIs(t, err, flag.ErrHelp)
	assert.Contains(t, complaints, "-for")
	assert.Contains(t, complaints, "-seed")
}

func TestAnInterruptIsToldAndIsNoFailure(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	var out bytes.Buffer
	status, err := run(ctx, []string{"--seed", "8"}, &out, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, statusOK, status)
	assert.Regexp(t, `ran for \S+, interrupted: 1 rounds\n`, out.String())
}

var errFull = errors.New("the disk is full")

// full is a place where nothing can be written.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	status, err := run(t.Context(), []string{"--for", "1s"}, full{}, io.Discard)
	require.ErrorIs(t, err, errFull)
	assert.Equal(t, statusFound, status)
}

func TestViolationsAreToldWithTheSeed(t *testing.T) {
	var out bytes.Buffer
	report := soak.Report{Violations: []error{errFull, errors.New("the second")}, Stacks: []byte("goroutine 1")}
	err := writeViolations(&out, options{lasts: time.Minute, seed: 9}, report)
	require.ErrorIs(t, err, errFound)
	require.ErrorContains(t, err, "seed 9; to repeat it: go run ./bench/soak --for 1m0s --seed 9")
	for _, text := range []string{"violation 1: the disk is full\n", "violation 2: the second\n", "goroutine 1"} {
		assert.Contains(t, out.String(), text)
	}
}

func TestWithoutATerminalThereIsALineNowAndThen(t *testing.T) {
	report, err := soak.Run(ended(t), soak.Config{Guest: guest, For: time.Second, Seed: 10})
	require.NoError(t, err)
	var out bytes.Buffer
	p := newProgress(&out, time.Minute)
	for tenths := range time.Duration(250) {
		p.show(soak.Progress{Elapsed: tenths * 100 * time.Millisecond, Totals: report.Totals})
	}
	p.clear()
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	require.Len(t, lines, 2, out.String())
	assert.Regexp(t, `^10s of 1m0s: [12] runtimes, \d+ pools, \d+ submits, `, lines[0])
	assert.Regexp(t, `^20s of 1m0s: `, lines[1])
}

func TestOnATerminalOneLineIsWrittenOverAndGoesAway(t *testing.T) {
	report, err := soak.Run(ended(t), soak.Config{Guest: guest, For: time.Second, Seed: 11})
	require.NoError(t, err)
	var out bytes.Buffer
	p := newProgress(&out, time.Minute)
	p.terminal = true
	for tenths := range time.Duration(3) {
		p.show(soak.Progress{Elapsed: tenths * 100 * time.Millisecond, Totals: report.Totals})
	}
	p.clear()
	p.clear()
	assert.Equal(t, 4, strings.Count(out.String(), eraseLine))
	assert.NotContains(t, out.String(), "\n")
	assert.True(t, strings.HasSuffix(out.String(), eraseLine))
}

// ended is a context with which a run is over as soon as it has begun.
func ended(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// wabt is the version that built the guest: others build guests that do the same but are not the same bytes.
const wabt = "1.0.32"

func TestTheGuestIsWhatItsSourceBuilds(t *testing.T) {
	version, err := exec.CommandContext(t.Context(), "wat2wasm", "--version").Output()
	if err != nil || strings.TrimSpace(string(version)) != wabt {
		t.Skip("wat2wasm ", wabt, ", which built the guest, is not here")
	}
	fresh := filepath.Join(t.TempDir(), "guest.wasm")
	out, err := exec.CommandContext(t.Context(), "wat2wasm", "testdata/guest.wat", "-o", fresh).CombinedOutput()
	require.NoError(t, err, string(out))
	built, err := os.ReadFile(fresh)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(guest, built), "testdata/guest.wasm is not what guest.wat builds")
}
