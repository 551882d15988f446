package strategy

import (
	"math/bits"
	"sync/atomic"
)

const (
	// block is how many of the others a spill looks at to find its next: as many as a Walk can tick off.
	block = 64
	// claims bounds how often a pick that lost the race for its turn looks for the next one.
	claims = 8
)

// leastLoaded takes the eligible slot with the lowest load. Among equals it takes the next in circular
// order behind the slot chosen last, so ties go round whoever else is busy.
//
// A spill takes the others 64 at a time, in circular order behind the slot chosen first, and of those each
// time the one with the lowest load then that it hasn't taken yet. So up to 65 slots come in ascending
// order. Loads that move meanwhile move the order, but no slot comes twice or is left out; and a step costs
// the same however many slots there are.
type leastLoaded struct{}

var _ Picker = leastLoaded{}

func (leastLoaded) View(prev *View, entries []Entry) *View {
	v := newView(prev, entries)
	if prev != nil {
		last := prev.last
		if next := prev.cursor.Load(); next != prev.start {
			n := uint64(len(prev.eligible))
			last = prev.slotAt((next + n - 1) % n)
		}
		v.resumeAfter(last)
	}
	v.cursor.Store(v.start)
	return v
}

func (leastLoaded) First(v *View, _ uint64) (int, Walk) {
	n := uint64(len(v.loads))
	if n == 0 {
		return -1, Walk{}
	}
	start := v.cursor.Load()
	at, low := v.lowest(start)
	for range claims {
		next := at + 1
		if next == n {
			next = 0
		}
		if v.cursor.CompareAndSwap(start, next) {
			break
		}
		// Another pick took this turn: the next equal in the circle is ours, without looking at all loads
		// again.
		start = v.cursor.Load()
		equal, found := v.atMost(start, low)
		if !found {
			break
		}
		at = equal
	}
	return v.choose(uint32(at))
}

func (leastLoaded) Next(v *View, w Walk) (int, Walk) {
	if w.left == 0 {
		return -1, w
	}
	taken := (w.step - 1) % block
	if taken == 0 {
		w.memo = 0
	}
	// The block in hand begins behind the blocks that are through; the last one may be short.
	begin := v.wrap(w.at + w.step - taken)
	place := v.lowestUnseen(begin, min(taken+w.left, block), w.memo)
	w.memo |= 1 << place
	w.step++
	w.left--
	return int(v.eligible[v.wrap(begin+place)]), w
}

// lowest returns the first index from start, in circular order, with the lowest load. Nothing beats an idle
// slot, so the first of those ends the search.
func (v *View) lowest(start uint64) (at uint64, low int64) {
	at, low = start, v.loads[start].Load()
	if low > 0 {
		at, low = lower(v.loads[start+1:], start+1, at, low)
	}
	if low > 0 {
		at, low = lower(v.loads[:start], 0, at, low)
	}
	return at, low
}

func lower(loads []*atomic.Int64, base, at uint64, low int64) (uint64, int64) {
	for i, load := range loads {
		if l := load.Load(); l < low {
			at, low = base+uint64(i), l
			if l <= 0 {
				break
			}
		}
	}
	return at, low
}

// atMost returns the first index from start, in circular order, with a load of low or less.
func (v *View) atMost(start uint64, low int64) (at uint64, found bool) {
	n := uint64(len(v.loads))
	for i := range n {
		if at = (start + i) % n; v.loads[at].Load() <= low {
			return at, true
		}
	}
	return 0, false
}

// lowestUnseen returns which of the size indexes from begin, in circular order, has the lowest load of
// those not seen. There is one.
func (v *View) lowestUnseen(begin, size uint32, seen uint64) uint32 {
	place := uint32(bits.TrailingZeros64(^seen))
	low := v.loads[v.wrap(begin+place)].Load()
	for i := place + 1; i < size && low > 0; i++ {
		if seen>>i&1 == 1 {
			continue
		}
		if l := v.loads[v.wrap(begin+i)].Load(); l < low {
			place, low = i, l
		}
	}
	return place
}
