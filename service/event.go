package service

import (
	"time"

	"github.com/JairusSW/pool/events"
	"github.com/wago-org/workers"
)

// EventSubscription is the handle that ObserveEvents gives and UnsubscribeEvents takes. It is opaque and comparable.
//
// Safe for concurrent use.
type EventSubscription = events.Subscription

// EventKind says what an Event reports. Its text is snake_case, as in "worker_added".
//
// Safe for concurrent use.
type EventKind uint8

// The kinds of events. The numbers of the first eight are the published ones.
const (
	PoolCreated         EventKind = 1  // the pool exists; before its first worker
	PoolWorkerAdded     EventKind = 2  // Worker joined
	PoolWorkerRemoved   EventKind = 3  // Worker ended: ExitKind, Err
	PoolScaled          EventKind = 4  // a sizing decision: From, To, Reason
	PoolTaskRouted      EventKind = 5  // a task was accepted: Worker (0: parked), Tag, Key
	PoolTaskRejected    EventKind = 6  // a submit was refused, or a broadcast missed Worker: Tag, Key, Reason, Err
	PoolDrained         EventKind = 7  // draining is over: Count tasks were dropped
	PoolDestroyed       EventKind = 8  // the pool's last event: Err is the cause, Final its last Stats
	PoolDraining        EventKind = 9  // Drain was called
	PoolHalted          EventKind = 10 // supervision gave up: Err is the last failure
	PoolRearmed         EventKind = 11 // a halt was cleared
	PoolTaskFailed      EventKind = 12 // a task in Worker's hand failed: Tag, Key, Attempt, Reason, Err
	PoolTaskDropped     EventKind = 13 // Count tasks ended in no hand: Reason, Err; Tag, Key of a single one; Worker of legs
	PoolTaskRedelivered EventKind = 14 // a dead worker's queued task went to Worker: Tag, Key
	PoolTaskRetried     EventKind = 15 // a task goes round again: Tag, Key, Attempt, Err
	PoolTaskShed        EventKind = 16 // a submit's task was dropped at the door: Tag, Key
	PoolLimited         EventKind = 17 // a ceiling stopped growth: Err is a *LimitError or the failed spawn's error
	PoolEventsLost      EventKind = 18 // Count events are missing here; Seq is that of the last one lost
)

var eventKindNames = names[EventKind]{
	what: "event kind",
	text: []string{
		"", "created", "worker_added", "worker_removed", "scaled", "task_routed", "task_rejected", "drained", "destroyed",
		"draining", "halted", "rearmed", "task_failed", "task_dropped", "task_redelivered", "task_retried", "task_shed",
		"limited", "events_lost",
	},
}

// String returns the kind's snake_case name, or "event kind N" for an unknown one.
func (k EventKind) String() string { return eventKindNames.string(k) }

// MarshalText returns the kind's snake_case name; unknown kinds are an error.
func (k EventKind) MarshalText() ([]byte, error) { return eventKindNames.marshal(k) }

// UnmarshalText accepts exactly what MarshalText returns.
func (k *EventKind) UnmarshalText(text []byte) error { return eventKindNames.unmarshal(k, text) }

// expendable reports whether the kind is lost first when an observer does not keep up: the ones there is one of per task.
func (k EventKind) expendable() bool {
	switch k {
	case PoolTaskRouted, PoolTaskRejected, PoolTaskShed, PoolTaskRedelivered:
		return true
	}
	return false
}

// Event is what observers are given. What a kind doesn't speak of is zero.
//
// Not safe for concurrent use: it is reused when the observer returns. Copy what you keep.
type Event struct {
	Kind     EventKind              // what happened
	Pool     ID                     // to which pool
	Worker   WorkerID               // to which worker, or to a task of which
	ExitKind workers.WorkerExitKind // how it ended
	Err      error                  // why
	Seq      uint64                 // rises by one per service, except across a PoolEventsLost
	Time     time.Time              // when, by the wall clock and the monotonic one
	Tag, Key uint64                 // of the task
	Attempt  uint32                 // deliveries of the task so far, this one included
	Count    uint64                 // tasks dropped, or events lost
	From, To uint32                 // sizes: before and after (workers)
	Reason   Reason                 // why, where a kind has several causes
	Final    *Stats                 // the last Stats of a pool that was destroyed
}
