package service

import (
	"fmt"

	"github.com/JairusSW/pool/events"
	"github.com/wago-org/workers"
)

// Error is the type of the package's sentinel errors. They are constants, so they compare with == and with errors.Is.
//
// Safe for concurrent use.
type Error string

// Error returns the text of e.
func (e Error) Error() string { return string(e) }

// Sentinels of the service as a whole.
const (
	// ErrPoolsInactive: a method was called before the plugin was started. Call it from Start on.
	ErrPoolsInactive Error = "pool: the service has not been started"
	// ErrPoolsClosed: the plugin was stopped. Nothing works from then on; create another runtime.
	ErrPoolsClosed Error = "pool: the service is closed"
	// ErrWorkersUnavailable: the lease on the Workers plugin was refused while the service was open, as in the last moments
	// of a runtime's close. Nothing happened; the runtime is going.
	ErrWorkersUnavailable Error = "pool: the Workers plugin is not available"
)

// Sentinels of one pool, returned bare: compare them with == or errors.Is.
const (
	// ErrPoolNotFound: no pool has that id, or it was destroyed.
	ErrPoolNotFound Error = "pool: no such pool"
	// ErrPoolEmpty: the pool has no live worker that could take the task. Reconcile, Scale or Supervise it.
	ErrPoolEmpty Error = "pool: no live worker"
	// ErrPoolDraining: the pool is draining and takes neither tasks nor workers.
	ErrPoolDraining Error = "pool: draining"
	// ErrPoolBackpressure: every worker that could take the task is full. Try later, or use SubmitWait.
	ErrPoolBackpressure Error = "pool: every mailbox is full"
	// ErrPoolLimit: Limits.MaxPools pools exist already. Destroy or drain one, or raise maxPools. It is also the cause in the last
	// event of a drained pool that gave way to later ones of its creator.
	ErrPoolLimit Error = "pool: the limit of pools is reached"
	// ErrPoolWorkerLimit: a ceiling of workers stands in the way: maxWorkersPerPool or maxTotalWorkers (bare), or a quota
	// or budget of the layers below (wrapped together with its cause).
	ErrPoolWorkerLimit Error = "pool: the limit of workers is reached"
	// ErrPoolIDExhausted: every pool id has been given out. Create another runtime.
	ErrPoolIDExhausted Error = "pool: pool ids are exhausted"
	// ErrPoolOwner: sizing was asked for by an instance other than the one that created the pool. Nothing changed.
	ErrPoolOwner Error = "pool: only the instance that created the pool sizes it"
	// ErrPoolSupervised: another call of Supervise is looking after the pool already.
	ErrPoolSupervised Error = "pool: the pool is supervised already"
	// ErrPoolHalted: supervision stopped replacing workers after too many failures and none is left. See Rearm.
	ErrPoolHalted Error = "pool: halted after too many failures"
	// ErrPoolDestroyed: the pool went away while the call was waiting for it; wrapped with the cause.
	ErrPoolDestroyed Error = "pool: destroyed"
	// ErrPoolWorkersRemain: Destroy waited its two seconds and some workers are still inside a host function. The pool is
	// gone for callers, the workers end by themselves when those functions return.
	ErrPoolWorkersRemain Error = "pool: workers remain inside host functions"
	// ErrPoolNotDrained: DrainWait's context ended before the pool was drained; it goes on draining.
	ErrPoolNotDrained Error = "pool: not drained yet"
	// ErrCallerEnding: the caller's instance begins to close, or its worker was told to stop. Create makes no pool for it then,
	// and it is the cause of a CallerContext that ended. Return from the host call.
	ErrCallerEnding Error = "pool: the caller's instance is closing, or its worker was told to stop"
	// ErrInvalidPoolOptions: an option is out of its bounds or contradicts another; wrapped with the option's name, its value
	// and the bound.
	ErrInvalidPoolOptions Error = "pool: invalid options"
)

// Sentinels of one task.
const (
	// ErrNoTask: the calling worker has no task in hand: before the first, after it was settled, or after a verdict took it.
	ErrNoTask Error = "pool: no task in hand"
	// ErrTaskFailed: the guest failed the task, or its worker ended with the task in hand.
	ErrTaskFailed Error = "pool: task failed"
	// ErrTaskTimeout: the task ran longer than PoolOptions.TaskTimeout.
	ErrTaskTimeout Error = "pool: task timed out"
	// ErrTasksDropped: accepted tasks ended without a guest having them in hand.
	ErrTasksDropped Error = "pool: tasks dropped"
)

// Errors of the layers below that the contract returns under the same identity.
const (
	// ErrPayloadTooLarge: the payload, or the result given to Complete, is longer than Worker.MaxPayloadBytes.
	ErrPayloadTooLarge = workers.ErrPayloadTooLarge
	// ErrUnknownSubscription: UnsubscribeEvents was given a zero or forged subscription.
	ErrUnknownSubscription = events.ErrUnknownSubscription
	// ErrInsideCallback: UnsubscribeEvents was called from the subscription's own callback; the subscription ends when the
	// callback returns.
	ErrInsideCallback = events.ErrInsideCallback
)

// OptionError says which option was refused, with which value and why. It wraps ErrInvalidPoolOptions.
//
// Safe for concurrent use while nobody changes it.
type OptionError struct {
	Option string // the field, as in "MaxWorkers" or "Worker.QueueCapacity"
	Value  any    // what it held
	Bound  string // what it must hold to
}

// Error names the option, its value and the bound.
func (e *OptionError) Error() string {
	return fmt.Sprintf("%s: %s is %v, %s", string(ErrInvalidPoolOptions), e.Option, e.Value, e.Bound)
}

// Unwrap returns ErrInvalidPoolOptions.
func (e *OptionError) Unwrap() error { return ErrInvalidPoolOptions }

// LimitError says which ceiling kept a pool from growing. It wraps ErrPoolWorkerLimit and, where a layer below refused,
// that layer's error.
//
// Safe for concurrent use while nobody changes it.
type LimitError struct {
	Setting string // the number to change, as in "maxTotalWorkers"
	Limit   uint64 // what it allows; like Wanted 0 where Workers doesn't say
	Wanted  uint64 // what was asked for
	Cause   error  // the refusal of the layer below; nil for Pool's own ceilings
}

// Error names the setting, its value and what was wanted.
func (e *LimitError) Error() string {
	text := string(ErrPoolWorkerLimit) + ": " + e.Setting
	if e.Wanted > 0 {
		text += fmt.Sprintf(" allows %d, wanted %d", e.Limit, e.Wanted)
	}
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns ErrPoolWorkerLimit and the cause.
func (e *LimitError) Unwrap() []error {
	if e.Cause == nil {
		return []error{ErrPoolWorkerLimit}
	}
	return []error{ErrPoolWorkerLimit, e.Cause}
}
