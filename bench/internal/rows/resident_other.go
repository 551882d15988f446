//go:build !linux

package rows

import "github.com/JairusSW/pool/bench/internal/measure"

func resident() (int64, error) {
	return 0, measure.Unavailable("resident memory is read on Linux only")
}
