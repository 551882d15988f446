package measure

import (
	"fmt"
	"math"
	"strconv"
)

// Unit says how a number is written.
type Unit string

// The units, with what a number of each is.
const (
	Ratio       Unit = "ratio"
	Nanoseconds Unit = "ns"
	PerSecond   Unit = "per second" // operations
	Bytes       Unit = "bytes"
	Allocations Unit = "allocations" // of one operation
)

// Text writes a number of the unit, with three digits that count.
func (u Unit) Text(n float64) string {
	switch u {
	case Ratio:
		return ratio(n)
	case Nanoseconds:
		return scaled(n, 1000, " ns", " µs", " ms", " s")
	case PerSecond:
		return scaled(n, 1000, "/s", " k/s", " M/s", " G/s")
	case Bytes:
		return scaled(n, 1024, " B", " KiB", " MiB", " GiB")
	}
	return strconv.FormatFloat(n, 'f', 2, 64)
}

// Bound writes a number of the unit as short as it is: for aims.
func (u Unit) Bound(n float64) string {
	if u == Ratio || u == Allocations {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return u.Text(n)
}

// ratio has two decimals for what is near one, and fewer for what is far from it.
func ratio(n float64) string {
	switch size := math.Abs(n); {
	case size >= 100:
		return strconv.FormatFloat(n, 'f', 0, 64)
	case size >= 10:
		return strconv.FormatFloat(n, 'f', 1, 64)
	case size < .1:
		return strconv.FormatFloat(n, 'f', 3, 64)
	}
	return strconv.FormatFloat(n, 'f', 2, 64)
}

func scaled(n, step float64, suffixes ...string) string {
	last := len(suffixes) - 1
	i := 0
	for i < last && math.Abs(n) >= step*.9995 {
		n /= step
		i++
	}
	switch size := math.Abs(n); {
	case size >= 99.95:
		return fmt.Sprintf("%.0f%s", n, suffixes[i])
	case size >= 9.995:
		return trim(fmt.Sprintf("%.1f", n)) + suffixes[i]
	}
	return trim(fmt.Sprintf("%.2f", n)) + suffixes[i]
}

// trim drops a fraction of zeros.
func trim(s string) string {
	for s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	return s
}
