package picture

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/JairusSW/pool/bench/internal/measure"
)

// axes map sizes and figures to places, both by their logarithms.
type axes struct {
	sizes     []int
	unit      measure.Unit
	low, high float64 // of the figures: powers of ten with all of them between
}

func axesOf(t *measure.Table) axes {
	least, most := math.Inf(1), math.Inf(-1)
	for _, line := range t.Cells {
		for _, figure := range line {
			least, most = min(least, figure), max(most, figure)
		}
	}
	low, high := math.Floor(math.Log10(least)), math.Ceil(math.Log10(most))
	return axes{sizes: t.Sizes, unit: t.Columns[0].Unit, low: math.Pow(10, low), high: math.Pow(10, max(high, low+1))}
}

func (a axes) x(size int) float64 {
	from, to := math.Log(float64(a.sizes[0])), math.Log(float64(a.sizes[len(a.sizes)-1]))
	if from == to {
		return left
	}
	return left + (right-left)*(math.Log(float64(size))-from)/(to-from)
}

func (a axes) y(figure float64) float64 {
	return bottom - (bottom-top)*math.Log(figure/a.low)/math.Log(a.high/a.low)
}

// points are a curve's, as SVG writes them.
func (a axes) points(t *measure.Table, column int) string {
	var points []string
	for i, size := range t.Sizes {
		points = append(points, fmt.Sprintf("%.1f,%.1f", a.x(size), a.y(t.Cells[i][column])))
	}
	return strings.Join(points, " ")
}

// draw draws a line for each power of ten and each size, with their names.
func (a axes) draw(out *strings.Builder) {
	for figure := a.low; figure <= a.high*1.001; figure *= 10 {
		y := a.y(figure)
		fmt.Fprintf(out, `  <path class="grid" d="M%d %.1fH%d"/>`+"\n", left, y, right)
		text(out, fmt.Sprintf(`x="%d" y="%.1f" text-anchor="end"`, left-8, y+4), a.unit.Text(figure))
	}
	for _, size := range a.sizes {
		x := a.x(size)
		fmt.Fprintf(out, `  <path class="grid" d="M%.1f %dV%d"/>`+"\n", x, top, bottom)
		text(out, fmt.Sprintf(`x="%.1f" y="%d" text-anchor="middle"`, x, bottom+20), strconv.Itoa(size))
	}
	text(out, fmt.Sprintf(`x="%d" y="%d" text-anchor="middle"`, (left+right)/2, bottom+42), "workers")
}
