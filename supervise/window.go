package supervise

import "time"

// exact is the largest number of events a window keeps apart.
const exact = 4096

// window counts the events of the last span, the span's end included, up to a limit. Not safe for
// concurrent use.
type window struct {
	limit   uint32
	span    time.Duration
	grain   time.Duration // events less than this apart are remembered as one time, the later
	count   uint32        // of all events in bunches
	bunches []bunch       // oldest first
}

// bunch is a number of events that leave the window together.
type bunch struct {
	first, last time.Time
	count       uint32
}

func newWindow(limit uint32, span time.Duration) window {
	w := window{limit: limit, span: span}
	switch {
	case span == Lifetime:
		w.grain = span
	case limit > exact:
		w.grain = span / exact
	}
	return w
}

// add counts an event at now and reports whether it is within the limit; one that isn't is not counted.
func (w *window) add(now time.Time) bool {
	w.forget(now)
	if w.count == w.limit {
		return false
	}
	w.count++
	if i := len(w.bunches) - 1; i >= 0 && now.Sub(w.bunches[i].first) < w.grain {
		w.bunches[i].last = now
		w.bunches[i].count++
		return true
	}
	w.bunches = append(w.bunches, bunch{first: now, last: now, count: 1})
	return true
}

// forget drops what is older than the span. Nothing is older than a Lifetime: differences of times end
// there.
func (w *window) forget(now time.Time) {
	gone := 0
	for gone < len(w.bunches) && now.Sub(w.bunches[gone].last) > w.span {
		w.count -= w.bunches[gone].count
		gone++
	}
	if gone > 0 {
		w.bunches = append(w.bunches[:0], w.bunches[gone:]...)
	}
}

func (w *window) clear() { w.count, w.bunches = 0, w.bunches[:0] }
