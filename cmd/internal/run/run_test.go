package run_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/cmd/internal/guest"
	"github.com/JairusSW/pool/cmd/internal/run"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const patience = 30 * time.Second

// paper is a console that keeps what was printed.
type paper struct {
	mu     sync.Mutex
	lines  []string
	status func() run.Status
}

func (p *paper) Line(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = append(p.lines, text)
}

func (p *paper) Start(status func() run.Status) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status = status
}

func (p *paper) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status = nil
}

func (p *paper) printed() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.lines...)
}

// now is the run's status, zero while it serves nothing.
func (p *paper) now() run.Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.status == nil {
		return run.Status{}
	}
	return p.status()
}

func options(t testing.TB, guest string, input io.Reader, output io.Writer, console run.Console) run.Options {
	t.Helper()
	wasm, err := os.ReadFile("../../../testdata/guests/" + guest + ".wasm")
	require.NoError(t, err)
	return run.Options{
		Name: guest, Guest: wasm, Start: "_start",
		Min: 3, Max: 3, Strategy: pool.RoundRobin, Overflow: pool.OverflowSpill, Restart: pool.RestartOnFailure,
		MaxRestarts: pool.UnlimitedRestarts, Queue: 8, MaxLine: 1 << 16, MemoryLimit: 4 << 20,
		Separator: '\n', Input: input, Output: output, Console: console,
	}
}

func TestRecordsFailuresAndStatsAgree(t *testing.T) {
	var input, want bytes.Buffer
	for i := range 3000 {
		if i%50 == 7 {
			input.WriteString("trap\n")
			continue
		}
		fmt.Fprintf(io.MultiWriter(&input, &want), "ok %d\n", i)
	}
	var output bytes.Buffer
	console := &paper{}
	report := run.New(options(t, "faulty", &input, &output, console)).Do()
	require.NoError(t, report.Err)
	assert.Equal(t, want.String(), output.String())
	assert.Len(t, console.printed(), 60)
	assert.EqualValues(t, 3000, report.Read)
	assert.EqualValues(t, 2940, report.Done)
	assert.EqualValues(t, 60, report.Failed)
	assert.Zero(t, report.Left)
	assert.EqualValues(t, 3000, report.Pool.Submitted)
	assert.EqualValues(t, 2940, report.Pool.Done)
	assert.EqualValues(t, 60, report.Pool.FailedTasks)
	assert.EqualValues(t, 60, report.Pool.Restarted)
	assert.EqualValues(t, output.Len(), report.BytesOut)
}

func TestStatusShowsWorkersAndProgress(t *testing.T) {
	in, feed := io.Pipe()
	console := &paper{}
	done := start(run.New(options(t, "faulty", in, io.Discard, console)))
	_, err := io.WriteString(feed, "one\ntrap\nfine\n")
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		s := console.now()
		return s.Read == 3 && s.Done == 1 && s.Failed == 2 && s.Live == 3 && s.Wanted == 3 && s.Restarts == 1 && s.BytesDone == 14
	}, patience, time.Millisecond)
	require.NoError(t, feed.Close())
	require.NoError(t, (<-done).Err)
	assert.Zero(t, console.now(), "the display was stopped")
}

func start(r *run.Run) <-chan run.Report {
	done := make(chan run.Report, 1)
	go func() { done <- r.Do() }()
	return done
}

func TestInterruptFinishesWhatWasReadThoughTheInputGoesOn(t *testing.T) {
	in, feed := io.Pipe()
	defer feed.Close()
	var output bytes.Buffer
	console := &paper{}
	r := run.New(options(t, "echo", in, &output, console))
	done := start(r)
	_, err := io.WriteString(feed, "one\ntwo\nthr")
	require.NoError(t, err)
	require.Eventually(t, func() bool { return console.now().Done == 2 }, patience, time.Millisecond)
	r.Interrupt()
	report := <-done
	require.NoError(t, report.Err)
	assert.True(t, report.Interrupted)
	assert.Equal(t, "one\ntwo\n", output.String())
	assert.EqualValues(t, 2, report.Read)
	assert.Zero(t, report.Left)
}

