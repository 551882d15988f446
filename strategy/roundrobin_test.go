package strategy_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/JairusSW/pool/strategy"
)

func TestRoundRobinCountsOfAnyRunDifferByOne(t *testing.T) {
	p := newPicker(t, strategy.RoundRobin, strategy.Options{})
	for _, n := range []int{1, 2, 3, 16, 64} {
		v := p.View(nil, fleet(n))
		for picks := range 200 {
			assert.LessOrEqual(t, spread(counts(p, v, picks)), 1)
		}
	}
}

func TestRoundRobinCountsDifferByOneFromManyGoroutines(t *testing.T) {
	p := newPicker(t, strategy.RoundRobin, strategy.Options{})
	v := p.View(nil, fleet(16))
	got := make([]atomic.Int64, 16)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for g := range 64 {
		wg.Go(func() {
			<-start
			for range 500 + g {
				pos, _ := p.First(v, 0)
				got[pos].Add(1)
			}
		})
	}
	close(start)
	wg.Wait()
	total := make([]int, len(got))
	for i := range got {
		total[i] = int(got[i].Load())
	}
	assert.LessOrEqual(t, spread(total), 1)
}

func TestRoundRobinSpillGoesRound(t *testing.T) {
	p := newPicker(t, strategy.RoundRobin, strategy.Options{})
	v := p.View(nil, fleet(4))
	for _, want := range [][]int{{0, 1, 2, 3}, {1, 2, 3, 0}, {2, 3, 0, 1}, {3, 0, 1, 2}, {0, 1, 2, 3}} {
		assert.Equal(t, want, walk(p, v, 0))
	}
}

// The model of round robin is one number: the slot picked last.
func TestRoundRobinGoesOnBehindTheLastPick(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, err := strategy.New(strategy.RoundRobin, strategy.Options{})
		require.NoError(t, err)
		var v *strategy.View
		last := int64(-1)
		for range rapid.IntRange(1, 20).Draw(t, "changes") {
			entries := drawEntries(t, 10)
			v = p.View(v, entries)
			for range rapid.IntRange(0, 4).Draw(t, "picks") {
				want := successor(entries, last)
				got, _ := p.First(v, 0)
				require.Equal(t, want, got)
				if want >= 0 {
					last = int64(entries[want].Slot)
				}
			}
		}
	})
}

// successor returns the position of the first eligible slot behind last, around the circle.
func successor(entries []strategy.Entry, last int64) int {
	first := -1
	for i, e := range entries {
		if !e.Eligible || e.Weight == 0 {
			continue
		}
		if int64(e.Slot) > last {
			return i
		}
		if first < 0 {
			first = i
		}
	}
	return first
}

func TestRoundRobinStaysEvenUnderChanges(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 0))
		p := newPicker(t, strategy.RoundRobin, strategy.Options{})
		entries := fleet(8)
		for i := range entries {
			entries[i].Slot = uint32(2 * i) // the even slots stay throughout
		}
		got := make([]int, 18)
		var v *strategy.View
		last := int64(-1)
		for range 100 {
			v = p.View(v, entries)
			for range 1 + random.IntN(10) {
				pos, _ := p.First(v, 0)
				require.Equal(t, successor(entries, last), pos)
				last = int64(entries[pos].Slot)
				got[last]++
			}
			entries = changed(random, entries)
		}
		var stayed []int
		for slot := 0; slot < 16; slot += 2 {
			stayed = append(stayed, got[slot])
		}
		assert.LessOrEqual(t, spread(stayed), 2, "seed %d", seed)
	}
}

// changed returns the entries with one odd slot added, removed, or out of service or back in it.
func changed(random *rand.Rand, entries []strategy.Entry) []strategy.Entry {
	slot := uint32(2*random.IntN(8) + 1)
	at, found := find(entries, slot)
	entries = slices.Clone(entries)
	switch {
	case !found:
		return slices.Insert(entries, at, entry(slot))
	case random.IntN(2) == 0:
		return slices.Delete(entries, at, at+1)
	default:
		entries[at].Eligible = !entries[at].Eligible
		return entries
	}
}
