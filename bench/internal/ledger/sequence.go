package ledger

import (
	"fmt"
	"time"

	"github.com/JairusSW/pool"
)

// Sequence watches over the numbers of the events that one subscription gets.
//
// Not safe for concurrent use.
type Sequence struct {
	Lost    uint64 // events that were reported lost
	last    uint64
	started bool
	time    time.Time
}

// Next says what is wrong with the number or the time of the event that follows.
func (s *Sequence) Next(e *pool.PoolEvent) error {
	step := uint64(1)
	if e.Kind == pool.PoolEventsLost {
		step = e.Count
		s.Lost += e.Count
	}
	last, was := s.last, s.time
	s.last = e.Seq
	if e.Kind != pool.PoolEventsLost { // which has the time of its delivery
		s.time = e.Time
	}
	switch {
	case step == 0:
		return fmt.Errorf("no event was lost before event %d", e.Seq)
	case s.started && e.Seq != last+step:
		return fmt.Errorf("event %d (%v, count %d) follows event %d", e.Seq, e.Kind, e.Count, last)
	case s.time.Before(was):
		return fmt.Errorf("event %d is of %v, an earlier one of %v", e.Seq, e.Time, was)
	}
	s.started = true
	return nil
}
