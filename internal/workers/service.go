package workers

import (
	"context"

	wago "github.com/wago-org/wago"
	wagoplugin "github.com/wago-org/wago/plugin"
)

// Contract is how other plugins reach the service.
var Contract = wagoplugin.NewContract[Service](PluginID+"/service", 1)

// Service runs workers. [*Workers] implements it, and documents what it adds.
//
// A caller is the [wago.HostModule] of a host call in progress; it says which instance asks. Methods that take none may be
// called from anywhere.
//
// Safe for concurrent use.
type Service interface {
	// Spawn starts a worker from the caller's module: a fresh instance of it, in which the start section has run, runs entry
	// table of its table 0, of type () -> (). It checks the caller (ErrInvalidWorkerCaller), the options
	// (ErrInvalidWorkerOptions), the quota (ErrWorkerRuntimeClosed, ErrWorkerQuotaExceeded), then forks
	// (ErrWorkerImportLifetime, ErrInvalidWorkerCaller when the host call has ended meanwhile, or the host's own error), looks at
	// the table entry (the host's error), and gives back whatever it took if any of that fails. The worker may have exited
	// before Spawn returns. IDs count from 1 and are never used again.
	Spawn(caller wago.HostModule, table uint32, options WorkerOptions) (WorkerID, error)

	// Send puts a copy of the payload at the end of the worker's mailbox. It never blocks. Errors: ErrWorkerRuntimeClosed,
	// ErrWorkerNotFound, ErrPayloadTooLarge, ErrWorkerStopping, ErrWorkerQueueFull.
	Send(id WorkerID, tag uint64, payload []byte) error

	// Current says which worker the caller is: ErrWorkerNotFound for every other caller, an expired one included.
	Current(caller wago.HostModule) (WorkerID, error)

	// DispatchNext takes one message out of the calling worker's mailbox and gives it to the message observers, in the order
	// of their subscriptions. It waits for a message if there is none. A nil context never ends. A stop comes before a
	// queued message, a queued message before an ended context. Errors: ErrInvalidWorkerCaller, ErrWorkerNotFound,
	// ErrWorkerDispatchActive, the stop's cause, the context's error, an observer's error, which also ends the worker.
	DispatchNext(ctx context.Context, caller wago.HostModule) error

	// Link ties the worker's life to its creator's, who must be the caller: when that instance closes, the worker is stopped
	// with ErrWorkerParentClosed, and the close waits for it. Again is fine. Errors: ErrInvalidWorkerCaller,
	// ErrWorkerNotFound, ErrInvalidWorkerLink, ErrWorkerStopping.
	Link(caller wago.HostModule, id WorkerID) error

	// Kill tells the worker to stop with cause ErrWorkerKilled. It doesn't wait: the mailbox is dropped, a DispatchNext in
	// progress returns the cause. Again is fine, and changes nothing. Errors: ErrWorkerNotFound.
	Kill(id WorkerID) error

	// ObserveMessages calls fn for every message of every worker, on the goroutine of that DispatchNext. The first error ends
	// the worker. Errors: one for a nil fn, ErrWorkerRuntimeClosed.
	ObserveMessages(fn func(*MessageContext) error) (Subscription, error)

	// ObserveExits calls fn once for every worker that ends, on the worker's goroutine, when its instance is closed and it
	// can't be found any more, and before its quota is free. Errors: one for a nil fn, ErrWorkerRuntimeClosed.
	ObserveExits(fn func(*WorkerExitContext)) (Subscription, error)

	// Unsubscribe ends a subscription and waits for its callbacks in progress; afterwards there are none. Again is fine. A
	// zero or made-up subscription is an error.
	Unsubscribe(subscription Subscription) error
}

// WorkerID names a worker. Zero never does.
type WorkerID uint64

// MessageContext is a message on its way to the observers. It is good until the observer returns, and used again for the
// next message: copy what you keep. Payload may be kept but not written to.
//
// Not safe for concurrent use.
type MessageContext struct {
	WorkerID WorkerID
	Tag      uint64
	Payload  []byte
	Caller   wago.HostModule // the worker's own host call
}

// WorkerExitKind says how a worker ended.
type WorkerExitKind uint8

// The kinds.
const (
	WorkerReturned WorkerExitKind = 1 // the entry returned, or the guest exited with code 0
	WorkerFailed   WorkerExitKind = 2 // a trap, an exit code, a failed host function or observer
	WorkerKilled   WorkerExitKind = 3 // it had been told to stop, whatever the guest did then
)

var exitKindNames = [...]string{WorkerReturned: "returned", WorkerFailed: "failed", WorkerKilled: "killed"}

// String returns the kind in one word.
func (k WorkerExitKind) String() string {
	if int(k) < len(exitKindNames) && exitKindNames[k] != "" {
		return exitKindNames[k]
	}
	return "unknown"
}

// WorkerExitContext reports a worker's end. It is shared by the observers and good until they return: copy what you keep.
//
// Not safe for concurrent use.
type WorkerExitContext struct {
	WorkerID WorkerID
	Kind     WorkerExitKind
	// Err is nil for WorkerReturned. For WorkerFailed it is the trap, the *wago.ExitError, or the observer's error. For
	// WorkerKilled it is the stop's cause, joined with what the guest ended with if it didn't return.
	Err error
}
