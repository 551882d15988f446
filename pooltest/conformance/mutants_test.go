package conformance_test

import (
	"strings"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
	"github.com/JairusSW/pool/pooltest/conformance"
	"github.com/JairusSW/pool/pooltest/internal/recorder"
	"github.com/stretchr/testify/assert"
)

// A mutant is the real service with one thing wrong.
type mutant struct {
	topic  string // whose checks have to notice
	name   string
	double func(pool.Service) pool.Service
}

// TestTheSuiteNoticesEveryMutant holds the suite to its purpose: for each mutant a check of the topic fails, and on the real
// service none does.
func TestTheSuiteNoticesEveryMutant(t *testing.T) {
	topics := make(map[string]bool)
	for _, m := range mutants {
		topics[m.topic] = true
		t.Run(m.topic+"/"+m.name, func(t *testing.T) {
			for _, check := range conformance.Checks() {
				if !strings.HasPrefix(check.Name, m.topic+"/") {
					continue
				}
				if complaint := m.complaint(t, check); complaint != "" {
					first, _, _ := strings.Cut(complaint, "\n")
					t.Logf("%s: %s", check.Name, first)
					return
				}
			}
			assert.Fail(t, "no check fails")
		})
	}
	for _, check := range conformance.Checks() {
		topic, _, _ := strings.Cut(check.Name, "/")
		assert.True(t, topics[topic], "there is no mutant for %s", topic)
	}
}

// complaint runs a check on the mutant and returns what it says.
func (m mutant) complaint(t *testing.T, check conformance.Check) (complaint string) {
	check.Isolate(t, func(t *testing.T) {
		complaint = recorder.Complaints(t, func(tb testing.TB) {
			check.Run(tb, func(t testing.TB, config pooltest.Config) *pooltest.Kit {
				config.Double = m.double
				return pooltest.Start(t, config)
			})
		})
	})
	return complaint
}

var mutants = []mutant{
	{"create", "takes any option", func(s pool.Service) pool.Service { return anyOption{s} }},
	{"create", "starts one worker too many", func(s pool.Service) pool.Service { return oneMore{s} }},
	{"create", "lists pools the wrong way round", func(s pool.Service) pool.Service { return listsBackwards{s} }},
	{"callers", "lets strangers size pools", func(s pool.Service) pool.Service { return anyOwner{s} }},
	{"callers", "drains what isn't there", func(s pool.Service) pool.Service { return drainsAnything{s} }},
	{"callers", "wraps what is to be bare", func(s pool.Service) pool.Service { return wrapsNotFound{s} }},
	{"submit", "drops a task", func(s pool.Service) pool.Service { return &drops{Service: s} }},
	{"submit", "delivers twice", func(s pool.Service) pool.Service { return twice{s} }},
	{"submit", "names another worker", func(s pool.Service) pool.Service { return wrongWorker{s} }},
	{"submit", "loses the key", func(s pool.Service) pool.Service { return noKey{s} }},
	{"submit", "counts a call twice", func(s pool.Service) pool.Service { return &countsTwice{Service: s} }},
	{"submit", "says that what is too large is too much", func(s pool.Service) pool.Service { return tooLargeIsFull{s} }},
	{"submit", "forgets to reconcile", func(s pool.Service) pool.Service { return neverReconciles{s} }},
	{"routing", "sends keys here and there", func(s pool.Service) pool.Service { return &scatters{Service: s} }},
	{"overflow", "owns up to what it sheds", func(s pool.Service) pool.Service { return shedsAloud{s} }},
	{"overflow", "wraps the sentinel", func(s pool.Service) pool.Service { return wrapsFull{s} }},
	{"broadcast", "reaches one worker", func(s pool.Service) pool.Service { return broadcastsToOne{s} }},
	{"broadcast", "counts who missed it", func(s pool.Service) pool.Service { return countsMissed{s} }},
	{"wait", "doesn't wait", func(s pool.Service) pool.Service { return waitsNever{s} }},
	{"wait", "tries again and again", func(s pool.Service) pool.Service { return retries{s} }},
	{"wait", "ignores the context", func(s pool.Service) pool.Service { return waitsForEver{s} }},
	{"call", "says only what kind of error it is", func(s pool.Service) pool.Service { return kindOnly{s} }},
	{"call", "loses the result", func(s pool.Service) pool.Service { return noResult{s} }},
	{"settle", "settles again", func(s pool.Service) pool.Service { return settlesAgain{s} }},
	{"settle", "dispatches without a context", func(s pool.Service) pool.Service { return dispatchesForEver{s} }},
	{"settle", "cuts a result that is too long", func(s pool.Service) pool.Service { return cutsResults{s} }},
	{"death", "counts failures as done", func(s pool.Service) pool.Service { return noFailures{s} }},
	{"death", "counts attempts from zero", func(s pool.Service) pool.Service { return zeroAttempts{s} }},
	{"restart", "doesn't rearm", func(s pool.Service) pool.Service { return rearmsNever{s} }},
	{"restart", "allows one restart more", func(s pool.Service) pool.Service { return lenient{s} }},
	{"size", "scales to one less", func(s pool.Service) pool.Service { return scalesLess{s} }},
	{"size", "keeps quiet about a ceiling", func(s pool.Service) pool.Service { return noCeiling{s} }},
	{"supervise", "doesn't supervise", func(s pool.Service) pool.Service { return supervisesNever{s} }},
	{"supervise", "lets two supervise", func(s pool.Service) pool.Service { return supervisesTwice{s} }},
	{"drain", "drops what is queued", func(s pool.Service) pool.Service { return drainDestroys{s} }},
	{"drain", "doesn't wait for the end", func(s pool.Service) pool.Service { return drainsSoon{s} }},
	{"destroy", "doesn't wait for the workers", func(s pool.Service) pool.Service { return destroysSoon{s} }},
	{"destroy", "drains instead", func(s pool.Service) pool.Service { return destroyDrains{s} }},
	{"events", "swaps two events", func(s pool.Service) pool.Service { return swapsEvents{s} }},
	{"events", "loses an event", func(s pool.Service) pool.Service { return losesEvents{s} }},
	{"events", "keeps events for too long", func(s pool.Service) pool.Service { return holdsUp{s, make(chan struct{}, 1)} }},
	{"unsubscribe", "doesn't wait", func(s pool.Service) pool.Service { return unsubscribesSoon{s} }},
	{"unsubscribe", "unsubscribes in name only", func(s pool.Service) pool.Service { return unsubscribesNever{s} }},
	{"context", "has contexts that never end", func(s pool.Service) pool.Service { return endlessContext{s} }},
	{"context", "has contexts without a cause", func(s pool.Service) pool.Service { return noCause{s} }},
	{"close", "mistakes its end for its beginning", func(s pool.Service) pool.Service { return inactive{s} }},
	{"ledger", "loses a task in a hundred", func(s pool.Service) pool.Service { return &drops{Service: s, every: 50} }},
}
