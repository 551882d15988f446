package strategy_test

import (
	"cmp"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/JairusSW/pool/strategy"
)

var kinds = []strategy.Kind{
	strategy.RoundRobin, strategy.LeastLoaded, strategy.Random,
	strategy.PowerOfTwo, strategy.ConsistentHash, strategy.Broadcast,
}

func newPicker(t testing.TB, kind strategy.Kind, options strategy.Options) strategy.Picker {
	t.Helper()
	p, err := strategy.New(kind, options)
	require.NoError(t, err)
	return p
}

// fleet returns the entries of eligible slots 0 to n-1, with loads of 0.
func fleet(n int) []strategy.Entry {
	entries := make([]strategy.Entry, n)
	for i := range entries {
		entries[i] = entry(uint32(i))
	}
	return entries
}

func entry(slot uint32) strategy.Entry {
	return strategy.Entry{Slot: slot, Weight: 1, Load: new(atomic.Int64), Eligible: true}
}

// walk returns every position a pick comes to, in order.
func walk(p strategy.Picker, v *strategy.View, key uint64) []int {
	var positions []int
	pos, w := p.First(v, key)
	for ; pos >= 0; pos, w = p.Next(v, w) {
		positions = append(positions, pos)
	}
	return positions
}

// find returns the position of a slot, or the one it would take.
func find(entries []strategy.Entry, slot uint32) (pos int, found bool) {
	return slices.BinarySearchFunc(entries, slot, func(e strategy.Entry, slot uint32) int { return cmp.Compare(e.Slot, slot) })
}

func eligible(entries []strategy.Entry) []int {
	var positions []int
	for i, e := range entries {
		if e.Eligible && e.Weight > 0 {
			positions = append(positions, i)
		}
	}
	return positions
}

// counts returns how often each of n positions is the first choice in a number of picks.
func counts(p strategy.Picker, v *strategy.View, picks int) []int {
	got := make([]int, v.Len())
	for range picks {
		pos, _ := p.First(v, 0)
		got[pos]++
	}
	return got
}

// spread returns the difference between the highest and the lowest count.
func spread(counts []int) int { return slices.Max(counts) - slices.Min(counts) }
