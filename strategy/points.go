package strategy

import (
	"iter"
	"math/bits"
)

// indexWidth is how many upper bits of a hash tell the cells of an index apart. There are eight to sixteen
// points a cell, whose digests fill a cache line at most, and hashes spread evenly. More
// cells would save comparisons, and cost more than that: the index would leave the cache.
func indexWidth(points int) int { return max(bits.Len(uint(points))-4, 1) }

// buildIndex returns, for each cell, the first of the points that lies in it or behind it, and in the end
// the number of points.
func buildIndex(points []point, width int) []uint32 {
	index := make([]uint32, 1<<width+1)
	next := 0 // cell that isn't filled yet
	for i := range points {
		for cell := int(points[i] >> (64 - width)); next <= cell; next++ {
			index[next] = uint32(i)
		}
	}
	for ; next < len(index); next++ {
		index[next] = uint32(len(points))
	}
	return index
}

// sortPoints returns n points in order, in time proportional to their number: dealt into cells, they are
// nearly in order, and a pass of insertions finishes the work. They are made twice, which is cheaper than
// to keep them twice.
func sortPoints(n int, points iter.Seq[point]) []point {
	width := indexWidth(n)
	shift := 64 - width
	ends := make([]uint32, 1<<width+1) // by cell: where the next of its points goes
	for p := range points {
		ends[p>>shift+1]++
	}
	for cell := 1; cell < len(ends); cell++ {
		ends[cell] += ends[cell-1]
	}
	sorted := make([]point, n)
	for p := range points {
		end := &ends[p>>shift]
		sorted[*end] = p
		*end++
	}
	insertionSort(sorted)
	return sorted
}

func insertionSort(points []point) {
	for i := 1; i < len(points); i++ {
		p, j := points[i], i
		for ; j > 0 && p < points[j-1]; j-- {
			points[j] = points[j-1]
		}
		if j < i {
			points[j] = p
		}
	}
}

// merge returns the points of a and b, each in order, in order.
func merge(a, b []point) []point {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	merged := make([]point, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if b[0] < a[0] {
			merged, b = append(merged, b[0]), b[1:]
		} else {
			merged, a = append(merged, a[0]), a[1:]
		}
	}
	return append(append(merged, a...), b...)
}
