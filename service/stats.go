package service

import (
	"time"

	"github.com/JairusSW/pool/strategy"
	"github.com/wago-org/workers"
)

// Stats is one consistent snapshot of a pool. Live, Desired, Queued, Parked, Running and Outstanding are what is the case now; the
// other numbers count from the pool's creation and only rise.
//
//	Routed    = Done + FailedTasks + Dropped + Queued + Running     tasks; a broadcast counts one per worker that took it
//	Submitted = Routed + Rejected + Shed                            calls, unless Broadcast was used
//
// Safe for concurrent use while nobody changes it.
type Stats struct {
	Pool     ID
	Strategy strategy.Kind
	Live     uint32 // workers that can be sent to
	Desired  uint32 // the size aimed at
	Min, Max uint32 // the size band
	Draining bool
	Halted   bool // supervision gave up until Rearm
	Limited  bool // a ceiling keeps the pool below its desired size

	Submitted uint64 // calls that found the pool open
	Routed    uint64 // tasks accepted, each once
	Rejected  uint64 // calls refused, waits that ended before acceptance, and legs that a Broadcast missed
	Shed      uint64 // calls answered with nil whose task was dropped at the door (OverflowShed)

	Done        uint64 // tasks settled as done
	FailedTasks uint64 // tasks that a guest had in hand and did not finish
	Dropped     uint64 // accepted tasks that ended while no guest had them in hand
	Queued      uint64 // Outstanding + Parked
	Parked      uint64 // tasks that wait in the pool for a mailbox
	Running     uint64 // tasks in a guest's hand
	Redelivered uint64 // deliveries of a dead worker's mailbox to other workers
	Retried     uint64 // further attempts at a task whose worker ended
	Foreign     uint64 // messages that reached the pool's workers past the pool

	Restarted   uint64 // workers that ended and are to be replaced
	Exited      uint64 // workers that ended
	Failed      uint64 // workers that ended with a failure
	Outstanding uint64 // messages in the workers' mailboxes
	LastExit    WorkerExit
	Workers     []WorkerStat // in slot order, without those that were told to stop
}

// WorkerStat is one worker's share of a Stats.
//
// Safe for concurrent use while nobody changes it.
type WorkerStat struct {
	ID          WorkerID
	Enqueued    uint64 // tasks put into its mailbox
	Dispatched  uint64 // tasks it took out
	Outstanding uint32 // tasks in its mailbox
	Running     uint32 // tasks in its hand: 0 or 1
	QueueNanos  uint64 // time its tasks spent in the mailbox, summed over those taken (nanoseconds)
	RunNanos    uint64 // time its tasks spent in hand, summed over those settled (nanoseconds)
}

// WorkerExit is how and when a worker ended. The zero value stands for none.
//
// Safe for concurrent use while nobody changes it.
type WorkerExit struct {
	Worker WorkerID
	Kind   workers.WorkerExitKind // returned, failed or killed
	Err    error                  // why; nil for one that returned
	Time   time.Time              // when its end was reported
}
