package supervise

import (
	"math/rand/v2"
	"time"
)

// delay keeps the time before which nothing is to be started. Not safe for concurrent use.
type delay struct {
	config Backoff
	span   time.Duration
	random *rand.Rand
	row    uint      // failures with less than a span between them
	last   time.Time // the latest failure
	until  time.Time
}

// failed draws the delay that follows a failure at now. A delay that is already running is never cut short.
func (d *delay) failed(now time.Time) {
	if d.config.Base == 0 {
		return
	}
	if now.Sub(d.last) > d.span {
		d.row = 0
	}
	until := now.Add(time.Duration(d.random.Uint64N(uint64(d.config.ceiling(d.row)) + 1)))
	if until.After(d.until) {
		d.until = until
	}
	d.row++
	d.last = now
}

func (d *delay) clear() { d.row, d.until = 0, time.Time{} }

// ceiling returns the lesser of Max and Base·2ⁿ.
func (b Backoff) ceiling(n uint) time.Duration {
	for ; n > 0 && b.Base <= b.Max/2; n-- {
		b.Base *= 2
	}
	if n > 0 {
		return b.Max
	}
	return min(b.Base, b.Max)
}
