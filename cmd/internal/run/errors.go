package run

import (
	"fmt"
	"strings"

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
	ErrNoWorkers Error = "no workers are left and the budget of restarts is spent"
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

// NoWorkersError says how the last worker ended. It wraps ErrNoWorkers and the worker's error.
type NoWorkersError struct{ Last pool.WorkerExit }

// Error names the cause.
func (e *NoWorkersError) Error() string {
	cause := "it returned"
	if e.Last.Err != nil {
		cause = e.Last.Err.Error()
	}
	return fmt.Sprintf("%s: worker %d was the last: %s", string(ErrNoWorkers), e.Last.Worker, cause)
}

// Unwrap returns ErrNoWorkers and the last worker's error.
func (e *NoWorkersError) Unwrap() []error {
	if e.Last.Err == nil {
		return []error{ErrNoWorkers}
	}
	return []error{ErrNoWorkers, e.Last.Err}
}
