package pooltest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/JairusSW/pool"
)

// CheckLedger fails the test if a snapshot of a pool doesn't add up. These hold for every one, at any moment:
//
//	Routed    = Done + FailedTasks + Dropped + Queued + Running     where each accepted task is
//	Queued    = Outstanding + Parked
//	Submitted = Routed + Rejected + Shed                            what became of each call
//
// With the Broadcast strategy, and where Broadcast was called (see [Config]), Submitted is at most that: one call may be many
// tasks.
func CheckLedger(t testing.TB, stats pool.PoolStats) {
	t.Helper()
	report(t, stats, false)
}

// CheckLedger is the function of that name, which knows whether there are broadcasts.
func (k *Kit) CheckLedger(stats pool.PoolStats) {
	k.t.Helper()
	report(k.t, stats, k.config.Broadcasts)
}

func report(t testing.TB, stats pool.PoolStats, broadcasts bool) {
	t.Helper()
	if err := audit(stats, broadcasts || stats.Strategy == pool.Broadcast); err != nil {
		t.Errorf("pooltest: the ledger of pool %d doesn't add up: %v\n%+v", stats.Pool, err, stats)
	}
}

// audit returns every line of the ledger that doesn't hold.
func audit(s pool.PoolStats, broadcasts bool) error {
	var wrong []error
	if sum := s.Done + s.FailedTasks + s.Dropped + s.Queued + s.Running; s.Routed != sum {
		wrong = append(wrong, fmt.Errorf("routed is %d, and %d done + %d failed + %d dropped + %d queued + %d running are %d",
			s.Routed, s.Done, s.FailedTasks, s.Dropped, s.Queued, s.Running, sum))
	}
	if sum := s.Outstanding + s.Parked; s.Queued != sum {
		wrong = append(wrong, fmt.Errorf("queued is %d, and %d outstanding + %d parked are %d",
			s.Queued, s.Outstanding, s.Parked, sum))
	}
	sum := s.Routed + s.Rejected + s.Shed
	if s.Submitted > sum || s.Submitted < sum && !broadcasts {
		wrong = append(wrong, fmt.Errorf("submitted is %d, and %d routed + %d rejected + %d shed are %d",
			s.Submitted, s.Routed, s.Rejected, s.Shed, sum))
	}
	return errors.Join(wrong...)
}
