package report

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/JairusSW/pool/bench/internal/measure"
)

// Text is a table as aligned text, a line for each size.
func Text(t *measure.Table) string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 3, ' ', tabwriter.AlignRight)
	for _, line := range cells(t) {
		_, _ = fmt.Fprintln(w, strings.Join(line, "\t")+"\t")
	}
	_ = w.Flush()
	return out.String()
}

// cells are a table's texts, its head first.
func cells(t *measure.Table) [][]string {
	head := []string{"workers"}
	for _, c := range t.Columns {
		head = append(head, c.Name)
	}
	lines := [][]string{head}
	for i, size := range t.Sizes {
		line := []string{strconv.Itoa(size)}
		for j, c := range t.Columns {
			line = append(line, c.Unit.Text(t.Cells[i][j]))
		}
		lines = append(lines, line)
	}
	return lines
}
