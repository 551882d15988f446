package measure

import (
	"fmt"
	"runtime"
	"time"
)

// Timed does an operation n times and returns how long the operations took, without what it made ready for them.
type Timed func(n int) (time.Duration, error)

// Meter is a Timed with the number of operations that fill a side of a round.
type Meter struct {
	run Timed
	n   int
}

// maxOperations bounds a side of a round, for operations that seem to take no time.
const maxOperations = 1 << 30

// Meter finds out how many operations fill a side of a round; doing so also warms everything up.
func (b *Bench) Meter(run Timed) (*Meter, error) {
	for n := 1; ; {
		took, err := run(n)
		if err == nil && took >= b.Effort.Length {
			took, err = faster(took, run, n)
		}
		if err != nil {
			return nil, err
		}
		if took >= b.Effort.Length || n >= maxOperations {
			return &Meter{run: run, n: n}, nil
		}
		if err := b.Context.Err(); err != nil {
			return nil, err
		}
		n = enough(n, took, b.Effort.Length)
	}
}

// faster runs n operations again: a machine that was busy elsewhere for a moment makes few of them seem to be enough.
func faster(took time.Duration, run Timed, n int) (time.Duration, error) {
	again, err := run(n)
	return min(took, again), err
}

// enough guesses how many operations take that long, a fifth more than it seems, and at most a hundred times as many as were
// tried.
func enough(n int, took, length time.Duration) int {
	guess := 100 * n
	if took > 0 {
		guess = min(guess, int(1.2*float64(n)*float64(length)/float64(took)))
	}
	return max(guess, n+1)
}

// Cost runs the operations and returns what one took (nanoseconds). The garbage of whatever ran before is collected first, so
// that every side pays for its own.
func (m *Meter) Cost() (float64, error) {
	runtime.GC()
	took, err := m.run(m.n)
	if err != nil {
		return 0, err
	}
	if took <= 0 {
		return 0, fmt.Errorf("%d operations took no time", m.n)
	}
	return float64(took) / float64(m.n), nil
}

// Clock times f.
func Clock(f func() error) (time.Duration, error) {
	start := time.Now()
	err := f()
	return time.Since(start), err
}
