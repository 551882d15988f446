package ledger

import (
	"fmt"

	"github.com/JairusSW/pool"
	"github.com/wago-org/workers"
)

// Life is what events say of one pool.
//
// Not safe for concurrent use.
type Life struct {
	Final *pool.PoolStats // what PoolDestroyed brought; nil before it

	gaps    bool // events of the pool may be missing
	begun   bool // an event of the pool has been seen
	kinds   [pool.PoolEventsLost + 1]uint64
	dropped uint64 // the sum of the counts of PoolTaskDropped
	failed  uint64 // workers that ended with a failure
	live    map[pool.WorkerID]bool
	gone    map[pool.WorkerID]bool
	most    int // how many workers there were at most
}

// NewLife begins a life; whole: from the pool's first event on.
func NewLife(whole bool) *Life {
	return &Life{gaps: !whole, live: make(map[pool.WorkerID]bool), gone: make(map[pool.WorkerID]bool)}
}

// Gap notes that events of the pool may be missing from here on.
func (l *Life) Gap() { l.gaps = true }

// Whole reports whether no event of the pool is missing.
func (l *Life) Whole() bool { return !l.gaps }

// Count returns how many events of a kind there were.
func (l *Life) Count(kind pool.PoolEventKind) uint64 { return l.kinds[kind] }

// Add says what is wrong with the pool's next event.
func (l *Life) Add(e *pool.PoolEvent) error {
	if int(e.Kind) >= len(l.kinds) {
		return fmt.Errorf("event %d has the kind %v", e.Seq, e.Kind)
	}
	first := !l.begun
	l.begun = true
	l.kinds[e.Kind]++
	switch {
	case l.Final != nil:
		return fmt.Errorf("event %d (%v) of pool %d comes after its end", e.Seq, e.Kind, e.Pool)
	case !l.gaps && first != (e.Kind == pool.PoolCreated):
		return fmt.Errorf("event %d (%v) of pool %d: it begins with %v, and once", e.Seq, e.Kind, e.Pool, pool.PoolCreated)
	}
	switch e.Kind {
	case pool.PoolWorkerAdded:
		return l.added(e)
	case pool.PoolWorkerRemoved:
		return l.removed(e)
	case pool.PoolTaskDropped:
		l.dropped += e.Count
	case pool.PoolDestroyed:
		return l.ended(e)
	}
	return l.names(e)
}

func (l *Life) added(e *pool.PoolEvent) error {
	if l.live[e.Worker] || l.gone[e.Worker] {
		return fmt.Errorf("event %d: worker %d joins pool %d twice", e.Seq, e.Worker, e.Pool)
	}
	l.live[e.Worker] = true
	l.most = max(l.most, len(l.live))
	return nil
}

func (l *Life) removed(e *pool.PoolEvent) error {
	if e.ExitKind == workers.WorkerFailed {
		l.failed++
	}
	if !l.live[e.Worker] && !l.gaps || l.gone[e.Worker] {
		return fmt.Errorf("event %d: worker %d leaves pool %d, which it is not in", e.Seq, e.Worker, e.Pool)
	}
	delete(l.live, e.Worker)
	l.gone[e.Worker] = true
	return nil
}

func (l *Life) ended(e *pool.PoolEvent) error {
	if e.Final == nil {
		return fmt.Errorf("event %d: pool %d ends without its final Stats", e.Seq, e.Pool)
	}
	final := *e.Final
	l.Final = &final
	if len(l.live) > 0 && !l.gaps {
		return fmt.Errorf("event %d: pool %d ends before %d of its workers", e.Seq, e.Pool, len(l.live))
	}
	return nil
}

// names says what is wrong with the worker that an event names: what happens to workers happens between their join and their end.
func (l *Life) names(e *pool.PoolEvent) error {
	if e.Worker == 0 || l.gaps || l.live[e.Worker] {
		return nil
	}
	return fmt.Errorf("event %d (%v) of pool %d names worker %d, which is not in it", e.Seq, e.Kind, e.Pool, e.Worker)
}

// CheckFinal holds the pool's last Stats against its events; broadcast: legs were missed without an event when their worker had
// been reported gone.
func (l *Life) CheckFinal(broadcast bool) error {
	var f findings
	final := l.Final
	if l.gaps {
		return nil
	}
	f.hold(l.most <= int(final.Max), "there were %d workers, Max is %d", l.most, final.Max)
	for _, c := range []struct {
		kind pool.PoolEventKind
		want uint64
	}{
		{pool.PoolTaskRouted, final.Routed}, {pool.PoolTaskShed, final.Shed}, {pool.PoolTaskFailed, final.FailedTasks},
		{pool.PoolTaskRetried, final.Retried}, {pool.PoolTaskRedelivered, final.Redelivered},
		{pool.PoolWorkerAdded, final.Exited}, {pool.PoolWorkerRemoved, final.Exited},
	} {
		f.same(fmt.Sprintf("events %v", c.kind), l.kinds[c.kind], c.want)
	}
	f.same("tasks in events task_dropped", l.dropped, final.Dropped)
	f.same("events worker_removed with a failure", l.failed, final.Failed)
	if rejected := l.kinds[pool.PoolTaskRejected]; broadcast {
		f.hold(rejected <= final.Rejected, "events task_rejected: %d, Rejected is %d", rejected, final.Rejected)
	} else {
		f.same("events task_rejected", rejected, final.Rejected)
	}
	f.hold(l.kinds[pool.PoolDrained] <= l.kinds[pool.PoolDraining] && l.kinds[pool.PoolDraining] <= 1, "a drain is reported twice")
	return f.err()
}
