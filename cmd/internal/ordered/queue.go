package ordered

import (
	"context"
	"sync"
)

// Limits bounds what is between the reader and the sink.
type Limits struct {
	// Inputs is how many inputs may be there (inputs, at least 1).
	Inputs int
	// Bytes is how many bytes they and their results may take, as far as Admit can tell. One input is always let in (bytes).
	Bytes int64
}

// Sink takes the results, from one goroutine.
type Sink[T any] interface {
	// Emit takes the next result. An error ends the queue.
	Emit(number uint64, result T) error
	// Flush is called when no further result is ready.
	Flush() error
}

// Ticket is the place of one input in a queue.
type Ticket struct {
	Number   uint64 // of the input, from 1 on
	reserved int64
}

// Queue brings results into order. Safe for concurrent use.
type Queue[T any] struct {
	limits  Limits
	inOrder bool

	mu       sync.Mutex
	room     sync.Cond // held or bytes has fallen, or the queue has ended
	ready    sync.Cond // Run has something to do
	admitted uint64    // tickets given out
	emitted  uint64    // the last number that Run took, in order
	held     int       // tickets given out and not released
	bytes    int64     // reserved for unsettled tickets, and of results not released
	largest  int64     // the largest result so far: what each input is expected to need
	ring     []entry[T]
	settled  []entry[T] // what Run has not taken, out of order
	ended    bool       // no more tickets
	abandon  bool       // Run doesn't wait for unsettled tickets
}

type entry[T any] struct {
	number uint64 // 0: empty
	size   int64
	result T
}

// NewQueue returns a queue of results in order of their inputs, or as they come.
func NewQueue[T any](limits Limits, inOrder bool) *Queue[T] {
	q := &Queue[T]{limits: limits, inOrder: inOrder}
	q.room.L, q.ready.L = &q.mu, &q.mu
	if inOrder {
		q.ring = make([]entry[T], limits.Inputs)
	}
	return q
}

// Admit gives a ticket for the next input, of size bytes; it waits for room until ctx ends. Errors: ctx.Err(), ErrEnded.
func (q *Queue[T]) Admit(ctx context.Context, size int) (Ticket, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.fitsLocked(size) && !q.ended {
		stop := context.AfterFunc(ctx, q.wakeReader)
		defer stop()
		for !q.fitsLocked(size) && !q.ended && ctx.Err() == nil {
			q.room.Wait()
		}
	}
	switch {
	case q.ended:
		return Ticket{}, ErrEnded
	case ctx.Err() != nil:
		return Ticket{}, ctx.Err()
	}
	q.admitted++
	q.held++
	ticket := Ticket{Number: q.admitted, reserved: q.needLocked(size)}
	q.bytes += ticket.reserved
	return ticket, nil
}

// needLocked is what an input is expected to take: its own bytes, and as many for its result as the largest so far.
func (q *Queue[T]) needLocked(size int) int64 { return int64(size) + q.largest }

func (q *Queue[T]) fitsLocked(size int) bool {
	if q.held == 0 {
		return true
	}
	return q.held < q.limits.Inputs && q.bytes+q.needLocked(size) <= q.limits.Bytes
}

// wakeReader takes the lock so that a reader between its check and its wait can't miss the call.
func (q *Queue[T]) wakeReader() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.room.Broadcast()
}

// Settle gives the result of a ticket's input, of size bytes. It never waits. Each ticket is settled once; after Abandon or a
// failure of the sink the result is thrown away.
func (q *Queue[T]) Settle(ticket Ticket, size int, result T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.abandon {
		return
	}
	q.bytes += int64(size) - ticket.reserved
	q.largest = max(q.largest, int64(size))
	e := entry[T]{number: ticket.Number, size: int64(size), result: result}
	if q.inOrder {
		*q.slot(ticket.Number) = e
	} else {
		q.settled = append(q.settled, e)
	}
	if q.readyLocked() {
		q.ready.Signal()
	}
	q.room.Signal()
}

func (q *Queue[T]) slot(number uint64) *entry[T] { return &q.ring[number%uint64(len(q.ring))] }

// readyLocked reports whether Run can take a result.
func (q *Queue[T]) readyLocked() bool {
	if q.inOrder {
		return q.held > 0 && q.slot(q.emitted+1).number == q.emitted+1
	}
	return len(q.settled) > 0
}

// Close says that no more inputs come: Run returns when every ticket was settled and emitted.
func (q *Queue[T]) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.endLocked()
}

// Abandon ends the queue without waiting for the tickets that are not settled: Run emits the results that are here, in order,
// and returns.
func (q *Queue[T]) Abandon() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.abandon = true
	q.endLocked()
}

func (q *Queue[T]) endLocked() {
	q.ended = true
	q.room.Broadcast()
	q.ready.Broadcast()
}
