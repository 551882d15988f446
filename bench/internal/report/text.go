package report

import (
	"fmt"
	"strings"

	"github.com/JairusSW/pool/bench/internal/measure"
)

// Line is a row as text, its name padded to a width: name, figure, spread, aim, verdict, the absolute figures, and what it would be
// without this project.
func Line(r measure.Result, width int) string {
	if r.Verdict == measure.Skipped {
		return fmt.Sprintf("%-*s  %s: %s", width, r.Row.Name, r.Verdict, r.Reason)
	}
	line := fmt.Sprintf("%-*s  %7s  %-17s  %-13s  %-7s  %s", width, r.Row.Name,
		r.Row.Unit.Text(r.Figure.Median), spread(r), aim(r), r.Verdict, sides(r)+without(r))
	return strings.TrimRight(line, " ")
}

func spread(r measure.Result) string { return between(r.Row.Unit, r.Figure) }

func between(u measure.Unit, s measure.Spread) string {
	return fmt.Sprintf("(%s–%s)", u.Text(s.Low), u.Text(s.High))
}

// without is what the figure would be without this project, after the sides.
func without(r measure.Result) string {
	if r.Without == nil {
		return ""
	}
	return fmt.Sprintf("; without it %s %s", r.Row.Unit.Text(r.Without.Median), between(r.Row.Unit, *r.Without))
}

func aim(r measure.Result) string {
	if text := r.Row.Aim.Text(r.Row.Unit); text != "" {
		return "aim " + text
	}
	return ""
}

func sides(r measure.Result) string {
	var parts []string
	for i, side := range r.Row.Sides {
		parts = append(parts, side.Name+" "+side.Unit.Text(r.Sides[i]))
	}
	return strings.Join(parts, ", ")
}