func TestInterruptInFullFlowLosesNoRecord(t *testing.T) {
	console := &paper{}
	var output bytes.Buffer
	r := run.New(options(t, "echo", endless{}, &output, console))
	done := start(r)
	require.Eventually(t, func() bool { return console.now().Done > 500 }, patience, time.Millisecond)
	r.Interrupt()
	report := <-done
	require.NoError(t, report.Err)
	assert.Zero(t, report.Left)
	assert.Equal(t, report.Read, report.Done)
	assert.EqualValues(t, report.Done, strings.Count(output.String(), "on and on\n"))
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	return copy(p, strings.Repeat("on and on\n", len(p)/10+1)), nil
}

func TestInterruptBeforeServeEndsTheGuest(t *testing.T) {
	console := &paper{}
	r := run.New(options(t, "refused/start-spins", strings.NewReader(""), io.Discard, console))
	done := start(r)
	require.Eventually(t, func() bool { return len(console.printed()) > 0 }, patience, time.Millisecond)
	r.Interrupt()
	report := <-done
	assert.ErrorIs(t, report.Err, run.ErrInterrupted)
	assert.True(t, report.Interrupted)
}

func TestAbandonWritesWhatIsFinished(t *testing.T) {
	in, feed := io.Pipe()
	defer feed.Close()
	var output bytes.Buffer
	console := &paper{}
	r := run.New(options(t, "echo", in, &output, console))
	done := start(r)
	_, err := io.WriteString(feed, "one\ntwo\n")
	require.NoError(t, err)
	require.Eventually(t, func() bool { return console.now().Done == 2 }, patience, time.Millisecond)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	report := r.Abandon(ctx)
	assert.Equal(t, "one\ntwo\n", output.String())
	assert.EqualValues(t, 2, report.Done)
	r.Interrupt()
	<-done
}

func TestAnOutputThatFailsEndsTheRun(t *testing.T) {
	full := errors.New("disk full")
	report := run.New(options(t, "echo", endless{}, failing{full}, &paper{})).Do()
	assert.ErrorIs(t, report.Err, run.ErrOutput)
	assert.ErrorIs(t, report.Err, full)
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestAnInputThatFailsIsFinishedFirst(t *testing.T) {
	broken := errors.New("cable pulled")
	var output bytes.Buffer
	input := io.MultiReader(strings.NewReader("one\ntwo\nthr"), &failingReader{broken})
	report := run.New(options(t, "echo", input, &output, &paper{})).Do()
	assert.ErrorIs(t, report.Err, run.ErrInput)
	assert.ErrorIs(t, report.Err, broken)
	assert.Equal(t, "one\ntwo\n", output.String())
	assert.EqualValues(t, 2, report.Done)
}

type failingReader struct{ err error }

func (f *failingReader) Read([]byte) (int, error) { return 0, f.err }

func TestErrorsAreToldApart(t *testing.T) {
	tests := map[string]struct {
		guest string
		want  error
	}{
		"never serves":        {"refused/never-serves", run.ErrNeverServed},
		"serves in its start": {"refused/serve-in-start", guest.ErrServeEarly},
		"serves twice":        {"refused/serve-twice", guest.ErrServeTwice},
		"next without serve":  {"refused/next-first", guest.ErrNotWorker},
		"can't be linked":     {"refused/foreign-import", run.ErrGuest},
		"no such entry":       {"refused/entry-range", run.ErrGuest},
		"traps in _start":     {"refused/start-traps", run.ErrGuest},
		"workers that trap":   {"refused/traps", run.ErrNoWorkers},
		"workers that return": {"refused/returns", run.ErrNoWorkers},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			report := run.New(options(t, test.guest, strings.NewReader(strings.Repeat("a\n", 50)), io.Discard, &paper{})).Do()
			assert.ErrorIs(t, report.Err, test.want)
		})
	}
}

