package service

import (
	"fmt"

	"github.com/wago-org/workers"
)

// WorkerID identifies a worker of the Workers plugin; 0 is never a valid one.
//
// Safe for concurrent use.
type WorkerID = workers.WorkerID

// ID identifies a pool: from 1 on, never reused in the life of a runtime.
//
// Safe for concurrent use.
type ID uint64

// Task is what a guest works on.
//
// Safe for concurrent use while nobody changes it.
type Task struct {
	Tag     uint64 // the submitter's name for the task, handed to the guest
	Key     uint64 // what ConsistentHash routes by; used as given
	Payload []byte // copied before a submit returns; read-only where Current returns it
	Attempt uint32 // 1 for the first delivery; ignored on submit
}

// TaskError is how a task ended that Call had submitted and the pool had accepted.
//
// Safe for concurrent use while nobody changes it.
type TaskError struct {
	Worker  WorkerID // who had it in hand last; 0 when nobody had
	Tag     uint64
	Attempt uint32 // deliveries to a guest so far; 0 when no guest ever got it
	Pending bool   // only the wait ended: the task is still in the ledger and may yet run
	Kind    error  // the sentinel, as in ErrTaskFailed
	Err     error  // the cause: the guest's own error, the worker's exit error; may be nil
}

// Error names the task, the worker and the cause.
func (e *TaskError) Error() string {
	text := fmt.Sprintf("%v (task %d", e.Kind, e.Tag)
	if e.Worker != 0 {
		text += fmt.Sprintf(", worker %d", e.Worker)
	}
	if e.Attempt > 1 {
		text += fmt.Sprintf(", attempt %d", e.Attempt)
	}
	text += ")"
	if e.Pending {
		text += ", still pending"
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the sentinel and the cause.
func (e *TaskError) Unwrap() []error {
	causes := make([]error, 0, 2)
	for _, err := range [...]error{e.Kind, e.Err} {
		if err != nil {
			causes = append(causes, err)
		}
	}
	return causes
}
