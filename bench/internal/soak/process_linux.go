package soak

import (
	"bytes"
	"fmt"
	"os"
)

// readProcess reads what the system says of the process: proc(5).
func readProcess() (descriptors int, resident int64, mappings int) {
	return countDescriptors(), readResident(), countMappings()
}

// countDescriptors leaves the one out that it reads the others with.
func countDescriptors() int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return -1
	}
	return len(entries) - 1
}

func readResident() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return -1
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		return -1
	}
	return pages * int64(os.Getpagesize())
}

func countMappings() int {
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return -1
	}
	return bytes.Count(text, []byte{'\n'})
}
