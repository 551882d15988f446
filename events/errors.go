package events

import (
	"fmt"
)

// Error is a constant error of this package; compare with errors.Is.
//
// Safe for concurrent use.
type Error string

// Error returns the text.
func (e Error) Error() string { return string(e) }

const (
	// ErrNilObserver: Subscribe was given no function. Give it one.
	ErrNilObserver = Error("events: nil observer")

	// ErrClosed: Subscribe came after Close. The bus stays closed; make a new one.
	ErrClosed = Error("events: bus is closed")

	// ErrUnknownSubscription: Unsubscribe was given the zero Subscription, one of another bus, or one that this
	// bus never issued. Keep the value that Subscribe returned.
	ErrUnknownSubscription = Error("events: unknown subscription")

	// ErrInsideCallback: the call came from inside a callback that it would have to wait for. The subscription
	// takes no further event and ends when that callback returns; call again from elsewhere to wait for that.
	ErrInsideCallback = Error("events: called from inside the callback it would wait for")

	// ErrCallbackStuck: Close gave up waiting for a callback; a StuckError says which. Call Close again to wait on.
	ErrCallbackStuck = Error("events: callback has not returned")

	// ErrCallbackFailed: a callback panicked or ended its goroutine; a CallbackError says which. Its subscription
	// went on with the next event.
	ErrCallbackFailed = Error("events: callback failed")
)

// StuckError names a callback that was still running when [Bus.Close] had to return. It is also ErrCallbackStuck and
// its Cause.
//
// Safe for concurrent use.
type StuckError struct {
	Subscription Subscription // whose callback it is
	Func         string       // the observer's name in the program, as the runtime gives it
	Cause        error        // why Close stopped waiting: the end of its context, or ErrInsideCallback
}

// Error names the subscription, its function and the cause.
func (e *StuckError) Error() string {
	return fmt.Sprintf("%v: %v (%s): %v", ErrCallbackStuck, e.Subscription, e.Func, e.Cause)
}

// Unwrap returns ErrCallbackStuck and the cause.
func (e *StuckError) Unwrap() []error { return []error{ErrCallbackStuck, e.Cause} }

// CallbackError reports the callbacks of one subscription that didn't return: they panicked, or ended their
// goroutine by [runtime.Goexit]. It is also ErrCallbackFailed and, if that is an error, its Value.
//
// Safe for concurrent use.
type CallbackError struct {
	Subscription Subscription // whose callbacks failed
	Func         string       // the observer's name in the program, as the runtime gives it
	Count        uint64       // callbacks of this subscription that failed
	Value        any          // what the first one panicked with; nil if it ended its goroutine
	Stack        string       // where the first one failed, at most 8 KiB
}

// Error names the subscription, its function, how often it failed and how the first time.
func (e *CallbackError) Error() string {
	how := "ended its goroutine"
	if e.Value != nil {
		how = fmt.Sprintf("panicked: %v", e.Value)
	}
	return fmt.Sprintf("%v: %v (%s): %d times, at first it %s", ErrCallbackFailed, e.Subscription, e.Func, e.Count, how)
}

// Unwrap returns ErrCallbackFailed, and the Value if it is an error.
func (e *CallbackError) Unwrap() []error {
	if err, ok := e.Value.(error); ok {
		return []error{ErrCallbackFailed, err}
	}
	return []error{ErrCallbackFailed}
}
