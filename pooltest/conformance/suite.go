package conformance

import (
	"testing"
	"testing/synctest"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
)

// Start makes a kit whose Service is to be examined, for one check, with at least what config asks for: pooltest.Start, or
// what calls it with more.
//
// Whoever runs checks in parallel needs one that is safe for concurrent use.
type Start func(t testing.TB, config pooltest.Config) *pooltest.Kit

// Check is one rule.
//
// Safe for concurrent use.
type Check struct {
	// Name says the rule, as a test's name: topic/rule.
	Name string
	// Real is true for checks that need real time, because a guest spins in them. The others must be run in a bubble.
	Real bool

	broadcasts bool
	run        func(*world)
}

// Exercise checks every rule, each on a kit of its own.
func Exercise(t *testing.T, start Start) {
	for _, check := range Checks() {
		t.Run(check.Name, func(t *testing.T) { check.Isolate(t, func(t *testing.T) { check.Run(t, start) }) })
	}
}

// Isolate runs f with the time that the check needs: in a bubble, or real.
func (c Check) Isolate(t *testing.T, f func(t *testing.T)) {
	if c.Real {
		f(t)
		return
	}
	synctest.Test(t, f)
}

// limits are small, so that they can be used up.
const limits = `{"maxPools": 3, "maxWorkersPerPool": 4, "maxTotalWorkers": 6, "runnableWorkers": 4}`

// Run starts a kit, examines it and closes it. What is wrong is reported to t, which may be something else than the test that
// runs.
func (c Check) Run(t testing.TB, start Start) {
	t.Helper()
	kit := start(t, pooltest.Config{Settings: map[string]string{pool.PluginID: limits}, Broadcasts: c.broadcasts})
	defer kit.Close()
	w := newWorld(t, kit)
	defer close(w.over) // what a failed check has left waiting goes on
	c.run(w)
}

// Checks returns the rules.
func Checks() []Check {
	var all []Check
	for _, topic := range [][]Check{
		createChecks, callerChecks, submitChecks, routingChecks, overflowChecks, broadcastChecks, waitChecks, callChecks,
		settleChecks, deathChecks, restartChecks, sizeChecks, superviseChecks, drainChecks, destroyChecks, eventChecks,
		unsubscribeChecks, contextChecks, closeChecks, ledgerChecks,
	} {
		all = append(all, topic...)
	}
	return all
}
