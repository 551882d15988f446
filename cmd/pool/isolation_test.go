package main_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A record reaches the guest that has it in hand, and nothing else does: what was longer before it leaves nothing in a buffer of
// the host's, and read gives nothing behind its end.
func TestAGuestSeesNothingOfAnotherRecord(t *testing.T) {
	const peeked = 68608 // bytes of its memory that the guest replies with
	records := []string{strings.Repeat("secret ", 9000), "", "short", strings.Repeat("x", 17), strings.Repeat("secret ", 2), "s"}
	var want strings.Builder
	for _, record := range records {
		want.WriteString(record + strings.Repeat("\x00", peeked-len(record)) + "\n")
	}
	result := run(t, "peek", strings.Join(records, "\n")+"\n", "--workers", "1")
	equalLines(t, want.String(), result.ok(t))
}

// What a guest gives the host to print costs the host no more memory, however much it is at once.
func TestAGuestThatPrintsAllItsMemoryCostsTheHostNone(t *testing.T) {
	const most = 16 << 20 // bytes of memory; 64 MiB when they are printed as escapes
	result, peak := measured(t, strings.NewReader("1\n"), "run", guests+"flood.wasm", "--workers", "1", "--memory-limit", "16MiB")
	assert.Equal(t, 1, result.status)
	assert.Less(t, peak, int64(8*most))
	assert.Greater(t, strings.Count(result.stderr, `\x00`), most-8<<10, "all of it, but for a last line without an end")
	for _, line := range result.complaints() {
		assert.LessOrEqual(t, len(line), 4*8<<10+100)
	}
}
