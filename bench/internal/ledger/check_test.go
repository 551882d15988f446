package ledger_test

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/ledger"
	"github.com/stretchr/testify/require"
)

func TestStatsThatAgreeWithTheBookHold(t *testing.T) {
	b, stats := busy(t)
	require.NoError(t, b.Check(stats, &stats, b.Counts(), b.Counts()))
	require.NoError(t, ledger.CheckAlone(stats))
	require.NoError(t, b.Check(stats, nil, b.Counts(), b.Counts()))
	b, stats = rested(t)
	require.NoError(t, b.CheckRest(stats, 0))
	require.NoError(t, b.CheckFinal(stats, 0))
}

// A sample is held against what was known before it and after it: what happens in between may be in it or not.
func TestWhatHappensDuringASampleMayBeInIt(t *testing.T) {
	b, stats := busy(t)
	before := b.Counts()
	d := b.Draft(reply, reply) // a submit that has not returned
	after := b.Counts()
	require.NoError(t, b.Check(stats, nil, before, after))
	stats.Submitted, stats.Routed, stats.Queued, stats.Outstanding = 14, 11, 3, 3
	stats.Workers[0].Enqueued, stats.Workers[0].Outstanding = 11, 3
	require.NoError(t, b.Check(stats, nil, before, after))
	require.Error(t, b.Check(stats, nil, before, before), "before the submit nobody can have accepted it")
	require.NoError(t, d.Refused())
	require.Error(t, b.Check(stats, nil, b.Counts(), b.Counts()), "it was refused")
}

func TestStatsThatAreWrongAreFound(t *testing.T) {
	for name, spoil := range map[string]func(s *pool.PoolStats){
		"a task is nowhere":                  func(s *pool.PoolStats) { s.Queued--; s.Outstanding--; s.Workers[0].Outstanding-- },
		"a task is in two places":            func(s *pool.PoolStats) { s.Done++ },
		"a task more than was accepted":      func(s *pool.PoolStats) { s.Routed++; s.Submitted++; s.Dropped++ },
		"a task less than was accepted":      func(s *pool.PoolStats) { s.Routed--; s.Submitted--; s.Done-- },
		"a call less than was refused":       func(s *pool.PoolStats) { s.Rejected--; s.Submitted-- },
		"calls that don't add up":            func(s *pool.PoolStats) { s.Submitted++ },
		"queued tasks that don't add up":     func(s *pool.PoolStats) { s.Parked++ },
		"shed in a pool that doesn't":        func(s *pool.PoolStats) { s.Shed++; s.Routed--; s.Done-- },
		"done less than was finished":        func(s *pool.PoolStats) { s.Done = 4; s.Dropped += 2 },
		"failed less than guests failed":     func(s *pool.PoolStats) { s.FailedTasks--; s.Done++ },
		"attempts less than guests began":    func(s *pool.PoolStats) { s.Running--; s.Dropped++ },
		"more workers than may be":           func(s *pool.PoolStats) { s.Workers = append(s.Workers, fresh(2), fresh(3), fresh(4)) },
		"more live workers than are listed":  func(s *pool.PoolStats) { s.Live = 2 },
		"a worker twice":                     func(s *pool.PoolStats) { s.Workers = append(s.Workers, fresh(11)) },
		"a worker that is none":              func(s *pool.PoolStats) { s.Workers = append(s.Workers, fresh(0)) },
		"a worker's tasks that don't add up": func(s *pool.PoolStats) { s.Workers[0].Enqueued++ },
		"two tasks in one hand":              func(s *pool.PoolStats) { s.Workers[0].Running = 2 },
		"a mailbox that is too full":         func(s *pool.PoolStats) { overfill(s) },
		"a time below zero":                  func(s *pool.PoolStats) { s.Workers[0].RunNanos-- },
		"more in mailboxes than is said":     func(s *pool.PoolStats) { s.Workers[0].Enqueued++; s.Workers[0].Outstanding++ },
		"a size above the band":              func(s *pool.PoolStats) { s.Desired = 4 },
		"a band that is none":                func(s *pool.PoolStats) { s.Min = 4 },
		"a band that was not asked for":      func(s *pool.PoolStats) { s.Max = 4 },
		"more hands than workers":            func(s *pool.PoolStats) { s.Running += 3; s.Done -= 3 },
		"more failures than ends":            func(s *pool.PoolStats) { s.Failed = 1 },
		"more replacements than ends":        func(s *pool.PoolStats) { s.Restarted = 1 },
		"an end without a last one":          func(s *pool.PoolStats) { s.Exited = 1 },
		"a size while draining":              func(s *pool.PoolStats) { s.Draining = true },
		"limited while draining":             func(s *pool.PoolStats) { s.Draining, s.Desired, s.Limited = true, 0, true },
	} {
		t.Run(name, func(t *testing.T) {
			b, stats := busy(t)
			spoil(&stats)
			require.Error(t, b.Check(stats, nil, b.Counts(), b.Counts()))
		})
	}
}

func fresh(id pool.WorkerID) pool.WorkerStat { return pool.WorkerStat{ID: id} }

func overfill(s *pool.PoolStats) {
	s.Done, s.Queued, s.Outstanding = s.Done-3, s.Queued+3, s.Outstanding+3
	s.Workers[0].Outstanding, s.Workers[0].Dispatched = 5, 5
}

