package guest

import "fmt"

// Error is the type of the package's sentinel errors.
type Error string

// Error returns the text of e.
func (e Error) Error() string { return string(e) }

// How a guest misuses the host functions. The first five end the call of the guest, the others fail the record in hand.
const (
	// ErrServeEarly: pool.serve was called in a start section.
	ErrServeEarly Error = "it was called in a start section, which runs in every worker: " +
		"export _start instead (AssemblyScript: --exportStart _start --exportTable)"
	// ErrServeInWorker: pool.serve was called in a worker.
	ErrServeInWorker Error = "it was called in a worker: only the exported start function may call it"
	// ErrServeTwice: pool.serve was called a second time.
	ErrServeTwice Error = "it was called a second time: one call serves every record of the input"
	// ErrNotWorker: a worker's function was called by an instance that is not a worker.
	ErrNotWorker Error = "only a worker may call it, from the entry that was given to pool.serve"
	// ErrNoRecord: a worker's function needs a record in hand: call pool.next first.
	ErrNoRecord Error = "there is no record in hand: call pool.next first"

	// ErrNoReply: the worker took the next record, or returned, without an answer to the one in hand.
	ErrNoReply Error = "the guest gave no reply"
	// ErrTwoReplies: the worker replied more than once.
	ErrTwoReplies Error = "the guest replied twice"
	// ErrReplyAndFail: the worker replied to the record and failed it too.
	ErrReplyAndFail Error = "the guest replied and failed the record too"
	// ErrReplyTooLong: the reply is over the limit; wrapped with both lengths.
	ErrReplyTooLong Error = "the guest's reply is too long"
)

// FailedError is what a guest said when it failed a record with pool.fail.
type FailedError struct{ Message string }

// Error returns the guest's message.
func (e *FailedError) Error() string { return e.Message }

// CallError is why a host function ended the guest's call.
type CallError struct {
	Function string // as in "pool.next"
	Err      error
}

// Error names the function and why.
func (e *CallError) Error() string { return e.Function + ": " + e.Err.Error() }

// Unwrap returns why.
func (e *CallError) Unwrap() error { return e.Err }

// RangeError says that a guest named bytes outside its memory.
type RangeError struct {
	Pointer, Length uint32
	Memory          int // the guest's memory (bytes)
}

// Error names the range and the size of the memory.
func (e *RangeError) Error() string {
	return fmt.Sprintf("%d bytes at %d are outside the guest's memory of %d bytes", e.Length, e.Pointer, e.Memory)
}

// AbortError is what an AssemblyScript guest said when it aborted.
type AbortError struct {
	Message, File string // empty when the guest gave none
	Line, Column  uint32
}

// Error names the message and the place.
func (e *AbortError) Error() string {
	text := "the guest aborted"
	if e.Message != "" {
		text += ": " + e.Message
	}
	if e.File != "" {
		text += fmt.Sprintf(" (%s:%d:%d)", e.File, e.Line, e.Column)
	}
	return text
}
