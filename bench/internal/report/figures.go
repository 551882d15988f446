package report

import "github.com/JairusSW/pool/bench/internal/measure"

// Figures is what was measured.
type Figures struct {
	Rows   []measure.Result
	Scale  *measure.Table // nil: not asked for, as is Curves
	Curves *measure.Table
}
