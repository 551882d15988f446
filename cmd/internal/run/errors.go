package run

import (
	"fmt"
	"strings"
	"time"

	"github.com/JairusSW/pool"
)

// Error is the type of the package's sentinel errors.
type Error string

// Error returns the text of e.
func (e Error) Error() string { return string(e) }

// How a run ends before its input does, or before it begins.
const (
	// ErrInterrupted: Interrupt was called before the guest called pool.serve.
	ErrInterrupted Error = "interrupted"
	// ErrNeverServed: the guest's start function returned without having called pool.serve.
	ErrNeverServed Error = "the guest never called pool.serve"
	// ErrNoWorkers: the pool is halted and its last worker has ended; wrapped in a *NoWorkersError.
	ErrNoWorkers Error = "no workers are left"
	// ErrGuest: the guest can't run; wrapped in a *GuestError.
	ErrGuest Error = "the guest can't run"
	// ErrInput: the input couldn't be read to its end; wrapped with the cause.
	ErrInput Error = "reading the input"
	// ErrOutput: the output couldn't be written; wrapped with the cause.
	ErrOutput Error = "writing the output"
)

// GuestError says what stops a guest from running. It wraps ErrGuest.
type GuestError struct{ Problems []string }

// Error names every problem.
func (e *GuestError) Error() string { return string(ErrGuest) + ": " + strings.Join(e.Problems, "; ") }

// Unwrap returns ErrGuest.
func (e *GuestError) Unwrap() error { return ErrGuest }

// NoWorkersError says why no more workers are started and how the last one ended. It wraps ErrNoWorkers and Err.
type NoWorkersError struct {
	Ended   uint32        // workers that were replaced within Window, which is all that is allowed
	Window  time.Duration // in which they count
	Untaken bool          // they ended before they took a record
	Worker  pool.WorkerID // the last; 0: Err names it
	Err     error         // how it ended; nil: it returned
	Failed  bool          // it didn't return
}

// Error names the cause and what to do about it.
func (e *NoWorkersError) Error() string {
	text := fmt.Sprintf("%s: %d were replaced within %v, as many as --max-restarts allows", string(ErrNoWorkers), e.Ended, e.Window)
	if e.Untaken {
		text = fmt.Sprintf("%s: %d in a row ended before they took a record", string(ErrNoWorkers), e.Ended)
		if !e.Failed {
			text += " (call pool.next in a loop)"
		}
	}
	cause := "it returned"
	if e.Err != nil {
		cause = e.Err.Error()
	}
	if e.Worker == 0 {
		return text + ": " + cause
	}
	return fmt.Sprintf("%s: worker %d was the last: %s", text, e.Worker, cause)
}

// Unwrap returns ErrNoWorkers and the last worker's error.
func (e *NoWorkersError) Unwrap() []error {
	if e.Err == nil {
		return []error{ErrNoWorkers}
	}
	return []error{ErrNoWorkers, e.Err}
}

// TimeoutError says that a worker had a record in hand for too long.
type TimeoutError struct{ After time.Duration }

// Error names the limit.
func (e *TimeoutError) Error() string {
	return fmt.Sprintf("timed out: still running after %v (--task-timeout)", e.After)
}

// AttemptError says at which delivery a record failed for good. It wraps the cause.
type AttemptError struct {
	Attempt uint32 // from 1 on
	Err     error
}

// Error names both.
func (e *AttemptError) Error() string { return fmt.Sprintf("attempt %d: %v", e.Attempt, e.Err) }

// Unwrap returns the cause.
func (e *AttemptError) Unwrap() error { return e.Err }
