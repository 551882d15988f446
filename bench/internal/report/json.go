package report

import (
	"encoding/json"
	"io"
	"math"

	"github.com/JairusSW/pool/bench/internal/measure"
)

// document is what JSON writes.
type document struct {
	Machine Machine        `json:"machine"`
	Rows    []row          `json:"rows,omitempty"`
	Scale   *measure.Table `json:"scale,omitempty"`
	Curves  *measure.Table `json:"curves,omitempty"`
}

type row struct {
	Name    string          `json:"name"`
	What    string          `json:"what"`
	Unit    measure.Unit    `json:"unit"`
	Figure  *measure.Spread `json:"figure,omitempty"`
	Aim     string          `json:"aim,omitempty"`
	Without *measure.Spread `json:"without,omitempty"` // what the figure would be without this project
	Verdict measure.Verdict `json:"verdict"`
	Rounds  int             `json:"rounds"`
	Sides   []side          `json:"sides,omitempty"`
	Reason  string          `json:"reason,omitempty"` // why it was skipped
}

type side struct {
	Name  string       `json:"name"`
	Unit  measure.Unit `json:"unit"`
	Value float64      `json:"value"`
}

// JSON writes everything that was measured.
func JSON(w io.Writer, m Machine, f Figures) error {
	d := document{Machine: m, Scale: f.Scale, Curves: f.Curves}
	for _, r := range f.Rows {
		d.Rows = append(d.Rows, rowOf(r))
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(d)
}

func rowOf(r measure.Result) row {
	out := row{
		Name: r.Row.Name, What: r.Row.What, Unit: r.Row.Unit, Aim: r.Row.Aim.Text(r.Row.Unit),
		Verdict: r.Verdict, Rounds: r.Rounds, Reason: r.Reason,
	}
	if !math.IsNaN(r.Figure.Median) && r.Verdict != measure.Skipped {
		out.Figure, out.Without = &r.Figure, r.Without
	}
	for i, value := range r.Sides {
		out.Sides = append(out.Sides, side{r.Row.Sides[i].Name, r.Row.Sides[i].Unit, value})
	}
	return out
}
