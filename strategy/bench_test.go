package strategy_test

import (
	"fmt"
	"testing"

	"github.com/JairusSW/pool/strategy"
)

var sizes = []int{1, 16, 64, 1024}

func BenchmarkFirst(b *testing.B) {
	for _, kind := range kinds {
		for _, n := range sizes {
			b.Run(fmt.Sprintf("%v/%d", kind, n), func(b *testing.B) {
				p := newPicker(b, kind, strategy.Options{})
				v := p.View(nil, setLoads(fleet(n), func(i int) int64 { return int64(i%3 + 1) }))
				b.ReportAllocs()
				key := uint64(0)
				for b.Loop() {
					key++
					p.First(v, key)
				}
			})
		}
	}
}

func BenchmarkFirstParallel(b *testing.B) {
	for _, kind := range kinds {
		b.Run(kind.String(), func(b *testing.B) {
			p := newPicker(b, kind, strategy.Options{})
			v := p.View(nil, fleet(16))
			b.RunParallel(func(pb *testing.PB) {
				for key := uint64(0); pb.Next(); key++ {
					p.First(v, key)
				}
			})
		})
	}
}

// A whole walk, by position visited.
func BenchmarkWalk(b *testing.B) {
	for _, kind := range kinds {
		for _, n := range sizes {
			b.Run(fmt.Sprintf("%v/%d", kind, n), func(b *testing.B) {
				p := newPicker(b, kind, strategy.Options{})
				v := p.View(nil, setLoads(fleet(n), func(i int) int64 { return int64(i%3 + 1) }))
				b.ReportAllocs()
				key := uint64(0)
				for b.Loop() {
					key++
					for pos, w := p.First(v, key); pos >= 0; pos, w = p.Next(v, w) {
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/position")
			})
		}
	}
}

func BenchmarkView(b *testing.B) {
	for _, kind := range kinds {
		for _, n := range sizes {
			b.Run(fmt.Sprintf("%v/first/%d", kind, n), func(b *testing.B) {
				p := newPicker(b, kind, strategy.Options{})
				entries := fleet(n)
				for b.Loop() {
					p.View(nil, entries)
				}
			})
			b.Run(fmt.Sprintf("%v/eligibility/%d", kind, n), func(b *testing.B) {
				p := newPicker(b, kind, strategy.Options{})
				entries := fleet(n)
				v := p.View(nil, entries)
				for b.Loop() {
					entries[n/2].Eligible = !entries[n/2].Eligible
					v = p.View(v, entries)
				}
			})
			b.Run(fmt.Sprintf("%v/slot/%d", kind, n), func(b *testing.B) {
				p := newPicker(b, kind, strategy.Options{})
				entries := fleet(n + 1)
				v := p.View(nil, entries)
				for i := 0; b.Loop(); i++ {
					v = p.View(v, entries[:n+i%2])
				}
			})
		}
	}
}
