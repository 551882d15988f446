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

	// Without makes ready what the figure would be with nothing of this project in the way, so that only the machine, Go and the
	// engine keep it from the aim. It is measured with the row, after each of its rounds. A row that is short, and would be without
	// this project, and not better by more than a third, is bounded. Nil when nobody knows.
	Without func(*Bench) (Without, error)

	// Growth says that the figure is a cost at one size over that at another. What it grows by without this project is then the
	// machine's part: a row that meets its aim but for that is bounded too.
	Growth bool
}

// Without measures once what the figure of a round, which has just been measured, would have been.
type Without func(Sample) (float64, error)

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
