package ordered_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/JairusSW/pool/cmd/internal/ordered"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tape is a sink that remembers what it was given.
type tape struct {
	mu      sync.Mutex
	numbers []uint64
	flushes int
	gate    chan struct{} // nil, or what each Emit waits for
	err     error
}

func (s *tape) Emit(number uint64, result int) error {
	if s.gate != nil {
		<-s.gate
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if result != int(number)*10 {
		return errors.New("another input's result")
	}
	s.numbers = append(s.numbers, number)
	return s.err
}

func (s *tape) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flushes++
	return nil
}

func (s *tape) seen() []uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]uint64(nil), s.numbers...)
}

func run(q *ordered.Queue[int], sink ordered.Sink[int]) <-chan error {
	done := make(chan error, 1)
	go func() { done <- q.Run(sink) }()
	return done
}

func admit(t *testing.T, q *ordered.Queue[int], n, size int) []ordered.Ticket {
	t.Helper()
	tickets := make([]ordered.Ticket, n)
	for i := range tickets {
		ticket, err := q.Admit(t.Context(), size)
		require.NoError(t, err)
		tickets[i] = ticket
	}
	return tickets
}

func settle(q *ordered.Queue[int], ticket ordered.Ticket, size int) {
	q.Settle(ticket, size, int(ticket.Number)*10)
}

func TestResultsComeInOrderOfTheirInputs(t *testing.T) {
	q, sink := ordered.NewQueue[int](ordered.Limits{Inputs: 8, Bytes: 1 << 20}, true), &tape{}
	done := run(q, sink)
	tickets := admit(t, q, 5, 1)
	for _, i := range []int{4, 1, 0, 3, 2} {
		settle(q, tickets[i], 1)
	}
	q.Close()
	require.NoError(t, <-done)
	assert.Equal(t, []uint64{1, 2, 3, 4, 5}, sink.seen())
	assert.Positive(t, sink.flushes)
}

func TestResultsComeAsTheyAreWhenOrderIsNotAsked(t *testing.T) {
	q, sink := ordered.NewQueue[int](ordered.Limits{Inputs: 8, Bytes: 1 << 20}, false), &tape{}
	done := run(q, sink)
	tickets := admit(t, q, 3, 1)
	for _, i := range []int{2, 0, 1} {
		settle(q, tickets[i], 1)
	}
	q.Close()
	require.NoError(t, <-done)
	assert.Equal(t, []uint64{3, 1, 2}, sink.seen())
}

func TestEveryInputComesOnceWhateverTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inputs := rapid.IntRange(1, 9).Draw(t, "inputs")
		inOrder := rapid.Bool().Draw(t, "in order")
		n := rapid.IntRange(0, 60).Draw(t, "n")
		seed := rapid.Uint64().Draw(t, "seed")
		q, sink := ordered.NewQueue[int](ordered.Limits{Inputs: inputs, Bytes: 40}, inOrder), &tape{}
		done := run(q, sink)
		hammer(q, n, seed)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		seen := make(map[uint64]bool)
		for i, number := range sink.seen() {
			if inOrder && number != uint64(i)+1 {
				t.Fatalf("%d at position %d", number, i)
			}
			seen[number] = true
		}
		if len(seen) != n || len(sink.seen()) != n {
			t.Fatalf("%d of %d inputs in %d results", len(seen), n, len(sink.seen()))
		}
	})
}

// hammer has four goroutines settle n inputs of random size and closes the queue.
func hammer(q *ordered.Queue[int], n int, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 1))
	work := make(chan ordered.Ticket)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for ticket := range work {
				settle(q, ticket, int(ticket.Number%23))
			}
		})
	}
	for range n {
		ticket, err := q.Admit(context.Background(), random.IntN(50))
		if err != nil {
			panic(err)
		}
		work <- ticket
	}
	close(work)
	workers.Wait()
	q.Close()
}

func TestQueueHammer(t *testing.T) {
	n := 200_000
	if testing.Short() {
		n = 20_000
	}
	q, sink := ordered.NewQueue[int](ordered.Limits{Inputs: 64, Bytes: 1000}, true), &tape{}
	done := run(q, sink)
	hammer(q, n, 7)
	require.NoError(t, <-done)
	require.Len(t, sink.seen(), n)
	for i, number := range sink.seen() {
		require.EqualValues(t, i+1, number)
	}
}

func TestAdmitWaitsForThePlaceOfAnInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, sink := ordered.NewQueue[int](ordered.Limits{Inputs: 2, Bytes: 1 << 20}, true), &tape{}
		done := run(q, sink)
		tickets := admit(t, q, 2, 1)
		third := make(chan ordered.Ticket, 1)
		go func() { third <- admit(t, q, 1, 1)[0] }()
		settle(q, tickets[1], 1) // the first is missing: nothing can be emitted
		synctest.Wait()
		require.Empty(t, third)
		settle(q, tickets[0], 1)
		settle(q, <-third, 1)
		q.Close()
		require.NoError(t, <-done)
	})
}

func TestAdmitCountsBytesOfInputsAndOfResultsThatWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, sink := ordered.NewQueue[int](ordered.Limits{Inputs: 100, Bytes: 100}, true), &tape{}
		done := run(q, sink)
		tickets := admit(t, q, 2, 40)
		third := make(chan ordered.Ticket, 1)
		go func() { third <- admit(t, q, 1, 40)[0] }()
		synctest.Wait()
		require.Empty(t, third, "40 + 40 + 40 bytes of inputs")
		settle(q, tickets[1], 60)
		synctest.Wait()
		require.Empty(t, third, "a result of 60 bytes waits for the first, and the next may be as large")
		settle(q, tickets[0], 5)
		settle(q, <-third, 5)
		q.Close()
		require.NoError(t, <-done)
	})
}

func TestOneInputIsAlwaysLetIn(t *testing.T) {
	q, sink := ordered.NewQueue[int](ordered.Limits{Inputs: 4, Bytes: 10}, true), &tape{}
	done := run(q, sink)
	for range 3 {
		settle(q, admit(t, q, 1, 1000)[0], 5000)
	}
	q.Close()
	require.NoError(t, <-done)
	assert.Equal(t, []uint64{1, 2, 3}, sink.seen())
}

func TestAdmitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := ordered.NewQueue[int](ordered.Limits{Inputs: 1, Bytes: 10}, true)
		admit(t, q, 1, 1)
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() {
			_, err := q.Admit(ctx, 1)
			failed <- err
		}()
		synctest.Wait()
		cancel()
		assert.ErrorIs(t, <-failed, context.Canceled)
	})
}

func TestAbandonEmitsWhatIsThereInOrderAndDoesNotWait(t *testing.T) {
	for name, inOrder := range map[string]bool{"in order": true, "as they come": false} {
		t.Run(name, func(t *testing.T) {
			q, sink := ordered.NewQueue[int](ordered.Limits{Inputs: 8, Bytes: 1 << 20}, inOrder), &tape{}
			tickets := admit(t, q, 5, 1)
			settle(q, tickets[1], 1)
			settle(q, tickets[3], 1)
			q.Abandon()
			settle(q, tickets[4], 1) // too late
			require.NoError(t, q.Run(sink))
			assert.Equal(t, []uint64{2, 4}, sink.seen())
			_, err := q.Admit(t.Context(), 1)
			assert.ErrorIs(t, err, ordered.ErrEnded)
		})
	}
}

func TestAFailingSinkEndsTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := errors.New("disk full")
		q, sink := ordered.NewQueue[int](ordered.Limits{Inputs: 1, Bytes: 10}, true), &tape{err: full}
		done := run(q, sink)
		settle(q, admit(t, q, 1, 1)[0], 1)
		require.ErrorIs(t, <-done, full)
		_, err := q.Admit(t.Context(), 1)
		assert.ErrorIs(t, err, ordered.ErrEnded)
	})
}

func TestSettleNeverWaitsForASlowSink(t *testing.T) {
	q, sink := ordered.NewQueue[int](ordered.Limits{Inputs: 4, Bytes: 100}, true), &tape{gate: make(chan struct{})}
	done := run(q, sink)
	for _, ticket := range admit(t, q, 4, 1) {
		settle(q, ticket, 1)
	}
	close(sink.gate)
	q.Close()
	require.NoError(t, <-done)
	assert.Equal(t, []uint64{1, 2, 3, 4}, sink.seen())
}

func BenchmarkQueue(b *testing.B) {
	q := ordered.NewQueue[int](ordered.Limits{Inputs: 1024, Bytes: 1 << 20}, true)
	done := run(q, discard{})
	b.ReportAllocs()
	for b.Loop() {
		ticket, _ := q.Admit(context.Background(), 10)
		q.Settle(ticket, 10, 0)
	}
	q.Close()
	<-done
}

type discard struct{}

func (discard) Emit(uint64, int) error { return nil }
func (discard) Flush() error           { return nil }
