package workers_test

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/wago-org/workers"
)

// Go's allocator puts objects of one size in a row: two workers never have a cache line in common if they fill theirs.
func TestWorkersShareNoCacheLine(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("sizes are chosen for 64-bit processors")
	}
	assert.Zero(t, workers.WorkerBytes%64, "%d bytes", workers.WorkerBytes)
}
