package soak

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
)

// Totals counts what a run did, in families.
//
// Safe for concurrent use.
type Totals struct {
	mu     sync.RWMutex
	counts map[label]*atomic.Uint64 // guarded by mu; the counters are not
}

type label struct{ family, name string }

// Line is one counter.
type Line struct {
	Name  string
	Count uint64
}

func newTotals() *Totals { return &Totals{counts: make(map[label]*atomic.Uint64)} }

func (t *Totals) add(family, name string, n uint64) {
	if n > 0 {
		t.counter(label{family, name}).Add(n)
	}
}

func (t *Totals) counter(l label) *atomic.Uint64 {
	t.mu.RLock()
	c := t.counts[l]
	t.mu.RUnlock()
	if c != nil {
		return c
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts[l] == nil {
		t.counts[l] = new(atomic.Uint64)
	}
	return t.counts[l]
}

// Count returns one counter, 0 for one that nothing was counted in.
func (t *Totals) Count(family, name string) uint64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if c := t.counts[label{family, name}]; c != nil {
		return c.Load()
	}
	return 0
}

// Sum returns the sum of a family's counters.
func (t *Totals) Sum(family string) (sum uint64) {
	for _, line := range t.Family(family) {
		sum += line.Count
	}
	return sum
}

// Family returns a family's counters, the greatest first.
func (t *Totals) Family(family string) (lines []Line) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for l, c := range t.counts {
		if l.family == family {
			lines = append(lines, Line{l.name, c.Load()})
		}
	}
	slices.SortFunc(lines, func(a, b Line) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name)) })
	return lines
}
