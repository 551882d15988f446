package engine

import "fmt"

// EndReason says why an instance can't be called any more. Safe for concurrent
// use.
type EndReason uint8

const (
	// EndTrapped: the guest trapped, so its state can't be trusted.
	EndTrapped EndReason = iota + 1
	// EndCancelled: the context of a call ended before the call did.
	EndCancelled
	// EndExited: the guest or a host function on its behalf exited.
	EndExited
	// EndAborted: a host function trapped, panicked or ended its goroutine.
	EndAborted
)

// String returns the reason in one word.
func (r EndReason) String() string {
	switch r {
	case EndTrapped:
		return "trapped"
	case EndCancelled:
		return "cancelled"
	case EndExited:
		return "exited"
	case EndAborted:
		return "aborted by a host function"
	}
	return "alive"
}

// EndedError refuses a call on an instance that has ended. It unwraps to
// ErrInstanceEnded and not to its cause: a refused call didn't itself trap or
// exit. Safe for concurrent use.
type EndedError struct {
	// Reason says how the instance ended.
	Reason EndReason
	// Cause is the error of the call that ended it; nil if that call returned
	// none because its goroutine ended.
	Cause error
}

// Error names the reason and the cause.
func (e *EndedError) Error() string {
	if e.Cause == nil {
		return fmt.Sprintf("%s: %s", string(ErrInstanceEnded), e.Reason)
	}
	return fmt.Sprintf("%s: %s: %v", string(ErrInstanceEnded), e.Reason, e.Cause)
}

// Unwrap returns ErrInstanceEnded.
func (e *EndedError) Unwrap() error { return ErrInstanceEnded }
