package measure

// Row is one line of the report: a figure, what it is to reach, and how to measure it.
type Row struct {
	Topic string // what the row helps to answer
	Name  string // "P1 round-robin": its family, a blank, what is special
	What  string // what the figure is, in a few words
	Unit  Unit   // of the figure and the aim
	Aim   Aim
	Sides []Side // the absolute figures that go with it, in the order of the samples

	// Open makes everything ready off the clock and returns the round. What has to be taken apart again is left with
	// [Bench.OnClose]. An error that wraps [ErrUnavailable] skips the row.
	Open func(*Bench) (Round, error)

	// Bound makes ready what the figure would be of the barest thing that does the same work without this project, so that nothing
	// but the machine, Go and the engine keeps it from the aim. It is measured with the row, round by round. Nil when there is none.
	Bound func(*Bench) (Round, error)
}

// Side names one of a row's absolute figures.
type Side struct {
	Name string `json:"name"`
	Unit Unit   `json:"unit"`
}

// Round measures every side once, one after the other.
type Round func() (Sample, error)

// Sample is what a round says.
type Sample struct {
	Figure float64
	Sides  []float64
}
