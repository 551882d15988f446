package events

// DefaultCapacity is the number of events that wait for one observer before events are lost.
const DefaultCapacity = 1024

// Config says how a bus handles its events. The zero Config is valid.
//
// The functions are called with the bus locked or in the way of a delivery: they must be short, must not panic,
// and must not call the bus or take a lock that is held around Publish.
//
// Not safe for concurrent use once given to New: leave it alone.
type Config[E any] struct {
	// Capacity is how many events may wait for one observer; the one it is looking at isn't counted. A queue takes
	// memory as it first fills: at most Capacity times the size of an event and a word, and keeps it until the
	// subscription ends. Zero or less means DefaultCapacity (events).
	Capacity int

	// Stamp writes the sequence number into an event. It runs once per event, in the order of the numbers, so
	// what else it writes (a time, say) has that order too. Nil leaves events as they were published.
	Stamp func(e *E, seq uint64)

	// Lost makes the event that stands where count events are missing, the last of them numbered lastSeq. It isn't
	// stamped. It is called on the goroutine of the subscription, so for several at a time. Nil means that
	// observers aren't told of gaps, and have to see them in the numbers.
	Lost func(count, lastSeq uint64) E

	// Expendable tells the events to give up first: they are lost when the queue is 7/8 full, the others when it
	// is full. It is asked only from 7/8 full. Nil means that no event is.
	Expendable func(e *E) bool
}

// normalize returns the configuration with its defaults filled in.
func (c Config[E]) normalize() Config[E] {
	if c.Capacity <= 0 {
		c.Capacity = DefaultCapacity
	}
	return c
}
