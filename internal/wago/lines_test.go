package wago_test

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/wago-org/wago"
)

// Go's allocator puts objects of one size in a row: two instances never have a cache line in common if they fill theirs.
func TestInstancesShareNoCacheLine(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("sizes are chosen for 64-bit processors")
	}
	assert.Zero(t, wago.InstanceBytes%64, "%d bytes", wago.InstanceBytes)
}
