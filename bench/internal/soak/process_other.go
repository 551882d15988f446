//go:build !linux

package soak

// readProcess can read nothing on systems other than Linux.
func readProcess() (descriptors int, resident int64, mappings int) { return -1, -1, -1 }
