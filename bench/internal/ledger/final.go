package ledger

import "github.com/JairusSW/pool"

// CheckFinal holds a pool's last snapshot against the book, strays being how many messages without a task this pool's guests may
// have been handed besides. Call it when every submit has returned and every guest has gone.
func (b *Book) CheckFinal(final pool.PoolStats, strays uint64) error {
	var f findings
	f.over(&final)
	f.rest(&final, b, strays)
	return f.err()
}

// CheckRest is CheckFinal for a pool that lives on and has nothing to do. Call it when every submit has returned and every
// guest that had a task has settled it.
func (b *Book) CheckRest(now pool.PoolStats, strays uint64) error {
	var f findings
	f.rest(&now, b, strays)
	return f.err()
}

// rest holds the snapshot of a pool that has nothing to do.
func (f *findings) rest(now *pool.PoolStats, b *Book, strays uint64) {
	c := b.Counts()
	c.Strays += strays
	f.identities(now)
	f.sizes(now)
	f.shape(now, &b.Shape)
	f.same("Queued", now.Queued, 0)
	f.same("Running", now.Running, 0)
	if b.Shape.Legs { // callers can't tell how many workers took what they submitted
		f.between("Routed + Shed", now.Routed+now.Shed, c.Accepted, c.Begun-c.Away)
	} else {
		f.same("Routed + Shed", now.Routed+now.Shed, c.Accepted+c.MaybeShed)
	}
	if !b.Shape.Legs && c.Broadcasts == 0 {
		f.between("Rejected", now.Rejected, c.Refused, c.Refused+c.Unclear)
		f.same("Routed + Rejected + Shed", now.Routed+now.Rejected+now.Shed, now.Submitted)
	}
	f.attempts(now, c)
}

// over is what holds of a pool that nothing is left of.
func (f *findings) over(final *pool.PoolStats) {
	f.same("Live", uint64(final.Live), 0)
	f.same("workers that are listed", uint64(len(final.Workers)), 0)
}

// attempts holds the last snapshot against what guests had in hand. Each attempt ended in one of three ways.
func (f *findings) attempts(final *pool.PoolStats, c Counts) {
	f.hold(c.Skipped <= c.Strays, "%d attempts were seen by no guest, %d messages came without a task", c.Skipped, c.Strays)
	f.between("Done", final.Done, c.Finished, c.Finished+c.Soft)
	f.between("FailedTasks", final.FailedTasks, c.Failed, c.Takes+c.Strays)
	f.between("Done + FailedTasks + Retried", final.Done+final.FailedTasks+final.Retried, c.Takes+c.Skipped, c.Takes+c.Strays)
}
