package pooltest

import (
	"runtime"
	"slices"
	"time"

	"github.com/JairusSW/pool"
)

// patience is how long the kit waits for what has to happen: of real time, or of a bubble's.
const patience = 20 * time.Second

// Close closes the runtime, and fails the test if that reports an error or takes more than 20 s, if the ledger of any pool
// there ever was doesn't add up, or if an instance is left. The test does it by itself when it ends, after the cleanups that
// it has registered since [Start]. Again: nothing happens.
func (k *Kit) Close() {
	k.t.Helper()
	k.closing.Do(func() {
		k.t.Helper()
		closed := make(chan error, 1)
		go func() { closed <- k.Runtime.Close() }()
		timer := time.NewTimer(patience)
		defer timer.Stop()
		select {
		case err := <-closed:
			if err != nil {
				k.t.Errorf("pooltest: closing the runtime: %v", err)
			}
		case <-timer.C:
			k.dump()
			k.t.Fatalf("pooltest: the runtime does not close within %v", patience)
		}
		k.parked.Wait()
		k.inspect()
	})
}

// inspect looks at what a closed runtime has left behind.
func (k *Kit) inspect() {
	k.t.Helper()
	for _, stats := range k.finals() {
		if left := stats.Queued + stats.Running; left > 0 {
			k.t.Errorf("pooltest: pool %d ended with %d tasks that are nowhere: %+v", stats.Pool, left, stats)
		}
		k.CheckLedger(stats)
	}
	if opened, closed := k.Runtime.Instances(); opened != closed {
		k.t.Errorf("pooltest: %d instances were made and %d closed", opened, closed)
	}
}

func (k *Kit) finals() []pool.PoolStats {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.final)
}

// dump prints every pool's stats and what every goroutine does.
func (k *Kit) dump() {
	k.t.Helper()
	if k.Service != nil { // else loading the plugins failed
		for _, id := range k.Service.List() {
			if stats, err := k.Service.Stats(id); err == nil {
				k.t.Logf("pooltest: %+v", stats)
			}
		}
	}
	stacks := make([]byte, 1<<20)
	k.t.Logf("pooltest: %s", stacks[:runtime.Stack(stacks, true)])
}
