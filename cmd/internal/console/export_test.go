package console

import "time"

// Rate feeds a meter with the counts, one a second, and returns the last rate.
func Rate(counts ...uint64) (rate float64) {
	var m meter
	for i, count := range counts {
		rate = m.at(time.Unix(int64(i), 0), count)
	}
	return rate
}
