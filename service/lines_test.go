package service_test

import (
	"math/bits"
	"testing"

	"github.com/JairusSW/pool/service"
	"github.com/stretchr/testify/assert"
)

// What lies across two cache lines makes cores that work on neighbours take turns. Objects of these sizes never do: Go's allocator
// puts those of one size in a row.
func TestWhatCoresWriteSharesNoCacheLine(t *testing.T) {
	const line = 64
	if bits.UintSize < 64 {
		t.Skip("sizes are chosen for 64-bit processors")
	}
	assert.Zero(t, service.MemberBytes%line, "%d bytes", service.MemberBytes)
	assert.LessOrEqual(t, int(service.SubmitBytes), 2*line)
	assert.EqualValues(t, line, service.CallBytes)
}
