package ledger_test

import (
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/ledger"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"
)

// event is one of the kind and number that it is called with, a second for each number.
func event(kind pool.PoolEventKind, seq uint64) *pool.PoolEvent {
	return &pool.PoolEvent{Kind: kind, Pool: 7, Seq: seq, Time: time.Unix(int64(seq), 0)}
}

func lost(count, last uint64) *pool.PoolEvent {
	e := event(pool.PoolEventsLost, last)
	e.Count, e.Time = count, time.Unix(1000, 0) // when it is delivered
	return e
}

func TestNumbersThatRiseByOneHold(t *testing.T) {
	var s ledger.Sequence
	for _, e := range []*pool.PoolEvent{
		event(pool.PoolCreated, 5), event(pool.PoolDraining, 6), lost(10, 16), event(pool.PoolDrained, 17), lost(1, 18), lost(2, 20),
		event(pool.PoolDestroyed, 21),
	} {
		require.NoError(t, s.Next(e))
	}
	assert.EqualValues(t, 13, s.Lost)
}

func TestNumbersThatDoNotRiseByOneAreFound(t *testing.T) {
	early := event(pool.PoolDraining, 6)
	early.Time = time.Unix(4, 0)
	for name, next := range map[string]*pool.PoolEvent{
		"the same again":           event(pool.PoolDraining, 5),
		"one is missing":           event(pool.PoolDraining, 7),
		"more are lost than said":  lost(1, 7),
		"less are lost than said":  lost(3, 7),
		"none is lost":             lost(0, 5),
		"it is older than the one": early,
	} {
		t.Run(name, func(t *testing.T) {
			var s ledger.Sequence
			require.NoError(t, s.Next(event(pool.PoolCreated, 5)))
			require.Error(t, s.Next(next))
		})
	}
}

// of is an event that names a worker.
func of(kind pool.PoolEventKind, worker pool.WorkerID) *pool.PoolEvent {
	return &pool.PoolEvent{Kind: kind, Pool: 7, Worker: worker}
}

func failedExit(worker pool.WorkerID) *pool.PoolEvent {
	e := of(pool.PoolWorkerRemoved, worker)
	e.ExitKind = workers.WorkerFailed
	return e
}

func dropped(n uint64) *pool.PoolEvent {
	e := of(pool.PoolTaskDropped, 0)
	e.Count = n
	return e
}

func ended(final pool.PoolStats) *pool.PoolEvent {
	e := of(pool.PoolDestroyed, 0)
	e.Final = &final
	return e
}

// story is a pool's life, and stats are its last.
func story() (events []*pool.PoolEvent, stats pool.PoolStats) {
	stats = pool.PoolStats{
		Max: 1, Routed: 5, Rejected: 1, Done: 1, FailedTasks: 1, Dropped: 3, Retried: 1, Redelivered: 1, Exited: 2, Failed: 1,
	}
	events = []*pool.PoolEvent{
		of(pool.PoolCreated, 0), of(pool.PoolWorkerAdded, 1), of(pool.PoolTaskRouted, 1), of(pool.PoolTaskRouted, 1),
		of(pool.PoolTaskRouted, 0), of(pool.PoolTaskRejected, 0), of(pool.PoolTaskRetried, 1), failedExit(1),
		of(pool.PoolWorkerAdded, 2), of(pool.PoolTaskRedelivered, 2), of(pool.PoolTaskRouted, 2), of(pool.PoolTaskRouted, 2),
		of(pool.PoolTaskFailed, 2), of(pool.PoolDraining, 0), of(pool.PoolWorkerRemoved, 2), dropped(3), of(pool.PoolDrained, 0),
	}
	return events, stats
}

func live(t *testing.T, events ...*pool.PoolEvent) *ledger.Life {
	t.Helper()
	l := ledger.NewLife(true)
	for _, e := range events {
		require.NoError(t, l.Add(e))
	}
	return l
}

