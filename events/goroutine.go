package events

import "runtime"

// goroutineID returns the id of the calling goroutine. Go tells it only in the head line of a stack, "goroutine 12
// [running]:", and takes about a microsecond. Ids aren't used twice.
func goroutineID() uint64 {
	const prefix = len("goroutine ")
	var buf [64]byte
	line := buf[:runtime.Stack(buf[:], false)]
	id := uint64(0)
	for _, c := range line[min(prefix, len(line)):] {
		if c < '0' || c > '9' {
			break
		}
		id = id*10 + uint64(c-'0')
	}
	return id
}
