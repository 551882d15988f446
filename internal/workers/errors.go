package workers

import "fmt"

// Error is the type of this package's error constants. They are comparable: use errors.Is. Errors with detail wrap them.
//
// Safe for concurrent use.
type Error string

// Error returns the text.
func (e Error) Error() string { return string(e) }

// The errors of the published interface.
const (
	// ErrWorkersInactive: the service isn't part of a loaded runtime. Reach it through the contract.
	ErrWorkersInactive Error = "workers: service is not active"
	// ErrInvalidWorkerOptions: an option above its maximum, or a queue too small for one payload. The text names it.
	ErrInvalidWorkerOptions Error = "workers: invalid worker options"
	// ErrInvalidWorkerCaller: the caller is nil, made up, of another runtime, or its host call has ended; for DispatchNext
	// also the caller of an instance that isn't managed. Call from inside the host call.
	ErrInvalidWorkerCaller Error = "workers: invalid caller"
	// ErrWorkerImportLifetime: the creator imports something that can't be shared with a worker. It wraps the host's reason.
	ErrWorkerImportLifetime Error = "workers: import can't be shared with a worker"
	// ErrWorkerNotFound: no such worker, or it has exited.
	ErrWorkerNotFound Error = "workers: worker not found"
	// ErrWorkerStopping: the worker was told to stop or has just ended and takes no more messages. It is also what
	// DispatchNext returns to a retired worker, which should then return.
	ErrWorkerStopping Error = "workers: worker is stopping"
	// ErrWorkerQueueFull: the mailbox has no room for the message, by number or by bytes. Try again later or elsewhere.
	ErrWorkerQueueFull Error = "workers: mailbox is full"
	// ErrWorkerDispatchActive: another DispatchNext of the same worker is in progress.
	ErrWorkerDispatchActive Error = "workers: dispatch already in progress"
	// ErrPayloadTooLarge: the payload is longer than the worker's MaxPayloadBytes. It will never fit.
	ErrPayloadTooLarge Error = "workers: payload too large"
	// ErrWorkerIDExhausted: every worker ID has been used.
	ErrWorkerIDExhausted Error = "workers: worker IDs exhausted"
	// ErrInvalidWorkerLink: the caller isn't the instance that created the worker.
	ErrInvalidWorkerLink Error = "workers: caller did not create the worker"
	// ErrWorkerKilled is the stop cause of a worker that was killed.
	ErrWorkerKilled Error = "workers: worker was killed"
	// ErrWorkerParentClosed is the stop cause of a worker whose creator closes, and what Spawn and Link return once it does.
	ErrWorkerParentClosed Error = "workers: creator is closing"
	// ErrWorkerRuntimeClosed is the stop cause of a worker that the end of the service stops, and what every way in returns
	// from then on.
	ErrWorkerRuntimeClosed Error = "workers: service is closed"
	// ErrWorkerQuotaExceeded: the service's workers or bytes are used up. The detail is a [*QuotaError]. Try again when a
	// worker has gone, or raise the setting.
	ErrWorkerQuotaExceeded Error = "workers: quota exceeded"
)

// The errors this implementation adds.
const (
	// ErrInvalidConfig: the plugin's configuration breaks its schema. The text names the field.
	ErrInvalidConfig Error = "workers: invalid configuration"
	// ErrNilObserver: ObserveMessages or ObserveExits without a function.
	ErrNilObserver Error = "workers: observer is nil"
	// ErrUnknownSubscription: a subscription that this service never issued, the zero one included.
	ErrUnknownSubscription Error = "workers: unknown subscription"
	// ErrInsideCallback: Unsubscribe was called by an observer while callbacks of the same subscription run, its own
	// included. The subscription is gone, but it could not be waited for.
	ErrInsideCallback Error = "workers: called from inside an observer"
	// ErrObserverPanic: an observer panicked. The detail is a [*PanicError].
	ErrObserverPanic Error = "workers: observer panicked"
	// ErrGoexit: an observer, or other code on the worker's goroutine, ended that goroutine by runtime.Goexit.
	ErrGoexit Error = "workers: goroutine was ended"
)

// QuotaError says which of the service's ceilings refused a Spawn. It wraps [ErrWorkerQuotaExceeded].
//
// Safe for concurrent use while nobody writes to it.
type QuotaError struct {
	Setting string // the configuration's field: "maxLiveWorkers" or "maxQueueBytes"
	Limit   uint64 // its value
	Wanted  uint64 // what the new worker would have brought the total to
}

// Error names the setting, its value and what was wanted.
func (e *QuotaError) Error() string {
	return fmt.Sprintf("%s: %s is %d, the worker would make it %d", ErrWorkerQuotaExceeded, e.Setting, e.Limit, e.Wanted)
}

// Unwrap returns [ErrWorkerQuotaExceeded].
func (e *QuotaError) Unwrap() error { return ErrWorkerQuotaExceeded }

// Ceiling returns the setting to change, its value and the total that was wanted.
func (e *QuotaError) Ceiling() (setting string, limit, wanted uint64) {
	return e.Setting, e.Limit, e.Wanted
}

// PanicError is the panic of an observer. It matches [ErrObserverPanic], and whatever the value matches if it is an error.
//
// Safe for concurrent use while nobody writes to it.
type PanicError struct {
	Value any    // what the observer panicked with
	Stack []byte // its goroutine's stack, as printed by runtime/debug.Stack
}

// Error names the value; the stack is left to the reader of the field.
func (e *PanicError) Error() string { return fmt.Sprintf("%s: %v", ErrObserverPanic, e.Value) }

// Unwrap returns [ErrObserverPanic] and, if the value is an error, the value.
func (e *PanicError) Unwrap() []error {
	if err, ok := e.Value.(error); ok {
		return []error{ErrObserverPanic, err}
	}
	return []error{ErrObserverPanic}
}