func TestALifeThatAgreesWithItsLastStatsHolds(t *testing.T) {
	events, stats := story()
	l := live(t, append(events, ended(stats))...)
	require.True(t, l.Whole())
	require.NoError(t, l.CheckFinal(false))
	assert.EqualValues(t, 5, l.Count(pool.PoolTaskRouted))
	assert.Equal(t, stats, *l.Final)
}

func TestEventsThatDoNotFitALifeAreFound(t *testing.T) {
	events, stats := story()
	for name, c := range map[string]struct {
		before []*pool.PoolEvent
		next   *pool.PoolEvent
	}{
		"it does not begin with its creation":   {nil, of(pool.PoolWorkerAdded, 1)},
		"it is created twice":                   {events[:1], of(pool.PoolCreated, 0)},
		"something comes after its end":         {append(events[:len(events):len(events)], ended(stats)), of(pool.PoolTaskRejected, 0)},
		"a worker joins twice":                  {events[:2], of(pool.PoolWorkerAdded, 1)},
		"a worker comes back":                   {events[:8], of(pool.PoolWorkerAdded, 1)},
		"a worker leaves that never was":        {events[:2], of(pool.PoolWorkerRemoved, 9)},
		"a worker leaves twice":                 {events[:8], of(pool.PoolWorkerRemoved, 1)},
		"a task is routed to one that has gone": {events[:8], of(pool.PoolTaskRouted, 1)},
		"a task of one that never was fails":    {events[:2], of(pool.PoolTaskFailed, 3)},
		"it ends without its last Stats":        {events, of(pool.PoolDestroyed, 0)},
		"it ends before its workers":            {events[:2], ended(stats)},
		"it is of no kind":                      {events[:2], of(99, 0)},
	} {
		t.Run(name, func(t *testing.T) { require.Error(t, live(t, c.before...).Add(c.next)) })
	}
}

func TestAnEndThatDoesNotAgreeWithTheLifeIsFound(t *testing.T) {
	for name, spoil := range map[string]func(s *pool.PoolStats){
		"Routed":      func(s *pool.PoolStats) { s.Routed++ },
		"Rejected":    func(s *pool.PoolStats) { s.Rejected++ },
		"Shed":        func(s *pool.PoolStats) { s.Shed++ },
		"FailedTasks": func(s *pool.PoolStats) { s.FailedTasks++ },
		"Dropped":     func(s *pool.PoolStats) { s.Dropped++ },
		"Retried":     func(s *pool.PoolStats) { s.Retried++ },
		"Redelivered": func(s *pool.PoolStats) { s.Redelivered++ },
		"Exited":      func(s *pool.PoolStats) { s.Exited++ },
		"Failed":      func(s *pool.PoolStats) { s.Failed++ },
		"Max":         func(s *pool.PoolStats) { s.Max = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			events, stats := story()
			spoil(&stats)
			require.Error(t, live(t, append(events, ended(stats))...).CheckFinal(false))
		})
	}
}

func TestMissedLegsMayBeWithoutAnEvent(t *testing.T) {
	events, stats := story()
	stats.Rejected++
	l := live(t, append(events, ended(stats))...)
	require.Error(t, l.CheckFinal(false))
	require.NoError(t, l.CheckFinal(true))
	stats.Rejected = 0
	require.Error(t, live(t, append(events, ended(stats))...).CheckFinal(true))
}

func TestAfterAGapOnlyWhatIsKnownIsHeld(t *testing.T) {
	events, stats := story()
	l := live(t, events[:2]...)
	l.Gap()
	require.NoError(t, l.Add(of(pool.PoolTaskRouted, 9)))
	require.NoError(t, l.Add(of(pool.PoolWorkerRemoved, 9)))
	require.Error(t, l.Add(of(pool.PoolWorkerRemoved, 9)), "not twice")
	require.NoError(t, l.Add(ended(stats)))
	assert.False(t, l.Whole())
	require.NoError(t, l.CheckFinal(false))
	require.Error(t, l.Add(of(pool.PoolTaskRouted, 0)), "the end is the end")
}
