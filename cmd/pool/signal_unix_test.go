//go:build unix

package main_test

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// live is a running command whose input the test writes and whose output it reads.
type live struct {
	cmd    *exec.Cmd
	input  io.WriteCloser
	output *bufio.Reader
	stderr *watched
}

// watched is a buffer whose text can be waited for.
type watched struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

func (w *watched) waitFor(t *testing.T, text string) {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Contains(w.String(), text) }, deadline, time.Millisecond, text)
}

func (w *watched) waitForLines(t *testing.T, n int) {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Count(w.String(), "\n") >= n }, deadline, time.Millisecond)
}

func started(t *testing.T, guest string, flags ...string) *live {
	t.Helper()
	return startedWith(t, guest, append([]string{"--workers", "2"}, flags...)...)
}

// startedWith leaves the number of workers to the flags.
func startedWith(t *testing.T, guest string, flags ...string) *live {
	t.Helper()
	args := append([]string{"run", guests + guest + ".wasm"}, flags...)
	l := &live{cmd: command(t, args...), stderr: &watched{}}
	var err error
	l.input, err = l.cmd.StdinPipe()
	require.NoError(t, err)
	output, err := l.cmd.StdoutPipe()
	require.NoError(t, err)
	l.output = bufio.NewReader(output)
	l.cmd.Stderr = l.stderr
	require.NoError(t, l.cmd.Start())
	t.Cleanup(func() {
		_ = l.cmd.Process.Kill()
		_ = l.cmd.Wait()
	})
	return l
}

func (l *live) write(t *testing.T, text string) {
	t.Helper()
	_, err := io.WriteString(l.input, text)
	require.NoError(t, err)
}

func (l *live) read(t *testing.T) string {
	t.Helper()
	line, err := l.output.ReadString('\n')
	require.NoError(t, err)
	return line
}

func (l *live) interrupt(t *testing.T) {
	t.Helper()
	require.NoError(t, l.cmd.Process.Signal(os.Interrupt))
}

// wait reads the rest of the output and returns it when the command has ended.
func (l *live) wait(t *testing.T) result {
	t.Helper()
	rest, err := io.ReadAll(l.output)
	require.NoError(t, err)
	var stdout bytes.Buffer
	stdout.Write(rest)
	return finished(t, l.cmd, l.cmd.Wait(), &stdout, l.stderr)
}

func TestRepliesComeWhileTheInputGoesOn(t *testing.T) {
	l := started(t, "echo")
	for _, line := range []string{"one\n", "two\n"} {
		l.write(t, line)
		assert.Equal(t, line, l.read(t))
	}
	require.NoError(t, l.input.Close())
	assert.Zero(t, l.wait(t).status)
}

func TestTheFirstInterruptFinishesWhatWasReadAndReports(t *testing.T) {
	l := started(t, "echo", "--summary", "json")
	l.write(t, "one\ntwo\n")
	assert.Equal(t, "one\n", l.read(t))
	assert.Equal(t, "two\n", l.read(t))
	l.interrupt(t)
	result := l.wait(t) // though its input is still open
	assert.Equal(t, 130, result.status)
	a := result.account(t)
	assert.True(t, a.Interrupted)
	assert.EqualValues(t, 2, a.Done)
	assert.Zero(t, a.NotRun)
}

func TestSIGTERMIsAnInterrupt(t *testing.T) {
	l := started(t, "echo")
	l.write(t, "one\n")
	assert.Equal(t, "one\n", l.read(t))
	require.NoError(t, l.cmd.Process.Signal(syscall.SIGTERM))
	assert.Equal(t, 130, l.wait(t).status)
}

func TestTheSecondInterruptEndsASpinningGuestAtOnce(t *testing.T) {
	l := started(t, "faulty", "--summary", "json")
	l.write(t, "ok\n")
	assert.Equal(t, "ok\n", l.read(t))
	l.write(t, "spin\n"+strings.Repeat("log\n", 20))
	l.stderr.waitForLines(t, 10) // the other half is in the spinning worker's mailbox
	l.interrupt(t)
	l.stderr.waitFor(t, "pool: interrupted: finishing what was read; once more ends it at once\n")
	l.interrupt(t)
	asked := time.Now()
	result := l.wait(t)
	assert.Less(t, time.Since(asked), 10*time.Second)
	assert.Equal(t, 130, result.status)
	a := result.account(t)
	assert.True(t, a.Interrupted)
	assert.EqualValues(t, 1, a.Failed, "the spinning line")
	assert.NotZero(t, a.NotRun, "what waited behind it")
	assert.Regexp(t, `\npool: line 2: worker \d+: still running when interrupted, after [\d.]+ s\n`, result.stderr)
}

