package autoscale

import "time"

// DefaultDelay is how long a lower size has to hold unless told otherwise.
const DefaultDelay = 5 * time.Second

// Damper steadies the size of one pool. The size grows the moment more is wanted. It shrinks to the highest
// size wanted within the last delay, and only if that is a real change and not noise:
//
//   - either what is wanted hasn't risen within that time: the lower size has held;
//   - or it is lower than the present size by a quarter or more: it has gone up and down, but well
//     below.
//
// The first half is how the Kubernetes horizontal pod autoscaler stabilises scaling down: the highest
// recommendation of a window. By itself it lets noise through, since the highest of a window is a random
// number too. With the second, a load that jitters about a boundary keeps the workers it needs now and then
// instead of stopping and starting them all the time. The price is less than a third more workers than the
// highest number wanted, until the load is calm.
//
// Not safe for concurrent use; its owner guards it.
type Damper struct {
	delay time.Duration
	begun bool
	size  uint32
	want  uint32    // now
	rose  time.Time // when want last went up
	past  []held    // higher wants not older than delay: the highest and oldest first
}

// held is a size that was wanted up to a time.
type held struct {
	size  uint32
	until time.Time
}

// NewDamper returns a damper that lets the size shrink after delay; 0 lets it shrink at once. The size is
// the first that Want or Set is told.
//
// Safe for concurrent use.
func NewDamper(delay time.Duration) *Damper { return &Damper{delay: max(delay, 0)} }

// Want tells the damper that, from now on, want is the size wanted, and returns the size to have. While a
// lower size is wanted than that, pending is true and next is the first time at which, if nothing else is
// wanted meanwhile, the size will shrink: call again then. Otherwise no time of itself changes anything.
// Times must not go back.
//
// Not safe for concurrent use; its owner guards it.
func (d *Damper) Want(now time.Time, want uint32) (size uint32, next time.Time, pending bool) {
	if !d.begun || want >= d.size {
		d.grow(now, want)
		return d.size, time.Time{}, false
	}
	d.note(now, want)
	d.forget(now)
	if high := d.highest(); d.mayShrink(now, high) {
		d.size = high
	}
	if d.want == d.size {
		return d.size, time.Time{}, false
	}
	return d.size, d.next(), true
}

// Set makes size the size at once, whatever was wanted before, as if it had been wanted until now: the next
// Want grows at once or begins a delay. It is for a size that somebody asks for by name, and for one that a
// [Share] cut down.
//
// Not safe for concurrent use; its owner guards it.
func (d *Damper) Set(now time.Time, size uint32) {
	d.begun, d.size, d.want, d.rose, d.past = true, size, size, now, d.past[:0]
}

func (d *Damper) grow(now time.Time, want uint32) {
	if want > d.want || !d.begun {
		d.rose = now
	}
	d.begun, d.size, d.want, d.past = true, want, want, d.past[:0]
}

// note remembers what was wanted until now. A lower size that was wanted earlier no longer matters.
func (d *Damper) note(now time.Time, want uint32) {
	if want == d.want {
		return
	}
	high := max(want, d.want)
	for len(d.past) > 0 && d.past[len(d.past)-1].size <= high {
		d.past = d.past[:len(d.past)-1]
	}
	if want < d.want {
		d.past = append(d.past, held{size: d.want, until: now})
	} else {
		d.rose = now
	}
	d.want = want
}

func (d *Damper) forget(now time.Time) {
	gone := 0
	for gone < len(d.past) && !d.past[gone].until.Add(d.delay).After(now) {
		gone++
	}
	if gone > 0 {
		d.past = append(d.past[:0], d.past[gone:]...)
	}
}

func (d *Damper) highest() uint32 {
	if len(d.past) > 0 {
		return d.past[0].size
	}
	return d.want
}

// mayShrink reports whether the size may become high, the highest wanted within the delay, at a time.
func (d *Damper) mayShrink(at time.Time, high uint32) bool {
	return high < d.size && (wellBelow(high, d.size) || !d.calm().After(at))
}

// calm returns the time from which what is wanted hasn't risen for the delay.
func (d *Damper) calm() time.Time { return d.rose.Add(d.delay) }

func wellBelow(low, size uint32) bool { return 4*uint64(low) <= 3*uint64(size) }

// next returns when the size shrinks if want stays what it is, below the size.
func (d *Damper) next() time.Time {
	calm := d.calm()
	for i, p := range d.past {
		at, high := p.until.Add(d.delay), d.want
		if i+1 < len(d.past) {
			high = d.past[i+1].size
		}
		if p.size < d.size && calm.Before(at) {
			return calm
		}
		if d.mayShrink(at, high) {
			return at
		}
	}
	return calm
}
