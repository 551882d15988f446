package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// built is the command, built once for all tests.
var built string

// full asks for the sizes that the project promises; the default sizes fit into a minute.
var full = os.Getenv("POOL_FULL") != ""

func sized(normal, whole int) int {
	switch {
	case full:
		return whole
	case testing.Short():
		return normal / 4
	}
	return normal
}

const guests = "../../testdata/guests/"

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "pool-command")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	built = filepath.Join(dir, "pool.exe")
	if out, err := exec.Command("go", "build", "-o", built, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
		return 1
	}
	return m.Run()
}

// deadline is how long a run may take before a test calls it stuck.
const deadline = time.Minute

// result is how a run of the command went.
type result struct {
	stdout, stderr string
	status         int
	state          *os.ProcessState
}

// command prepares a run that ends with the test.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	t.Cleanup(cancel)
	return exec.CommandContext(ctx, built, args...)
}

// pool runs the command over the input.
func pool(t *testing.T, input io.Reader, args ...string) result {
	t.Helper()
	cmd := command(t, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, &stdout, &stderr
	return finished(t, cmd, cmd.Run(), &stdout, &stderr)
}

func finished(t *testing.T, cmd *exec.Cmd, err error, stdout, stderr fmt.Stringer) result {
	t.Helper()
	if err != nil {
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, "stderr: %s", stderr)
	}
	require.NotEqual(t, -1, cmd.ProcessState.ExitCode(), "ended by a signal: %s", stderr)
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode(), cmd.ProcessState}
}

// run is pool run of a guest without anything on standard error but what went wrong.
func run(t *testing.T, guest, input string, flags ...string) result {
	t.Helper()
	args := append([]string{"run", guests + guest + ".wasm", "--quiet", "--workers", "4"}, flags...)
	return pool(t, strings.NewReader(input), args...)
}

// ok requires that everything went well and returns the replies.
func (r result) ok(t *testing.T) string {
	t.Helper()
	require.Zero(t, r.status, r.stderr)
	assert.Empty(t, r.stderr)
	return r.stdout
}

// complaints returns the lines of standard error.
func (r result) complaints() []string {
	return strings.Split(strings.TrimSuffix(r.stderr, "\n"), "\n")
}

// account is the summary in JSON.
type account struct {
	Records, Done, Failed, Unwritten, Status uint64
	TooLong                                  uint64 `json:"too_long"`
	Unanswered                               uint64
	NotRun                                   uint64 `json:"not_run"`
	BytesIn                                  int64  `json:"bytes_in"`
	BytesOut                                 int64  `json:"bytes_out"`
	Interrupted                              bool
	Pool                                     struct {
		Submitted, Routed, Rejected, Done, Failed, Dropped, Queued, Running, Retried, Restarted, Exited uint64
	}
}

// account reads the summary from the last line of standard error and requires that its numbers add up.
func (r result) account(t *testing.T) account {
	t.Helper()
	lines := r.complaints()
	var a account
	require.NoError(t, json.Unmarshal([]byte(lines[len(lines)-1]), &a), r.stderr)
	assert.EqualValues(t, r.status, a.Status)
	assert.Equal(t, a.Records, a.Done+a.Failed+a.Unwritten+a.NotRun, "records")
	assert.Equal(t, a.Pool.Submitted, a.Pool.Routed+a.Pool.Rejected, "submitted")
	assert.Equal(t, a.Pool.Routed, a.Pool.Done+a.Pool.Failed+a.Pool.Dropped+a.Pool.Queued+a.Pool.Running, "routed")
	if a.NotRun == 0 && a.Pool.Submitted > 0 {
		assert.Equal(t, a.Pool.Done, a.Done+a.Unwritten+a.Unanswered, "done")
		assert.Equal(t, a.Pool.Failed, a.Failed-a.TooLong-a.Unanswered, "failed")
	}
	return a
}
