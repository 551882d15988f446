package picture

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/JairusSW/pool/bench/internal/measure"
)

// Picture is what to draw.
type Picture struct {
	Title    string
	Subtitle string // where and when
	Table    *measure.Table
	Ours     int // how many of the columns, from the first on, are drawn in colour and whole; the others grey and dashed
}

// The size of the whole and of the plot in it (pixels).
const (
	width, height            = 860, 480
	left, right, top, bottom = 64, 690, 76, 424
)

// style has the greys: of a middle lightness, which can be read on any ground, and better ones where the reader's scheme is known.
const style = `
    text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #727c87 }
    .title { font-size: 17px; font-weight: 600 }
    .grid { stroke: #8c959f; stroke-opacity: .28 }
    .curve { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round }
    .other { stroke: #8c959f }
    .leader { stroke: #8c959f; stroke-opacity: .6 }
    @media (prefers-color-scheme: light) { text { fill: #57606a } .title { fill: #24292f } }
    @media (prefers-color-scheme: dark) { text { fill: #9da7b3 } .title { fill: #e6edf3 } }
  `

// hues are the colours of our curves; dashes tell the others apart.
var (
	hues   = []string{"#2f7fdb", "#c2571a", "#1a9e78", "#9a5bd6", "#d0397b"}
	dashes = []string{"6 4", "2 4", "10 4 2 4", "1 6"}
)

// SVG draws the picture.
func (p Picture) SVG(w io.Writer) error {
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">`+"\n",
		width, height, escaped(p.Title))
	fmt.Fprintf(&out, "  <style>%s</style>\n", style)
	text(&out, `class="title" x="20" y="30"`, p.Title)
	text(&out, `x="20" y="52"`, p.Subtitle)
	a := axesOf(p.Table)
	a.draw(&out)
	labels := make([]label, len(p.Table.Columns))
	for i, column := range p.Table.Columns {
		fmt.Fprintf(&out, `  <polyline %s points="%s"/>`+"\n", p.stroke(i), a.points(p.Table, i))
		labels[i] = label{text: column.Name, style: p.nameStyle(i), y: a.y(last(p.Table, i))}
	}
	drawLabels(&out, labels)
	out.WriteString("</svg>\n")
	_, err := io.WriteString(w, out.String())
	return err
}

// stroke is how a curve is drawn.
func (p Picture) stroke(i int) string {
	if i < p.Ours {
		return fmt.Sprintf(`class="curve" stroke="%s"`, hues[i%len(hues)])
	}
	return fmt.Sprintf(`class="curve other" stroke-dasharray="%s"`, dashes[(i-p.Ours)%len(dashes)])
}

// nameStyle is how its name is written: in its colour.
func (p Picture) nameStyle(i int) string {
	if i < p.Ours {
		return fmt.Sprintf(` style="fill: %s"`, hues[i%len(hues)])
	}
	return ""
}

func last(t *measure.Table, column int) float64 { return t.Cells[len(t.Sizes)-1][column] }

func text(out *strings.Builder, attributes, content string) {
	fmt.Fprintf(out, "  <text %s>%s</text>\n", attributes, escaped(content))
}

func escaped(s string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(s)) // a Builder takes everything
	return out.String()
}