func TestASlowOutputSlowsTheReading(t *testing.T) {
	out, sink := io.Pipe()
	console := &paper{}
	options := options(t, "echo", endless{}, sink, console)
	r := run.New(options)
	done := start(r)
	var before uint64
	require.Eventually(t, func() bool { // it stands still once everything between the two is full
		read := console.now().Read
		still := read > 0 && read == before
		before = read
		return still
	}, patience, 50*time.Millisecond)
	assert.Less(t, before, uint64(100_000))
	r.Interrupt()
	_, err := io.CopyN(io.Discard, out, 10)
	require.NoError(t, err)
	go func() { _, _ = io.Copy(io.Discard, out) }()
	report := <-done
	require.NoError(t, sink.Close())
	assert.NoError(t, report.Err)
	assert.Zero(t, report.Left)
}

// Many runs at once, interrupted at any time: every record that was read is accounted for.
func TestRunHammer(t *testing.T) {
	n := 24
	if testing.Short() {
		n = 6
	}
	for i := range n {
		console := &paper{}
		var output bytes.Buffer
		o := options(t, "faulty", strings.NewReader(strings.Repeat("ok\ntrap\n2\nok\nquit\n0\n", 50)), &output, console)
		o.Unordered, o.Queue = i%2 == 0, uint32(1+i%3)
		o.Min, o.Max = uint32(1+i%4), uint32(1+i%4)
		r := run.New(o)
		done := start(r)
		for console.now().Read < uint64(i*8) { // spins until then, or until it is over
			if len(done) > 0 {
				break
			}
		}
		r.Interrupt()
		report := <-done
		if !errors.Is(report.Err, run.ErrInterrupted) {
			require.NoError(t, report.Err)
		}
		assert.Zero(t, report.Left)
		assert.EqualValues(t, report.Done, strings.Count(output.String(), "\n"))
		assert.Len(t, console.printed(), int(report.Failed))
	}
}

// The bar must not say that everything is done while a record is in a worker's hand.
func TestProgressIsWhatIsDoneNotWhatIsRead(t *testing.T) {
	in, feed := io.Pipe()
	console := &paper{}
	o := options(t, "faulty", in, io.Discard, console)
	o.TaskTimeout = time.Second
	done := start(run.New(o))
	_, err := io.WriteString(feed, "spin\nok\n")
	require.NoError(t, err)
	require.Eventually(t, func() bool { s := console.now(); return s.Read == 2 && s.BytesDone == 3 }, patience, time.Millisecond)
	require.NoError(t, feed.Close())
	report := <-done
	require.NoError(t, report.Err)
	assert.EqualValues(t, 1, report.Failed)
}

// Abandoned at any time: every record is written, named or left, and what is counted as written is.
func TestAbandonHammer(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 6 // both orders with each number of retries
	}
	for i := range rounds {
		in, feed := io.Pipe()
		console := &paper{}
		var output bytes.Buffer
		o := options(t, "faulty", in, &output, console)
		o.Unordered, o.TaskTimeout, o.Retries = i%2 == 0, 100*time.Millisecond, uint32(i%3)
		r := run.New(o)
		done := start(r)
		go func() {
			_, _ = io.WriteString(feed, strings.Repeat("ok\nspin\n2\ntrap\nok\n", 6))
			_ = feed.Close()
		}()
		require.Eventually(t, func() bool { return console.now().Read >= uint64(5+i*2) }, patience, time.Millisecond)
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		report := r.Abandon(ctx)
		cancel()
		assert.EqualValues(t, report.Done, strings.Count(output.String(), "\n"))
		assert.Len(t, console.printed(), int(report.Failed))
		assert.Equal(t, report.Read, report.Done+report.Failed+report.Left)
		assert.Zero(t, report.Unwritten)
		r.Interrupt()
		<-done
	}
}
