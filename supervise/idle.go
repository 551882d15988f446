package supervise

import (
	"math"
	"time"
)

// idleEnds counts the places given up by workers that took no task, until they are filled again or a span
// has passed without another. Not safe for concurrent use.
type idleEnds struct {
	span  time.Duration
	count uint32
	last  time.Time
}

func (i *idleEnds) add(now time.Time) {
	i.forget(now)
	if i.count < math.MaxUint32 {
		i.count++
	}
	i.last = now
}

// take reports whether there is such a place, and takes it off the count.
func (i *idleEnds) take(now time.Time) bool {
	i.forget(now)
	if i.count == 0 {
		return false
	}
	i.count--
	return true
}

func (i *idleEnds) forget(now time.Time) {
	if now.Sub(i.last) > i.span {
		i.count = 0
	}
}

func (i *idleEnds) clear() { i.count = 0 }
