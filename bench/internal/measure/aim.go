package measure

import "math"

// Aim is what a figure is to reach. The zero value is none.
//
// Safe for concurrent use: an aim never changes.
type Aim struct {
	kind  aimKind
	bound float64
}

type aimKind uint8

const (
	noAim aimKind = iota
	atMost
	atLeast
)

// AtMost is reached by figures up to the bound, in the row's unit.
func AtMost(bound float64) Aim { return Aim{atMost, bound} }

// AtLeast is reached by figures from the bound on, in the row's unit.
func AtLeast(bound float64) Aim { return Aim{atLeast, bound} }

// Verdict says whether a figure reaches the aim.
func (a Aim) Verdict(figure float64) Verdict {
	switch {
	case a.kind == noAim:
		return Noted
	case math.IsNaN(figure), a.kind == atMost && figure > a.bound, a.kind == atLeast && figure < a.bound:
		return Short
	}
	return Reached
}

// muchBetter is how much better a figure has to be than another that is short, too, to show that the other needn't be so.
const muchBetter = 4. / 3

// bounds says whether a figure is short, and another, which bounds it, is too and is not much better.
func (a Aim) bounds(figure, bound float64) bool {
	if a.Verdict(figure) != Short || a.Verdict(bound) != Short {
		return false
	}
	if a.kind == atMost {
		return figure <= bound*muchBetter
	}
	return figure >= bound/muchBetter
}

// Text is the aim with its bound in a unit: "≤ 2.50"; empty for none.
func (a Aim) Text(u Unit) string {
	switch a.kind {
	case atMost:
		return "≤ " + u.Bound(a.bound)
	case atLeast:
		return "≥ " + u.Bound(a.bound)
	}
	return ""
}

// Verdict is what became of a row.
type Verdict string

// The verdicts, as they are printed.
const (
	Reached Verdict = "ok"
	Short   Verdict = "short"
	Bounded Verdict = "bounded" // short, but because of the machine, Go or the engine: see Row.Without
	Noted   Verdict = "–"       // there is no aim
	Skipped Verdict = "skipped" // this machine can't say
)