func TestFinishedRepliesBehindASpinningLineAreWrittenAtTheEnd(t *testing.T) {
	l := started(t, "faulty", "--summary", "json")
	l.write(t, "spin\n"+strings.Repeat("log\n", 20)) // one worker spins, with half of the rest in its mailbox
	l.stderr.waitForLines(t, 10)
	l.interrupt(t)
	l.stderr.waitFor(t, "once more ends it at once")
	l.interrupt(t)
	result := l.wait(t)
	assert.Equal(t, 130, result.status)
	a := result.account(t)
	assert.GreaterOrEqual(t, a.Done, uint64(9), "the tenth may have logged and not replied yet")
	assert.Equal(t, strings.Repeat("log\n", int(a.Done)), result.stdout)
	assert.EqualValues(t, 1, a.Failed)
	assert.EqualValues(t, 20, a.Done+a.NotRun)
}

func TestAnInterruptEndsAGuestThatNeverServes(t *testing.T) {
	l := started(t, "refused/start-spins")
	l.stderr.waitFor(t, "pool: spinning\n")
	l.interrupt(t)
	result := l.wait(t)
	assert.Equal(t, 130, result.status)
	assert.Contains(t, result.stderr,
		"pool: interrupted: the guest has not called pool.serve yet, so nothing is to be finished: ending it\n")
}

func TestASpinningLineHoldsItsWorkerOnly(t *testing.T) {
	l := started(t, "faulty", "--unordered", "--strategy", "least-loaded")
	l.write(t, "spin\n")
	for range 200 {
		l.write(t, "on and on\n")
		assert.Equal(t, "on and on\n", l.read(t))
	}
	l.interrupt(t)
	l.stderr.waitFor(t, "once more ends it at once")
	l.interrupt(t)
	assert.Equal(t, 130, l.wait(t).status)
}

func TestAClosedOutputEndsTheRunQuietly(t *testing.T) {
	cmd := command(t, "run", guests+"echo.wasm")
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	cmd.Stdin, cmd.Stdout = endless{}, writer
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	require.NoError(t, cmd.Start())
	require.NoError(t, writer.Close())
	line, err := bufio.NewReader(reader).ReadString('\n')
	require.NoError(t, err)
	require.NoError(t, reader.Close())
	result := finished(t, cmd, waitIgnoringInput(cmd), &bytes.Buffer{}, &stderr)
	assert.Equal(t, "on and on\n", line)
	assert.Equal(t, 141, result.status)
	assert.Empty(t, stderr.String())
}

// waitIgnoringInput waits for the command; that it read no further is what the test is about.
func waitIgnoringInput(cmd *exec.Cmd) error {
	err := cmd.Wait()
	if cmd.ProcessState.Exited() && cmd.ProcessState.ExitCode() != 0 {
		return &exec.ExitError{ProcessState: cmd.ProcessState}
	}
	return err
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	return copy(p, strings.Repeat("on and on\n", len(p)/10+1)), nil
}

func TestAFullOutputEndsTheRunWithItsError(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("needs /dev/full: ", err)
	}
	result := run(t, "echo", strings.Repeat("line\n", 100_000), "--output", "/dev/full")
	assert.Equal(t, 2, result.status)
	assert.Contains(t, result.stderr, "pool: writing the output: write /dev/full: no space left on device\n")
	result = run(t, "echo", "one\ntwo\n", "--output", "/dev/full", "--summary", "json")
	a := result.account(t)
	assert.Zero(t, a.Done, "what the output didn't take")
	assert.NotZero(t, a.Unwritten)
	assert.Zero(t, a.Failed, "the run may end before the second is done, or read")
}

func TestAFolderAsStandardInput(t *testing.T) {
	folder, err := os.Open(t.TempDir())
	require.NoError(t, err)
	defer folder.Close()
	result := pool(t, folder, "run", guests+"echo.wasm")
	assert.Equal(t, 2, result.status)
	assert.Contains(t, result.stderr, "is a directory")
}

func TestTheProgressShowsWorkersComing(t *testing.T) {
	l := startedWith(t, "faulty", "--min", "1", "--max", "3", "--queue", "4", "--progress", "always", "--task-timeout", "2s")
	l.stderr.waitFor(t, "1/1 workers")
	l.write(t, strings.Repeat("spin\n", 3))
	l.stderr.waitFor(t, "3/3 workers")
	require.NoError(t, l.input.Close())
	result := l.wait(t)
	assert.Equal(t, 1, result.status)
	assert.Equal(t, 3, strings.Count(result.stderr, "timed out: still running after 2s"))
}
