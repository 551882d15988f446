package pooltest

import (
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool"
)

// Stats returns a snapshot of a pool, whose ledger holds.
func (k *Kit) Stats(id pool.PoolID) pool.PoolStats {
	k.t.Helper()
	stats, err := k.Service.Stats(id)
	if err != nil {
		k.t.Fatalf("pooltest: the stats of pool %d: %v", id, err)
	}
	k.CheckLedger(stats)
	return stats
}

// Quiet waits until no task of a pool is queued or running, and returns its stats then.
func (k *Kit) Quiet(id pool.PoolID) pool.PoolStats {
	k.t.Helper()
	return k.Until(id, "no task queued or running", func(s pool.PoolStats) bool { return s.Queued+s.Running == 0 })
}

// Until waits until the stats of a pool are as wanted, and returns those. What says what is waited for, for the message of a
// test that fails because that doesn't come within 20 s.
func (k *Kit) Until(id pool.PoolID, what string, wanted func(pool.PoolStats) bool) (stats pool.PoolStats) {
	k.t.Helper()
	k.Eventually(what, func() bool {
		k.t.Helper()
		stats = k.Stats(id)
		return wanted(stats)
	})
	return stats
}

// Eventually waits until the condition holds. What says what is waited for, for the message of a test that fails because that
// doesn't come within 20 s.
func (k *Kit) Eventually(what string, condition func() bool) {
	k.t.Helper()
	settle()
	if condition() {
		return
	}
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if condition() {
				return
			}
		case <-deadline.C:
			k.dump()
			k.t.Fatalf("pooltest: still waiting after %v: %s", patience, what)
		}
	}
}

// settle waits until everything else in the bubble is blocked. Outside one, or while another goroutine of the bubble does the
// same, it returns at once: only a panic tells.
func settle() {
	defer func() { _ = recover() }()
	synctest.Wait()
}
