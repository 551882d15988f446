package ledger_test

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/ledger"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestATagSaysWhatItWasMadeOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := pool.PoolID(rapid.Uint64Range(1, uint64(ledger.MaxPool)).Draw(t, "pool"))
		first, later := rapid.Uint8().Draw(t, "first"), rapid.Uint8Max(254).Draw(t, "later")
		b := ledger.NewBook(id, ledger.Shape{})
		for n := range rapid.Uint32Range(1, 5).Draw(t, "tasks") {
			tag := b.Draft(first, later).Tag
			if tag == 0 || tag.Pool() != id || tag.Serial() != n+1 || tag.Broadcast() {
				t.Fatalf("tag %#x: pool %d, task %d", uint64(tag), tag.Pool(), tag.Serial())
			}
			if tag.Act(1) != first || tag.Act(2) != later || tag.Act(3) != later {
				t.Fatalf("tag %#x: acts %d, %d", uint64(tag), tag.Act(1), tag.Act(2))
			}
		}
	})
}

func TestWhatMustNotHappenToATaskIsFound(t *testing.T) {
	for name, do := range map[string]func(b *ledger.Book) error{
		"it runs after it was refused": func(b *ledger.Book) error {
			d := b.Draft(reply, reply)
			_ = d.Refused()
			return take(b, d.Tag, 1, 1)
		},
		"it is refused while it runs": func(b *ledger.Book) error {
			d := b.Draft(reply, reply)
			_ = take(b, d.Tag, 1, 1)
			return d.Away()
		},
		"its wait ended and it runs": func(b *ledger.Book) error {
			d := b.Draft(reply, reply)
			_ = take(b, d.Tag, 1, 1)
			return d.Unclear()
		},
		"it runs again after it was finished": func(b *ledger.Book) error {
			d := b.Draft(reply, reply)
			_ = take(b, d.Tag, 1, 1)
			_ = b.Finish(d.Tag, 1)
			return take(b, d.Tag, 2, 2)
		},
		"it runs more often than it may": func(b *ledger.Book) error {
			d := b.Draft(trap, trap)
			_ = take(b, d.Tag, 1, 1)
			_ = take(b, d.Tag, 2, 2)
			return take(b, d.Tag, 3, 3)
		},
		"its guest is told a number that it had before": func(b *ledger.Book) error {
			d := b.Draft(trap, trap)
			_ = take(b, d.Tag, 1, 1)
			return take(b, d.Tag, 1, 2)
		},
		"its guest is told a number that is too high": func(b *ledger.Book) error {
			return take(b, b.Draft(trap, trap).Tag, 3, 1)
		},
		"it is finished twice": func(b *ledger.Book) error {
			d := b.Draft(reply, reply)
			_ = take(b, d.Tag, 1, 1)
			_ = b.Finish(d.Tag, 1)
			return b.Finish(d.Tag, 1)
		},
		"it is finished by another": func(b *ledger.Book) error {
			d := b.Draft(reply, reply)
			_ = take(b, d.Tag, 1, 1)
			return b.Finish(d.Tag, 2)
		},
		"its call has a result and nobody had it": func(b *ledger.Book) error { return b.Draft(reply, reply).Ended(true) },
		"a broadcast goes to too many":            func(b *ledger.Book) error { return b.DraftBroadcast(reply).Legs(4) },
		"a leg runs after it was refused": func(b *ledger.Book) error {
			d := b.DraftBroadcast(reply)
			_ = d.Refused()
			return take(b, d.Tag, 1, 1)
		},
		"a leg is tried again": func(b *ledger.Book) error {
			d := b.DraftBroadcast(reply)
			_ = take(b, d.Tag, 1, 1)
			return take(b, d.Tag, 2, 2)
		},
	} {
		t.Run(name, func(t *testing.T) { require.Error(t, do(open())) })
	}
}

func TestATaskThatHadEndedIsToldFromTheOthers(t *testing.T) {
	b := open()
	failed, told := b.Draft(reply, reply), b.Draft(reply, reply)
	require.NoError(t, take(b, failed.Tag, 1, 1))
	require.NoError(t, b.Fail(failed.Tag, 1))
	require.ErrorIs(t, take(b, failed.Tag, 2, 2), ledger.ErrEnded)
	require.NoError(t, told.Ended(false))
	require.ErrorIs(t, take(b, told.Tag, 1, 1), ledger.ErrEnded)
}

func TestWhatMayHappenToATaskIsNoError(t *testing.T) {
	b := open()
	d := b.Draft(trap, reply)
	d.Accepted()
	require.NoError(t, take(b, d.Tag, 1, 1))
	n, before, err := b.Take(d.Tag, 2, 2, func(uint32) bool { return false })
	require.NoError(t, err)
	assert.EqualValues(t, 2, n)
	assert.EqualValues(t, 1, before, "who had it")
	assert.EqualValues(t, 2, d.TakenBy())
	require.NoError(t, b.Finish(d.Tag, 2))
	legs := b.DraftBroadcast(reply)
	require.NoError(t, legs.Legs(2))
	for worker := range pool.WorkerID(2) {
		require.NoError(t, take(b, legs.Tag, 1, worker+1))
		require.NoError(t, b.Finish(legs.Tag, worker+1))
	}
	raw := b.Draft(reply, reply)
	raw.Accepted()
	require.NoError(t, take(b, raw.Tag, 0, 1), "a raw worker is told no number")
}

func TestAttemptsThatNoGuestSawAreKnownByTheNextOnesNumber(t *testing.T) {
	b := open()
	d := b.Draft(reply, reply)
	require.NoError(t, take(b, d.Tag, 2, 1))
	assert.EqualValues(t, 1, b.Counts().Skipped)
	assert.EqualValues(t, 1, b.Counts().Takes)
}

func TestCountsAreWhatCallersAndGuestsSaid(t *testing.T) {
	b, _ := busy(t)
	assert.Equal(t, ledger.Counts{
		Begun: 14, Accepted: 10, Away: 4, Refused: 3, Takes: 8, Soft: 1, Finished: 5, Failed: 1,
	}, b.Counts())
	d := b.DraftBroadcast(reply)
	assert.EqualValues(t, 14+3, b.Counts().Begun, "as many as workers there can be")
	require.NoError(t, d.Legs(2))
	assert.EqualValues(t, 12, b.Counts().Accepted)
	assert.EqualValues(t, 5, b.Counts().Away)
	b.Draft(reply, reply).AcceptedOrShed()
	b.Stray()
	assert.EqualValues(t, 1, b.Counts().MaybeShed)
	assert.EqualValues(t, 1, b.Counts().Strays)
}

func TestABookIsKeptByManyHammer(t *testing.T) {
	b := open()
	const each = 3000 // over several chunks of words
	done := make(chan error, 8)
	for worker := range pool.WorkerID(cap(done)) {
		go func() {
			for range each {
				d := b.Draft(reply, reply)
				d.Accepted()
				if err := take(b, d.Tag, 1, worker+1); err != nil {
					done <- err
					return
				}
				if err := b.Finish(d.Tag, worker+1); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range cap(done) {
		require.NoError(t, <-done)
	}
	n := uint64(each * cap(done))
	assert.Equal(t, ledger.Counts{Begun: n, Accepted: n, Takes: n, Finished: n}, b.Counts())
}