func TestRetriesOfAPoolThatHasNoneAreFound(t *testing.T) {
	b := ledger.NewBook(1, ledger.Shape{Max: 3})
	require.Error(t, b.Check(pool.PoolStats{Max: 3, Retried: 1}, nil, ledger.Counts{}, ledger.Counts{}))
}

func TestCountersThatFallAreFound(t *testing.T) {
	for name, raise := range map[string]func(s *pool.PoolStats){
		"Submitted":   func(s *pool.PoolStats) { s.Submitted++ },
		"Routed":      func(s *pool.PoolStats) { s.Routed++ },
		"Rejected":    func(s *pool.PoolStats) { s.Rejected++ },
		"Shed":        func(s *pool.PoolStats) { s.Shed++ },
		"Done":        func(s *pool.PoolStats) { s.Done++ },
		"FailedTasks": func(s *pool.PoolStats) { s.FailedTasks++ },
		"Dropped":     func(s *pool.PoolStats) { s.Dropped++ },
		"Redelivered": func(s *pool.PoolStats) { s.Redelivered++ },
		"Retried":     func(s *pool.PoolStats) { s.Retried++ },
		"Foreign":     func(s *pool.PoolStats) { s.Foreign++ },
		"Restarted":   func(s *pool.PoolStats) { s.Restarted++ },
		"Exited":      func(s *pool.PoolStats) { s.Exited++ },
		"Failed":      func(s *pool.PoolStats) { s.Failed++ },
		"Draining":    func(s *pool.PoolStats) { s.Draining = true },
		"Max":         func(s *pool.PoolStats) { s.Max-- },
	} {
		t.Run(name, func(t *testing.T) {
			b, stats := busy(t)
			last := stats
			raise(&last)
			require.Error(t, b.Check(stats, &last, b.Counts(), b.Counts()))
		})
	}
}

func TestAnEndThatIsWrongIsFound(t *testing.T) {
	for name, spoil := range map[string]func(s *pool.PoolStats){
		"a task is left":                    func(s *pool.PoolStats) { s.Dropped--; s.Queued++; s.Parked++ },
		"a task is in hand":                 func(s *pool.PoolStats) { s.Dropped--; s.Running++ },
		"a worker is left":                  func(s *pool.PoolStats) { s.Live, s.Workers = 1, []pool.WorkerStat{fresh(1)} },
		"a task too many":                   func(s *pool.PoolStats) { s.Routed++; s.Dropped++; s.Submitted++ },
		"a task too few":                    func(s *pool.PoolStats) { s.Routed--; s.Dropped--; s.Submitted-- },
		"refused more than were":            func(s *pool.PoolStats) { s.Rejected += 2; s.Submitted += 2 },
		"refused less than were":            func(s *pool.PoolStats) { s.Rejected--; s.Submitted-- },
		"calls that don't add up":           func(s *pool.PoolStats) { s.Submitted++ },
		"done more than was finished":       func(s *pool.PoolStats) { s.Done++; s.Dropped-- },
		"done less than was finished":       func(s *pool.PoolStats) { s.Done--; s.FailedTasks++ },
		"an attempt that nobody made":       func(s *pool.PoolStats) { s.Retried++ },
		"an attempt that is not counted":    func(s *pool.PoolStats) { s.Retried-- },
		"failed instead of dropped":         func(s *pool.PoolStats) { s.FailedTasks++; s.Dropped-- },
		"a last end that nobody has had":    func(s *pool.PoolStats) { s.LastExit.Worker = 0 },
		"a mailbox that is not in the sum":  func(s *pool.PoolStats) { s.Outstanding++ },
		"a band that it has not asked for":  func(s *pool.PoolStats) { s.Max = 9 },
		"a pool that sheds without leave":   func(s *pool.PoolStats) { s.Shed++; s.Routed--; s.Dropped-- },
		"more workers replaced than ended":  func(s *pool.PoolStats) { s.Restarted = 3 },
		"more failed ends than there were":  func(s *pool.PoolStats) { s.Failed = 3 },
		"draining, and wants to be a pool":  func(s *pool.PoolStats) { s.Draining, s.Desired = true, 1 },
		"a desired size beyond its largest": func(s *pool.PoolStats) { s.Desired = 9 },
	} {
		t.Run(name, func(t *testing.T) {
			b, stats := rested(t)
			spoil(&stats)
			require.Error(t, b.CheckFinal(stats, 0))
		})
	}
}

// An attempt that no guest saw is allowed exactly when a message without a task was handed out.
func TestAttemptsThatNobodySawAreAllowedWhenMessagesStrayed(t *testing.T) {
	b, stats := rested(t)
	stats.FailedTasks, stats.Dropped = 1, 0
	require.Error(t, b.CheckFinal(stats, 0))
	require.NoError(t, b.CheckFinal(stats, 1))
	b.Stray()
	require.NoError(t, b.CheckFinal(stats, 0))
}

// Of a pool whose strategy is Broadcast callers know that some worker took what they submitted, and not how many did.
func TestLegsAreBounded(t *testing.T) {
	b := ledger.NewBook(1, ledger.Shape{Max: 3, Legs: true})
	b.Draft(reply, reply).Accepted()
	b.Draft(reply, reply).Accepted()
	for legs, ok := range map[uint64]bool{1: false, 2: true, 6: true, 7: false} {
		err := b.CheckRest(pool.PoolStats{Max: 3, Routed: legs, Dropped: legs}, 0)
		require.Equal(t, ok, err == nil, "%d legs: %v", legs, err)
	}
}
