package fakeworkers

import (
	"context"
	"errors"
	"fmt"
	"time"

	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"

	"github.com/JairusSW/pool/internal/workerstest"
)

// worker is an instance that runs the script's Step, with a mailbox.
type worker struct {
	// set once
	fake        *Fake
	id          workers.WorkerID
	in          *instance
	options     workers.WorkerOptions
	wake        chan struct{} // holds one token: the dispatch that waits should look again
	told        chan struct{} // closed when it is told to stop, or has ended
	interrupted chan struct{} // closed when the grace is over
	done        chan struct{} // closed last of all

	// guarded by fake.mu
	box        []message
	bytes      uint64
	linked     bool
	cause      error // why it was told to stop; the first stays
	failed     bool  // the cause is its own failure
	retiring   bool
	retired    bool // a dispatch has told it so
	ended      bool
	dispatch   chan struct{} // closed when the dispatch in progress ends; nil without one
	grace      *time.Timer
	graceUntil time.Time
}

type message struct {
	tag     uint64
	payload []byte
}

func newWorker(f *Fake, id workers.WorkerID, in *instance, options workers.WorkerOptions) *worker {
	return &worker{
		fake: f, id: id, in: in, options: options,
		wake: make(chan struct{}, 1), told: make(chan struct{}), interrupted: make(chan struct{}), done: make(chan struct{}),
	}
}

// run is the worker's goroutine.
func (w *worker) run() {
	end := error(workers.ErrGoexit) // stands if an observer or a host function ends the goroutine
	defer func() { w.exit(end) }()
	end = w.guest()
}

// guest makes the host call Step until that says something else than Again.
func (w *worker) guest() error {
	for {
		act, err := w.in.play(func(s workerstest.Script) func(wago.HostModule) workerstest.Act { return s.Step })
		if err != nil {
			return err
		}
		if over, err := perform(act, w.interrupted, w.causeOfStop); over {
			return err
		}
	}
}

// play makes one host call, in which the script's function says what the guest does then.
func (in *instance) play(part func(workerstest.Script) func(wago.HostModule) workerstest.Act) (act workerstest.Act, err error) {
	in.fake.mu.Lock()
	script := part(in.fake.script)
	in.fake.mu.Unlock()
	if script == nil {
		return workerstest.Return, nil
	}
	c, err := in.enter()
	if err != nil {
		return 0, err
	}
	defer in.leave(c)
	err = guarded(func() { act = script(c) })
	return act, err
}

// perform does what the script has answered. It says whether the guest's function is over, and what it ended with. What a
// host call does by itself comes first, then the interruption that the guest comes back to, then what the guest does.
func perform(act workerstest.Act, interrupted <-chan struct{}, cause func() error) (over bool, err error) {
	switch act {
	case workerstest.Exit0:
		return true, &wago.ExitError{Code: 0}
	case workerstest.Exit7:
		return true, &wago.ExitError{Code: 7}
	case workerstest.Abort:
		return true, workerstest.ErrAborted
	case workerstest.Spin:
		<-interrupted
	}
	switch {
	case isClosed(interrupted):
		return true, fmt.Errorf("%w: %w: %w", &wago.TrapError{Code: wago.TrapInterrupted}, context.Canceled, cause())
	case act == workerstest.Trap:
		return true, &wago.TrapError{Code: wago.TrapUnreachable}
	}
	return act == workerstest.Return, nil
}

func (w *worker) causeOfStop() error {
	w.fake.mu.Lock()
	defer w.fake.mu.Unlock()
	return w.cause
}

// exit does in this order: the instance closes, the worker can't be found any more, the exit observers are told, the quota
// is free, whoever waits goes on. The last is deferred, for an observer may end the goroutine.
func (w *worker) exit(end error) {
	defer w.release()
	kind, err := w.finish(end)
	w.in.close()
	w.fake.mu.Lock()
	delete(w.fake.workers, w.id)
	w.fake.mu.Unlock()
	w.tellExits(w.fake.observers.exits(), &workers.WorkerExitContext{WorkerID: w.id, Kind: kind, Err: err})
}

// finish settles how the worker ended and waits for a dispatch that is still under way: from here on nothing is sent or
// dispatched.
func (w *worker) finish(end error) (workers.WorkerExitKind, error) {
	w.fake.mu.Lock()
	w.ended = true
	if w.cause == nil {
		close(w.told)
	}
	if w.grace != nil {
		w.grace.Stop()
	}
	w.box = nil
	w.wakeLocked()
	kind, err := classify(end, w.cause, w.failed)
	dispatch := w.dispatch
	w.fake.mu.Unlock()
	if dispatch != nil {
		<-dispatch
	}
	return kind, err
}

// classify turns what the guest ended with, and the cause of a stop if there was one, into the exit's kind and error.
func classify(end, cause error, failed bool) (workers.WorkerExitKind, error) {
	if exit := (*wago.ExitError)(nil); errors.As(end, &exit) && exit.Code == 0 {
		end = nil
	}
	kind := workers.WorkerKilled
	switch {
	case cause == nil && end == nil:
		return workers.WorkerReturned, nil
	case cause == nil || failed:
		kind = workers.WorkerFailed
	}
	switch {
	case cause == nil || errors.Is(end, cause):
		return kind, end
	case end == nil:
		return kind, cause
	}
	return kind, fmt.Errorf("%w; %w", cause, end)
}

func (w *worker) release() {
	w.fake.mu.Lock()
	delete(w.fake.living, w)
	w.fake.quota.release(w.options.MaxQueueBytes)
	w.fake.mu.Unlock()
	close(w.done)
}

// wakeLocked makes a dispatch that waits look again.
func (w *worker) wakeLocked() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}
