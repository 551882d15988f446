package strategy

import "slices"

// RingPoint is a point of a ring, for tests of its order. A ring keeps the upper bits of the hash.
type RingPoint struct {
	Hash  uint64
	Owner uint32
}

// SortAndMerge sorts both lists as a ring sorts new points, and merges them as it merges new points into
// old.
func SortAndMerge(old, added []RingPoint) []RingPoint {
	merged := merge(sorted(inner(old)), sorted(inner(added)))
	points := make([]RingPoint, len(merged))
	for i, p := range merged {
		points[i] = ringPoint(p)
	}
	return points
}

func inner(points []RingPoint) []point {
	list := make([]point, len(points))
	for i, p := range points {
		list[i] = pointAt(p.Hash, p.Owner)
	}
	return list
}

// Points returns the points of a view's ring, in order; Owner is a position.
func Points(v *View) []RingPoint {
	points := make([]RingPoint, len(v.ring.points))
	for i, p := range v.ring.points {
		points[i] = ringPoint(p)
	}
	return points
}

// FindInRing looks up hashes in a ring of so many slots that has these points, and returns where each was
// found.
func FindInRing(slots int, points []RingPoint, hashes []uint64) []int {
	r := newRing(make([]uint32, slots), sorted(inner(points)))
	found := make([]int, len(hashes))
	for i, hash := range hashes {
		found[i] = int(r.find(hash))
	}
	return found
}

// SharesRing reports whether two views look up in the very same ring.
func SharesRing(a, b *View) bool { return a.ring == b.ring }

func sorted(points []point) []point { return sortPoints(len(points), slices.Values(points)) }

func ringPoint(p point) RingPoint { return RingPoint{Hash: uint64(p.ownedBy(0)), Owner: p.owner()} }
