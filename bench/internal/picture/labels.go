package picture

import (
	"fmt"
	"slices"
	"strings"
)

// label names a curve at its right end.
type label struct {
	text  string
	style string  // attributes, a blank first
	y     float64 // where the curve ends
}

// apart is how far one label is below the next, at least (pixels).
const apart = 17

// drawLabels writes the labels beside the plot, each as near to its curve's end as the others allow, and ties it to that.
func drawLabels(out *strings.Builder, labels []label) {
	slices.SortStableFunc(labels, func(a, b label) int {
		if a.y < b.y {
			return -1
		}
		return 1
	})
	for i, y := range spreadOut(labels) {
		fmt.Fprintf(out, `  <path class="leader" d="M%d %.1fL%d %.1f"/>`+"\n", right+2, labels[i].y, right+16, y)
		text(out, fmt.Sprintf(`x="%d" y="%.1f"%s`, right+20, y+4, labels[i].style), labels[i].text)
	}
}

// spreadOut moves labels, sorted from the top, down until they are apart, and then up where they left the plot.
func spreadOut(labels []label) []float64 {
	places := make([]float64, len(labels))
	for i, l := range labels {
		places[i] = l.y
		if i > 0 {
			places[i] = max(l.y, places[i-1]+apart)
		}
	}
	limit := float64(bottom)
	for i := len(places) - 1; i >= 0; i-- {
		places[i] = min(places[i], limit)
		limit = places[i] - apart
	}
	return places
}
