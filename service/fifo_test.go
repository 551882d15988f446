package service_test

import (
	"testing"

	"github.com/JairusSW/pool/service"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Stats counts what came by what is there: what a queue lost, nobody would miss.
func TestAFifoIsASlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var queue service.Fifo
		var want []uint64
		next := uint64(0)
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				for range rapid.IntRange(1, 20).Draw(t, "entries") {
					next++
					queue.Push(next)
					want = append(want, next)
				}
			},
			"pop": func(t *rapid.T) {
				for range rapid.IntRange(0, len(want)).Draw(t, "entries") {
					require.Equal(t, want[0], queue.Pop())
					want = want[1:]
				}
			},
			"drain": func(t *rapid.T) {
				require.Equal(t, append([]uint64(nil), want...), queue.Drain())
				want = nil
			},
			"": func(t *rapid.T) { require.Equal(t, len(want), queue.Len()) },
		})
	})
}
