package run

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/cmd/internal/guest"
	"github.com/JairusSW/pool/cmd/internal/inspect"
	"github.com/JairusSW/pool/cmd/internal/ordered"
	"github.com/wago-org/wago"
)

// Run is one run of a guest over a stream. Do runs it, once; Interrupt and Abandon end it early, from other goroutines. Safe for
// concurrent use.
type Run struct {
	opts    Options // set once, as are the next five
	begin   time.Time
	queue   *ordered.Queue[outcome]
	answers *guest.Answers
	plugin  *guest.Plugin
	printed *lines          // what WASI guests write
	written chan struct{}   // closed when the last outcome is written
	module  *inspect.Module // set before the guest runs

	reading     context.Context // ends when no more records are to be read
	stopReading context.CancelFunc
	working     context.Context // ends when the run fails, with the failure as its cause, or is over
	fail        context.CancelCauseFunc

	serving     atomic.Bool
	served      atomic.Bool // to the end
	interrupted atomic.Bool
	abandoned   atomic.Bool
	job         atomic.Pointer[job] // while workers are served
	counts      counts
	final       pool.PoolStats // of the serving call, for Do
}

// New returns a run of opts.
func New(opts Options) *Run {
	r := &Run{
		opts:    opts,
		begin:   time.Now(),
		queue:   ordered.NewQueue[outcome](ordered.Limits{Inputs: maxInputs, Bytes: opts.bytesUnderWay()}, !opts.Unordered),
		answers: guest.NewAnswers(int(opts.MaxLine)),
		printed: &lines{console: opts.Console},
		written: make(chan struct{}),
	}
	r.plugin = guest.New(r, r.answers)
	r.working, r.fail = context.WithCancelCause(context.Background())
	r.reading, r.stopReading = context.WithCancel(r.working)
	return r
}

// Do runs the guest and returns when everything that was started has ended.
func (r *Run) Do() Report {
	err := r.run()
	r.printed.flush()
	r.fail(nil)
	report := r.report(err)
	report.Pool = r.final
	return report
}

func (r *Run) run() error {
	rt, module, err := r.load()
	if err != nil {
		return err
	}
	err = r.start(rt, module)
	return errors.Join(err, rt.Close())
}

// start makes the first instance and calls its start function, which stays in pool.serve until everything is served.
func (r *Run) start(rt *wago.Runtime, module *wago.Module) error {
	instance, err := rt.Instantiate(r.working, module)
	if err == nil {
		r.plugin.Open()
		_, err = instance.InvokeContext(r.working, r.opts.Start)
	}
	var exit *wago.ExitError
	if errors.As(err, &exit) && exit.Code == 0 {
		err = nil
	}
	switch {
	case r.working.Err() != nil:
		return context.Cause(r.working)
	case err != nil && r.served.Load():
		return fmt.Errorf("every record is served, but then %s failed: %w", r.opts.Start, err)
	case err != nil:
		return fmt.Errorf("%w: calling %s: %w", ErrGuest, r.opts.Start, err)
	case !r.serving.Load():
		return ErrNeverServed
	}
	return nil
}

// Interrupt ends the reading: what was read is finished and reported. Before the guest has called pool.serve, it ends the run; it
// reports whether the guest had.
func (r *Run) Interrupt() (serving bool) {
	r.interrupted.Store(true)
	r.stopReading()
	if serving = r.serving.Load(); !serving {
		r.fail(ErrInterrupted)
	}
	return serving
}

// Abandon ends the run at once: it names what workers have in hand, writes what is finished, and waits for that until ctx ends.
// Workers may still be running.
func (r *Run) Abandon(ctx context.Context) Report {
	r.interrupted.Store(true)
	if j := r.job.Load(); j != nil {
		j.seize()
	}
	r.queue.Abandon()
	select {
	case <-r.written:
	case <-ctx.Done():
	}
	r.printed.flush()
	return r.report(nil)
}

// Misused ends the run because the guest called pool.serve where it may not.
func (r *Run) Misused(err error) { r.fail(err) }

// Log prints a guest's message.
func (r *Run) Log(worker pool.WorkerID, record uint64, message string) {
	r.opts.Console.Line(about(r.unit(), record, worker, message))
}
