package service_test

import (
	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
)

// account is what the ledgers of pools that are gone add up to, and what the guests knew.
type account struct {
	done, failed, dropped, retried, shed, rejected, redelivered, restarts uint64

	seen, finished, clean, spins uint64 // attempts in a log; by what the guest did
}

func (a *account) ledger(s pool.PoolStats) {
	a.done += s.Done
	a.failed += s.FailedTasks
	a.dropped += s.Dropped
	a.retried += s.Retried
	a.shed += s.Shed
	a.rejected += s.Rejected
	a.redelivered += s.Redelivered
	a.restarts += s.Restarted
}

func (a *account) attempt(e rig.Entry) {
	a.seen++
	switch {
	case e.Finished:
		a.finished++
	case e.Act == rig.Return || e.Act == rig.Exit(0):
		a.clean++
	case e.Act == rig.Spin:
		a.spins++
	}
}

// settled is how many deliveries came to an end, whichever.
func (a *account) settled() uint64 { return a.done + a.failed + a.retried }

func (a *account) add(b account) {
	a.done += b.done
	a.failed += b.failed
	a.dropped += b.dropped
	a.retried += b.retried
	a.shed += b.shed
	a.rejected += b.rejected
	a.redelivered += b.redelivered
	a.restarts += b.restarts
	a.seen += b.seen
	a.finished += b.finished
	a.clean += b.clean
	a.spins += b.spins
}
