package countdown_test

import (
	"context"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago/internal/countdown"
)

// job is something for a guest to do, in short runs.
type job struct {
	name, guest, export string
	args                []uint64
	times               float64 // how often one call does it
}

var jobs = []job{
	{"SHA-256 of 1 KiB", "sha256", "hash", []uint64{20}, 20},
	{"turn of a tight loop", "kernels", "sum", []uint64{100_000}, 100_000},
	{"turn of a loop that stores", "kernels", "store", []uint64{100_000}, 100_000},
	{"recursive call", "kernels", "fib", []uint64{18}, 8361},
	{"call of a small function", "kernels", "leaves", []uint64{100_000}, 100_000},
	{"memory.fill of 16 bytes", "kernels", "fills", []uint64{10_000, 16}, 10_000},
	{"memory.fill of 64 KiB", "kernels", "fills", []uint64{100, 65536}, 100},
}

// BenchmarkThreeWays runs each job on a guest left as it is, one that counts down
// and one that wazero watches, by turns, and reports the shortest times and what
// they are over the first.
func BenchmarkThreeWays(b *testing.B) {
	for _, j := range jobs {
		b.Run(j.name, func(b *testing.B) {
			threeWays := []way{plain, counted, watched}
			var guests []*guest
			for _, w := range threeWays {
				guests = append(guests, open(b, w, wasm(b, j.guest)))
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			shortest := []time.Duration{time.Hour, time.Hour, time.Hour}
			for b.Loop() {
				for i, g := range guests {
					start := time.Now()
					if _, err := g.mod.ExportedFunction(j.export).Call(ctx, j.args...); err != nil {
						b.Fatal(err)
					}
					shortest[i] = min(shortest[i], time.Since(start))
				}
			}
			b.ReportMetric(0, "ns/op")
			for i, w := range threeWays {
				b.ReportMetric(float64(shortest[i])/j.times, w.name+"-ns")
				b.ReportMetric(float64(shortest[i])/float64(shortest[0]), w.name+"/plain")
			}
		})
	}
}

// BenchmarkStop is how long a guest that never returns goes on once it is told to
// stop: the median and the longest.
func BenchmarkStop(b *testing.B) {
	stop := func(b *testing.B, w way, export string, args ...uint64) {
		var took []time.Duration
		for b.Loop() {
			s := spin(b, w, wasm(b, "kernels"), export, args...)
			underway := time.NewTimer(5 * time.Millisecond)
			<-underway.C
			start := time.Now()
			s.stop()
			require.Error(b, s.ended(b))
			took = append(took, time.Since(start))
		}
		reportSpread(b, took)
	}
	for _, e := range endless {
		b.Run(e.name, func(b *testing.B) { stop(b, counted, e.export, e.args...) })
	}
	b.Run("a tight loop that is watched", func(b *testing.B) { stop(b, watched, "spin") })
}

// BenchmarkCollectBeside is a garbage collection, alone and beside a guest that
// never returns.
func BenchmarkCollectBeside(b *testing.B) {
	for name, w := range map[string]way{"nobody": {}, "a countdown": counted, "a watched guest": watched} {
		b.Run(name, func(b *testing.B) {
			if w != (way{}) {
				s := spin(b, w, wasm(b, "kernels"), "spin")
				defer func() { s.stop(); _ = s.ended(b) }()
			}
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				runtime.GC()
				took = append(took, time.Since(start))
			}
			reportSpread(b, took)
		})
	}
}

func reportSpread(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "µs-median")
	b.ReportMetric(float64(took[len(took)-1].Nanoseconds())/1e3, "µs-longest")
}

// BenchmarkRewrite is the rewriting of a small guest.
func BenchmarkRewrite(b *testing.B) {
	binary := wasm(b, "sha256")
	o := outline(b, binary)
	b.SetBytes(int64(len(binary)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := countdown.Rewrite(o, binary); err != nil {
			b.Fatal(err)
		}
	}
}
