package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/JairusSW/pool/bench/internal/measure"
)

// Markdown writes everything that was measured as tables to paste into a document, by topic.
func Markdown(w io.Writer, m Machine, f Figures) error {
	var out strings.Builder
	fmt.Fprintf(&out, "Measured on %s, by `%s`. A figure is the median of its rounds, with the middle half of them in brackets.\n",
		m, m.Command)
	topic := ""
	for _, r := range f.Rows {
		if r.Row.Topic != topic {
			topic = r.Row.Topic
			fmt.Fprintf(&out, "\n### %s\n\n| row | what | figure | aim | | both sides |\n|---|---|---|---|---|---|\n", topic)
		}
		out.WriteString(markdownRow(r))
	}
	if f.Scale != nil {
		out.WriteString("\n### How it scales\n\n" + markdownTable(f.Scale))
	}
	if f.Curves != nil {
		out.WriteString("\n### What handing over a task costs\n\n" + markdownTable(f.Curves))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func markdownRow(r measure.Result) string {
	if r.Verdict == measure.Skipped {
		return fmt.Sprintf("| %s | %s | | | %s | %s |\n", r.Row.Name, r.Row.What, r.Verdict, r.Reason)
	}
	return fmt.Sprintf("| %s | %s | %s %s | %s | %s | %s |\n", r.Row.Name, r.Row.What,
		r.Row.Unit.Text(r.Figure.Median), spread(r), r.Row.Aim.Text(r.Row.Unit), r.Verdict, sides(r)+without(r))
}

func markdownTable(t *measure.Table) string {
	var out strings.Builder
	for i, line := range cells(t) {
		out.WriteString("| " + strings.Join(line, " | ") + " |\n")
		if i == 0 {
			out.WriteString("|" + strings.Repeat("---:|", len(line)) + "\n")
		}
	}
	return out.String()
}
