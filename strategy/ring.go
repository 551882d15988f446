package strategy

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
)

// ring is a circle of hashes cut by points, each owned by the slot that put it there. A key belongs to the
// first point behind its own hash.
type ring struct {
	slots  []uint32 // that have points, ascending: owners are positions in it
	points []point  // in order
	gaps   []uint32 // of each point: how many points back its owner's point before lies, around the circle

	// for look-ups
	index     []uint32 // by the upper bits of a hash: the first point that has those or higher ones
	width     uint8    // how many bits those are
	digests   []uint32 // of each point
	ownerBits uint8    // of a digest
}

// point is one cut of the ring: the upper bits of a hash, and below them its owner, a position in the
// entries. So points are in order of hash and, should two be equal, of owner: the map of keys never depends
// on the order in which slots came. Eight of them fill a cache line.
type point uint64

const (
	ownerBits = 20
	ownerMask = 1<<ownerBits - 1
)

func pointAt(hash uint64, owner uint32) point { return point(hash&^ownerMask | uint64(owner)) }

func (p point) owner() uint32 { return uint32(p & ownerMask) }

// ownedBy is the same cut as another owner's.
func (p point) ownedBy(owner uint32) point { return p&^ownerMask | point(owner) }

// hashPoint places point i of a slot; hashKey places a key. Both are one-to-one for a given seed, so two
// hashes are hardly ever equal in the bits that a point keeps. A key can equal a point, and small keys do
// (key i is where point i of slot 0 is): that is why a key belongs to the point behind it, and not to the
// one it may have hit.
func hashPoint(seed uint64, slot, i uint32) uint64 {
	return mix(seed ^ mix(uint64(slot)<<32|uint64(i)))
}
func hashKey(seed, key uint64) uint64 { return mix(seed ^ mix(key)) }

// ring returns the ring of the entries' slots: the old one if they are the same, else one made from it with
// the points of slots that went left out and those of new slots merged in.
func (p consistentHash) ring(old *ring, entries []Entry) *ring {
	if len(entries) > 1<<ownerBits {
		panic(fmt.Sprintf("strategy: %d entries: a hash ring has room for %d", len(entries), 1<<ownerBits))
	}
	slots := make([]uint32, len(entries))
	for i := range entries {
		slots[i] = entries[i].Slot
	}
	if old == nil {
		old = &ring{}
	} else if slices.Equal(old.slots, slots) {
		return old
	}
	kept, fresh := old.keep(slots)
	if len(kept) > 0 && len(kept) < len(fresh)*int(p.replicas)/8 { // few: it is cheaper to make them again than to merge
		kept, fresh = (&ring{}).keep(slots)
	}
	r := newRing(slots, merge(kept, sortPoints(len(fresh)*int(p.replicas), p.points(slots, fresh))))
	r.measureGaps()
	return r
}

// newRing returns the ring of points that are in order, ready for look-ups but not yet for walks.
func newRing(slots []uint32, points []point) *ring {
	width := indexWidth(len(points))
	r := &ring{
		slots: slots, points: points,
		index: buildIndex(points, width), width: uint8(width),
		digests: make([]uint32, len(points)), ownerBits: uint8(bits.Len(uint(len(slots)))),
	}
	for i, p := range points {
		r.digests[i] = r.digest(uint64(p), p.owner())
	}
	return r
}

// digest is a point in half the bytes, so that more of the ring fits into a cache: of the hash what follows
// the bits that the index has, as much as there is room for above the owner. In one cell digests are in
// order.
func (r *ring) digest(hash uint64, owner uint32) uint32 {
	return uint32(hash<<(r.width&63)>>((32+r.ownerBits)&63))<<(r.ownerBits&31) | owner
}

// owner is a point's.
func (r *ring) owner(at uint32) uint32 { return r.digests[at] & (1<<(r.ownerBits&31) - 1) }

// points are those of some of the slots, in no order.
func (p consistentHash) points(slots, owners []uint32) iter.Seq[point] {
	return func(yield func(point) bool) {
		for _, owner := range owners {
			for i := range p.replicas {
				if !yield(pointAt(hashPoint(p.seed, slots[owner], i), owner)) {
					return
				}
			}
		}
	}
}

// keep returns the points of slots that stay, owned by their new positions, and the positions of slots that
// are new.
func (r *ring) keep(slots []uint32) (kept []point, fresh []uint32) {
	moved := make([]int64, len(r.slots))
	for i := range moved {
		moved[i] = -1
	}
	for owner, slot := range slots {
		if i, found := slices.BinarySearch(r.slots, slot); found {
			moved[i] = int64(owner)
		} else {
			fresh = append(fresh, uint32(owner))
		}
	}
	kept = make([]point, 0, len(r.points))
	for _, p := range r.points {
		if owner := moved[p.owner()]; owner >= 0 {
			kept = append(kept, p.ownedBy(uint32(owner)))
		}
	}
	return kept, fresh
}

func (r *ring) measureGaps() {
	type pair struct{ first, last uint32 } // an owner's points so far, counted from 1
	seen := make([]pair, len(r.slots))
	r.gaps = make([]uint32, len(r.points))
	for i, p := range r.points {
		here := uint32(i) + 1
		if s := &seen[p.owner()]; s.last == 0 {
			s.first, s.last = here, here
		} else {
			r.gaps[i], s.last = here-s.last, here
		}
	}
	for _, s := range seen {
		r.gaps[s.first-1] = s.first + uint32(len(r.points)) - s.last
	}
}

// find returns the first point behind hash.
func (r *ring) find(hash uint64) uint32 {
	cell := hash >> ((64 - r.width) & 63)
	first := r.index[cell]
	digests := r.digests[first:r.index[cell+1]]
	low := r.digest(hash, 0)
	high := low | (1<<(r.ownerBits&31) - 1)
	n := 0
	for n < len(digests) && digests[n] <= high {
		n++
	}
	at := first + uint32(n)
	for ; n > 0 && digests[n-1] >= low && r.points[at-1] > point(hash|ownerMask); n-- { // what a digest can't tell
		at--
	}
	if int(at) == len(r.points) {
		at = 0
	}
	return at
}
