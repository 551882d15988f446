package rows

// P10: what guests gain from a second core: sha256 of 1 KiB through a pool of 4 workers, in tasks per second, with GOMAXPROCS 2
// over GOMAXPROCS 1. The tasks are given as in P4, so the producer shares the cores with the guests.

import (
	"github.com/JairusSW/pool/bench/internal/measure"
)

const coreWorkers = 4

func coreRows(g Guests) []measure.Row {
	return []measure.Row{{
		Name: "P10 cores", What: "sha256 with 4 workers, two cores over one", Unit: measure.Ratio, Aim: measure.AtLeast(1.9),
		Sides: []measure.Side{{Name: "two", Unit: measure.PerSecond}, {Name: "one", Unit: measure.PerSecond}},
		Open: func(b *measure.Bench) (measure.Round, error) {
			if err := needTwo(); err != nil {
				return nil, err
			}
			tasks, err := pipeline(b, g.SHA256, coreWorkers, kilobyte)
			if err != nil {
				return nil, err
			}
			return b.RateOver(on(2, tasks), on(1, tasks))
		},
		Without: barestCores(g.SHA256),
	}}
}
