package main_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestATrapOnEveryTenthLineCostsThoseLinesOnlyAndNamesEach(t *testing.T) {
	const lines, every = 10_000, 10
	var input, want strings.Builder
	for n := 1; n <= lines; n++ {
		record := fmt.Sprintf("ok %d", n)
		if n%every == 0 {
			record = "trap"
		} else {
			fmt.Fprintln(&want, record)
		}
		fmt.Fprintln(&input, record)
	}
	result := pool(t, strings.NewReader(input.String()), "run", guests+"faulty.wasm", "--workers", "4", "--summary", "json")
	require.Equal(t, 1, result.status)
	require.Equal(t, want.String(), result.stdout)
	named := make(map[int]bool)
	for _, complaint := range result.complaints() {
		var line, worker int
		if n, _ := fmt.Sscanf(complaint, "pool: line %d: worker %d: ", &line, &worker); n == 2 {
			assert.False(t, named[line], "line %d is named twice", line)
			assert.Zero(t, line%every, complaint)
			assert.Contains(t, complaint, "unreachable")
			named[line] = true
		}
	}
	assert.Len(t, named, lines/every)
	a := result.account(t)
	assert.EqualValues(t, lines, a.Pool.Routed)
	assert.EqualValues(t, lines-lines/every, a.Pool.Done)
	assert.EqualValues(t, lines/every, a.Pool.Failed)
	assert.InDelta(t, lines/every+2, a.Pool.Exited, 2, "the trapped ones, and those retired at the end so far")
	assert.Zero(t, a.Pool.Dropped+a.Pool.Queued)
}
