package ledger_test

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/ledger"
	"github.com/stretchr/testify/require"
)

// What the tests' guests do: the numbers mean nothing but here.
const (
	reply uint8 = iota
	goOn
	trap
)

// open is a book of pool 7 with one retry.
func open() *ledger.Book {
	return ledger.NewBook(7, ledger.Shape{Retries: 1, Queue: 4, Max: 3})
}

// take has a worker take a task.
func take(b *ledger.Book, tag ledger.Tag, attempt uint32, worker pool.WorkerID) error {
	_, _, err := b.Take(tag, attempt, worker, func(n uint32) bool { return tag.Act(n) == goOn })
	return err
}

// busy is a book with something of everything, and the Stats that agree with it: 10 tasks accepted, 3 calls refused, 6 tasks
// finished, one of them by a worker that only went on, one failed by its guest, one in hand, two in mailboxes.
func busy(t *testing.T) (*ledger.Book, pool.PoolStats) {
	t.Helper()
	b := open()
	for range 3 {
		require.NoError(t, b.Draft(reply, reply).Refused())
	}
	require.NoError(t, b.Draft(reply, reply).Away())
	for n := range 10 {
		act := reply
		if n == 5 {
			act = goOn
		}
		d := b.Draft(act, act)
		d.Accepted()
		if n < 8 {
			require.NoError(t, take(b, d.Tag, 1, 11))
		}
		switch {
		case n < 5:
			require.NoError(t, b.Finish(d.Tag, 11))
		case n == 6:
			require.NoError(t, b.Fail(d.Tag, 11))
		}
	}
	return b, pool.PoolStats{
		Pool: 7, Live: 1, Desired: 1, Min: 1, Max: 3, Submitted: 13, Routed: 10, Rejected: 3,
		Done: 6, FailedTasks: 1, Queued: 2, Outstanding: 2, Running: 1,
		Workers: []pool.WorkerStat{{ID: 11, Enqueued: 10, Dispatched: 8, Outstanding: 2, Running: 1}},
	}
}

// rested is a book whose pool has nothing to do any more, and the Stats that agree with it.
func rested(t *testing.T) (*ledger.Book, pool.PoolStats) {
	t.Helper()
	b := open()
	d := b.Draft(trap, reply)
	d.Accepted()
	require.NoError(t, take(b, d.Tag, 1, 11))
	require.NoError(t, take(b, d.Tag, 2, 12))
	require.NoError(t, b.Finish(d.Tag, 12))
	b.Draft(reply, reply).Accepted() // dropped
	require.NoError(t, b.Draft(reply, reply).Refused())
	require.NoError(t, b.Draft(reply, reply).Unclear())
	return b, pool.PoolStats{
		Pool: 7, Min: 1, Max: 3, Submitted: 3, Routed: 2, Rejected: 1, Done: 1, Dropped: 1, Retried: 1,
		Restarted: 1, Exited: 2, Failed: 1, LastExit: pool.WorkerExit{Worker: 12},
	}
}
