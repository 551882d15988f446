package ledger

import (
	"math"

	"github.com/JairusSW/pool"
)

// CheckAlone holds a snapshot against itself.
func CheckAlone(now pool.PoolStats) error {
	var f findings
	f.identities(&now)
	f.sizes(&now)
	return f.err()
}

// Check holds a snapshot against itself, against one that was taken before by the same goroutine (nil: none), and against what
// callers and guests knew right before and right after it was taken.
func (b *Book) Check(now pool.PoolStats, last *pool.PoolStats, before, after Counts) error {
	var f findings
	f.identities(&now)
	f.sizes(&now)
	f.shape(&now, &b.Shape)
	if last != nil {
		f.rises(&now, last)
	}
	f.callers(&now, &b.Shape, before, after)
	f.guests(&now, before)
	return f.err()
}

// identities are what holds in every snapshot.
func (f *findings) identities(now *pool.PoolStats) {
	f.same("Done + FailedTasks + Dropped + Queued + Running",
		now.Done+now.FailedTasks+now.Dropped+now.Queued+now.Running, now.Routed)
	f.same("Outstanding + Parked", now.Outstanding+now.Parked, now.Queued)
	f.hold(now.Failed <= now.Exited, "Failed is %d, Exited %d", now.Failed, now.Exited)
	f.hold(now.Restarted <= now.Exited, "Restarted is %d, Exited %d", now.Restarted, now.Exited)
	f.hold((now.Exited > 0) == (now.LastExit.Worker != 0), "Exited is %d, LastExit %+v", now.Exited, now.LastExit)
}

// ages is a time (nanoseconds) that nothing takes: a difference below zero is beyond it.
const ages = 1 << 60

// sizes are what holds of workers.
func (f *findings) sizes(now *pool.PoolStats) {
	listed := uint32(len(now.Workers))
	f.hold(now.Min <= now.Max, "Min is %d, Max %d", now.Min, now.Max)
	f.hold(now.Live <= listed, "Live is %d, %d workers are listed", now.Live, listed)
	f.hold(listed <= now.Max, "%d workers are listed, Max is %d", listed, now.Max)
	f.hold(now.Desired <= now.Max, "Desired is %d, Max %d", now.Desired, now.Max)
	f.hold(now.Running <= uint64(now.Max), "Running is %d, Max %d", now.Running, now.Max)
	f.hold(!now.Draining || now.Desired == 0, "Desired is %d while draining", now.Desired)
	f.hold(!now.Draining || !now.Limited, "Limited while draining")
	outstanding, seen := uint64(0), make(map[pool.WorkerID]bool, listed)
	for _, w := range now.Workers {
		outstanding += uint64(w.Outstanding)
		f.hold(w.ID != 0 && !seen[w.ID], "worker %d is listed twice, or is none", w.ID)
		f.hold(w.Running <= 1, "worker %d has %d tasks in hand", w.ID, w.Running)
		f.same("a worker's Dispatched + Outstanding", w.Dispatched+uint64(w.Outstanding), w.Enqueued)
		f.hold(w.RunNanos < ages && w.QueueNanos < ages, "worker %d: RunNanos is %d, QueueNanos %d", w.ID, w.RunNanos, w.QueueNanos)
		seen[w.ID] = true
	}
	f.hold(outstanding <= now.Outstanding, "Outstanding is %d, workers that are listed have %d", now.Outstanding, outstanding)
}

// shape is what a pool's options say.
func (f *findings) shape(now *pool.PoolStats, s *Shape) {
	f.hold(now.Max <= s.Max, "Max is %d, at most %d was asked for", now.Max, s.Max)
	f.hold(s.Sheds || now.Shed == 0, "Shed is %d", now.Shed)
	f.hold(s.Retries > 0 && !s.Legs || now.Retried == 0, "Retried is %d", now.Retried)
	for _, w := range now.Workers {
		f.hold(w.Outstanding <= s.Queue, "worker %d has %d tasks in a mailbox for %d", w.ID, w.Outstanding, s.Queue)
	}
}

// rises is what a later snapshot has at least.
func (f *findings) rises(now, last *pool.PoolStats) {
	for _, c := range []struct {
		what      string
		now, last uint64
	}{
		{"Submitted", now.Submitted, last.Submitted}, {"Routed", now.Routed, last.Routed},
		{"Rejected", now.Rejected, last.Rejected}, {"Shed", now.Shed, last.Shed},
		{"Done", now.Done, last.Done}, {"FailedTasks", now.FailedTasks, last.FailedTasks},
		{"Dropped", now.Dropped, last.Dropped}, {"Redelivered", now.Redelivered, last.Redelivered},
		{"Retried", now.Retried, last.Retried}, {"Foreign", now.Foreign, last.Foreign},
		{"Restarted", now.Restarted, last.Restarted}, {"Exited", now.Exited, last.Exited}, {"Failed", now.Failed, last.Failed},
	} {
		f.hold(c.now >= c.last, "%s fell from %d to %d", c.what, c.last, c.now)
	}
	f.hold(now.Draining || !last.Draining, "a drain was taken back")
	f.hold(now.Min == last.Min && now.Max == last.Max, "the band changed from %d to %d, to %d to %d",
		last.Min, last.Max, now.Min, now.Max)
}

// callers holds a snapshot against what those who submit had been told before it, and could have been told after it.
func (f *findings) callers(now *pool.PoolStats, s *Shape, before, after Counts) {
	high := after.Begun - before.Away
	if s.Legs {
		f.between("Routed + Shed", now.Routed+now.Shed, before.Accepted, high)
	} else {
		f.between("Routed + Shed", now.Routed+now.Shed, before.Accepted+before.MaybeShed, high)
	}
	f.between("Rejected", now.Rejected, before.Refused, math.MaxUint64)
	if !s.Legs && after.Broadcasts == 0 {
		f.same("Routed + Rejected + Shed", now.Routed+now.Rejected+now.Shed, now.Submitted)
	}
}

// guests holds a snapshot against what guests knew before it.
func (f *findings) guests(now *pool.PoolStats, before Counts) {
	f.between("Done", now.Done, before.Finished, math.MaxUint64)
	f.between("FailedTasks", now.FailedTasks, before.Failed, math.MaxUint64)
	f.between("Done + FailedTasks + Retried + Running",
		now.Done+now.FailedTasks+now.Retried+now.Running, before.Takes, math.MaxUint64)
}
