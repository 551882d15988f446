package linear_test

import (
	"fmt"
	"testing"

	"github.com/wago-org/wago/internal/linear"
)

// BenchmarkNew is one memory made and closed, nothing of it touched.
func BenchmarkNew(b *testing.B) {
	for name, kind := range map[string]linear.Kind{"mapped": linear.Mapped, "heap": linear.Heap} {
		for _, pages := range []uint64{1, 256} {
			for _, limit := range []uint64{pages, 1024} {
				b.Run(fmt.Sprintf("%s/%d of %d pages", name, pages, limit), func(b *testing.B) {
					if kind == linear.Mapped && !linear.Supported {
						b.Skip("memories can't be mapped here")
					}
					a := linear.NewAllocator(kind)
					b.ReportAllocs()
					for b.Loop() {
						if err := made(b, a, pages*page, limit*page).Close(); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
