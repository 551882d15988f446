package cli_test

import (
	"fmt"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/cmd/internal/cli"
	"github.com/JairusSW/pool/cmd/internal/run"
)

func TestSizes(t *testing.T) {
	for text, want := range map[string]cli.Size{
		"0": 0, "1": 1, "65536": 65536, "1KiB": 1024, "64KiB": 65536, "1MiB": 1 << 20, "4GiB": 4 << 30, "18446744073709551615": 1<<64 - 1,
	} {
		var s cli.Size
		require.NoError(t, s.UnmarshalText([]byte(text)), text)
		assert.Equal(t, want, s, text)
	}
	for _, text := range []string{"", "MiB", "-1", "1.5MiB", "1 MiB", "1mib", "1MB", "0x10", "18446744073709551616", "17179869184GiB"} {
		var s cli.Size
		assert.Error(t, s.UnmarshalText([]byte(text)), text)
	}
}

func TestSizesReadWhatTheyWrite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := cli.Size(rapid.Uint64().Draw(t, "size")) << rapid.SampledFrom([]int{0, 10, 20, 30}).Draw(t, "shift")
		var got cli.Size
		if err := got.UnmarshalText([]byte(want.String())); err != nil || got != want {
			t.Fatalf("%d is written %s and read %d: %v", want, want, got, err)
		}
	})
}

func TestEnumerationsTakeHyphens(t *testing.T) {
	for text, want := range map[string]pool.Strategy{
		"round-robin": pool.RoundRobin, "round_robin": pool.RoundRobin, "consistent-hash": pool.ConsistentHash,
	} {
		var s cli.Strategy
		require.NoError(t, s.UnmarshalText([]byte(text)))
		assert.Equal(t, want, s.Strategy)
	}
	var r cli.Restart
	require.NoError(t, r.UnmarshalText([]byte("on-failure")))
	assert.Equal(t, pool.RestartOnFailure, r.RestartPolicy)
}

func TestRestarts(t *testing.T) {
	var r cli.Restarts
	require.NoError(t, r.UnmarshalText([]byte("unlimited")))
	assert.EqualValues(t, pool.UnlimitedRestarts, r)
	require.NoError(t, r.UnmarshalText([]byte("3")))
	assert.EqualValues(t, 3, r)
	for _, text := range []string{"0", "-1", "many", "4294967296"} {
		assert.Error(t, r.UnmarshalText([]byte(text)), text)
	}
}

func TestTheStatusSaysHowTheRunEnded(t *testing.T) {
	pipe := fmt.Errorf("%w: %w", run.ErrOutput, syscall.EPIPE)
	tests := map[string]struct {
		report run.Report
		want   int
	}{
		"all well":                           {run.Report{Read: 2, Done: 2}, cli.StatusOK},
		"nothing to do":                      {run.Report{}, cli.StatusOK},
		"a failure":                          {run.Report{Read: 2, Done: 1, Failed: 1}, cli.StatusFailed},
		"an error":                           {run.Report{Err: run.ErrNeverServed}, cli.StatusUnable},
		"an error weighs more than failures": {run.Report{Failed: 1, Err: run.ErrNoWorkers}, cli.StatusUnable},
		"an error weighs more than ^C":       {run.Report{Interrupted: true, Err: run.ErrInput}, cli.StatusUnable},
		"^C weighs more than failures":       {run.Report{Interrupted: true, Failed: 1}, cli.StatusInterrupted},
		"^C before anything":                 {run.Report{Interrupted: true, Err: run.ErrInterrupted}, cli.StatusInterrupted},
		"a closed pipe weighs most":          {run.Report{Interrupted: true, Failed: 1, Err: pipe}, cli.StatusPipe},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.want, cli.StatusOf(test.report)) })
	}
}

func TestComplaintsAreOneLineEach(t *testing.T) {
	assert.Equal(t, []string{`pool: a\nb\x1b[31m`}, cli.Complaint(fmt.Errorf("a\nb\x1b[31m")))
	assert.Equal(t, []string{"pool: the guest can't run: one", "pool: the guest can't run: two"},
		cli.Complaint(fmt.Errorf("wrapped: %w", &run.GuestError{Problems: []string{"one", "two"}})))
}
