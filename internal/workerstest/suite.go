package workerstest

import (
	"testing"
	"testing/synctest"
)

// TB is the part of testing.TB that checks use, so that a check can be run on something else than a test.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	FailNow()
}

// Check is one rule.
type Check struct {
	// Name says the rule, as a test's name: topic/rule.
	Name string
	// Real is true for checks that need real time, because a guest spins in them. The others must be run in a bubble.
	Real bool

	run func(*world)
}

// Run examines the harness, and leaves it open.
func (c Check) Run(tb TB, h Harness) {
	w := newWorld(tb, h, c.Real)
	defer close(w.over) // what a failed check has left waiting goes on
	c.run(w)
}

// Exercise checks every rule, each on a harness of its own. new is called inside the check's bubble if it has one.
func Exercise(t *testing.T, new func(t *testing.T) Harness) {
	for _, check := range Checks() {
		t.Run(check.Name, func(t *testing.T) {
			Isolate(t, check, func(t *testing.T) {
				h := new(t)
				defer func() { _ = h.Close() }() // some checks look at the error, in a Close of their own
				check.Run(t, h)
			})
		})
	}
}

// Isolate runs f with the time that the check needs: in a bubble, or real.
func Isolate(t *testing.T, check Check, f func(t *testing.T)) {
	if check.Real {
		f(t)
		return
	}
	synctest.Test(t, f)
}

// Checks returns the rules.
func Checks() []Check {
	var all []Check
	for _, topic := range [][]Check{
		spawnChecks, sendChecks, dispatchChecks, observerChecks, unsubscribeChecks, exitChecks, killChecks, linkChecks,
		closeChecks, ownedChecks, retireChecks, killWithinChecks, closingChecks, identityChecks,
	} {
		all = append(all, topic...)
	}
	return all
}
