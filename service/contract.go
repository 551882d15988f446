package service

import (
	"context"

	"github.com/wago-org/wago"
)

// Service is the contract that Pool provides and that plugins require:
//
//	poolRef.With(func(s pool.Service) error { … })
//
// Nobody but Pool implements it: methods may be added. Doubles embed it.
//
// Errors that every method can return: ErrPoolsInactive before the plugin was started, ErrPoolsClosed from its Stop on,
// ErrWorkersUnavailable while the runtime takes the Workers plugin down. Methods that take a pool id: ErrPoolNotFound.
// Methods that take a caller to create, submit or size: workers.ErrInvalidWorkerCaller for a nil, forged, expired or
// foreign one, before anything else.
//
// Every method is safe for concurrent use, also from inside tasks and observers.
type Service interface {
	// Create makes a pool of opts.MinWorkers workers: forks of caller's module that run the entry at tableIndex, a function
	// without parameters and results. Caller's instance owns the pool: only it sizes it, and its end destroys it. All or
	// nothing: on any failure every worker that was started has gone when Create returns. It blocks while the guests' start
	// sections run.
	//
	// Errors: ErrInvalidPoolOptions (wrapped), ErrPoolLimit, ErrPoolWorkerLimit, ErrPoolIDExhausted, ErrCallerEnding, and what
	// Workers says of the caller, of tableIndex and of a start section; ErrPoolHalted and ErrPoolDestroyed when that happened to
	// the pool meanwhile, and, joined to any of these, ErrPoolWorkersRemain.
	Create(caller wago.HostModule, tableIndex uint32, opts Options) (ID, error)

	// Submit gives a task to one worker and returns which; its key is its tag. It never waits. Worker 0 and nil: the task was
	// parked in the pool, or shed, or is every worker's (Broadcast).
	//
	// Errors: ErrPoolDraining, ErrPayloadTooLarge, ErrPoolEmpty, ErrPoolBackpressure.
	Submit(id ID, tag uint64, payload []byte) (WorkerID, error)

	// SubmitKeyed is Submit with a key of its own. Only ConsistentHash looks at keys.
	SubmitKeyed(id ID, key, tag uint64, payload []byte) (WorkerID, error)

	// SubmitFrom is Submit, after a Reconcile when caller is the pool's owner. The reconcile never costs the submit: its error
	// is returned only when the pool has no worker.
	SubmitFrom(caller wago.HostModule, id ID, tag uint64, payload []byte) (WorkerID, error)

	// SubmitTask is Submit with everything named; the key is used as given.
	SubmitTask(id ID, task Task) (WorkerID, error)

	// SubmitWait is SubmitTask that waits for room, in order of arrival, until ctx ends; also while there is no live worker.
	// It never sheds: under OverflowReject and OverflowShed it waits for the worker that the strategy chose. Nil ctx is
	// context.Background.
	//
	// Errors: ctx.Err(), ErrPayloadTooLarge, ErrPoolDraining, ErrPoolDestroyed (wrapped with the cause) and ErrPoolHalted once
	// the pool is halted without workers. None of them leaves a task behind.
	SubmitWait(ctx context.Context, id ID, task Task) (WorkerID, error)

	// Call is SubmitWait, then waits for the task's result: what the guest gave to Complete, nil without one. A raw worker's
	// task is done when the worker takes its next.
	//
	// A bare error is SubmitWait's and means that nothing was submitted. Every later one is a *TaskError in which errors.Is
	// finds ErrTaskFailed, ErrTaskTimeout, ErrTasksDropped, ErrPoolDestroyed, ErrPoolHalted or ctx.Err(), and the cause. When
	// only the wait ended (Pending), the task stays in the ledger and its result is thrown away.
	Call(ctx context.Context, id ID, task Task) ([]byte, error)

	// Broadcast offers a task to every worker and returns how many took it. Each worker that did not is named in a
	// PoolTaskRejected event.
	//
	// Errors: ErrPoolDraining, ErrPayloadTooLarge, ErrPoolEmpty without a live worker.
	Broadcast(id ID, tag uint64, payload []byte) (int, error)

	// DispatchNext is what a worker's loop calls for its next task: it settles the task in hand as done, then blocks in
	// Workers' DispatchNext until there is another. It returns Workers' errors unchanged: ctx.Err(), the cause of a stop,
	// workers.ErrWorkerDispatchActive; workers.ErrWorkerNotFound when caller is not a pool's worker in a live call. A nil
	// return without a task in hand (see Current) is a message that was sent past Pool. Nil ctx is context.Background.
	DispatchNext(ctx context.Context, caller wago.HostModule) error

	// Current returns the task in the calling worker's hand. Its payload is shared: read it only, and only until the task is
	// settled. Errors: ErrNoTask, workers.ErrWorkerNotFound.
	Current(caller wago.HostModule) (Task, error)

	// Complete settles the task in hand as done, with a copy of result for the Call that waits. The worker is idle for routing
	// from then on, and may be retired before it comes back. Errors: ErrNoTask, ErrPayloadTooLarge (the task stays in hand),
	// workers.ErrWorkerNotFound.
	Complete(caller wago.HostModule, result []byte) error

	// Fail settles the task in hand as failed for good, with the cause for the Call that waits; it is never retried. Errors:
	// ErrNoTask, workers.ErrWorkerNotFound.
	Fail(caller wago.HostModule, cause error) error

	// Supervise blocks in the owner's host call and keeps the pool healed and sized with that live caller, woken by exits and
	// load, never by polling. It returns nil after a completed drain, ErrPoolDestroyed (wrapped with the cause) when the pool
	// or its owner goes, ctx.Err() when ctx ends, ErrPoolSupervised at once when another call supervises the pool, ErrPoolOwner
	// when caller is not its owner. Nil ctx is context.Background.
	Supervise(ctx context.Context, caller wago.HostModule, id ID) error

	// Reconcile brings the pool to its desired size once: it replaces what supervision wants replaced and retires what is too
	// many. A ceiling is no error (Stats.Limited). On a draining pool it does nothing. Errors: ErrPoolOwner,
	// ErrPoolDestroyed (wrapped) when the pool ends meanwhile, what Workers says of a failed spawn.
	Reconcile(caller wago.HostModule, id ID) error

	// Scale sets the size, clamped into the pool's band, and reconciles. Workers that are too many are cordoned, the least
	// loaded first, and retired when they have nothing left to do. Errors: ErrPoolOwner, ErrPoolDraining, ErrPoolWorkerLimit
	// (after growing as far as possible), ErrPoolDestroyed (wrapped) when the pool ends meanwhile, what Workers says of a failed
	// spawn.
	Scale(caller wago.HostModule, id ID, size uint32) error

	// Rearm clears a halt: the pool is replaced and refilled again from the next Reconcile, Scale or Supervise on. Nil when it
	// was not halted. Errors: ErrPoolDraining.
	Rearm(id ID) error

	// Drain lets the pool finish what it has: no new tasks, no new workers, each worker retired when nothing is left for it.
	// It returns at once; PoolDrained says when it is over. The pool stays in List and Stats until Destroy, or until its
	// creator makes another and has maxPools that were drained later. Again: nil.
	Drain(id ID) error

	// DrainWait is Drain, then waits until it is over. Errors: ErrPoolNotDrained (wrapped with ctx.Err()) when ctx ends first,
	// ErrTasksDropped when the last worker ended with tasks parked, ErrPoolDestroyed (wrapped with the cause). Nil ctx is
	// context.Background.
	DrainWait(ctx context.Context, id ID) error

	// Destroy ends the pool: gone for callers at once, queued tasks dropped, tasks in hand failed, each worker stopped with a
	// grace of one second. It returns nil when every worker has gone and waits at most two seconds, then returns
	// ErrPoolWorkersRemain (wrapped with their number).
	Destroy(id ID) error

	// Stats returns one consistent snapshot of the pool.
	Stats(id ID) (Stats, error)

	// List returns the ids of all pools, ascending; none when the service is not open.
	List() []ID

	// ObserveEvents subscribes fn to every pool's events. Each subscription has its own bounded queue and goroutine; the event
	// is reused, copy what you keep. fn may call any method.
	ObserveEvents(fn func(*Event)) (EventSubscription, error)

	// UnsubscribeEvents throws away what is queued and waits for the callback in flight: fn is not called after it returned.
	// Again: nil. Errors: ErrUnknownSubscription for a zero or forged handle, ErrInsideCallback from fn itself.
	UnsubscribeEvents(sub EventSubscription) error

	// CallerContext returns a context that ends when caller's instance begins to close or, for a worker, when it is told to
	// stop; not when it is retired. Its cause is ErrCallerEnding. It is what a guest's blocking host call passes to Call,
	// SubmitWait or DrainWait. Call the cancel func when the host call returns. Errors: workers.ErrInvalidWorkerCaller.
	CallerContext(caller wago.HostModule) (context.Context, context.CancelFunc, error)
}
