package rows

// P2: Submit to 1 024 workers over Submit to 16, measured as in P1, but for the depth: the same number of tasks lies in all
// mailboxes together, so that both sides have as many bytes to go through, and the first submit that a worker gets after it has
// run, whose memory is in the other core's caches or in none, is to be one of 64. Workers may have 1 024 instances; a copy of its
// provider, whose definition asks for more, leaves room for those that were destroyed and have not gone yet.

import (
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/measure"
)

const many = 1024 // workers

// filledDeep is how many tasks are put into all mailboxes together before they are emptied.
const filledDeep = 64 * many

// deeply is a Timed in whole fillings; one that is asked for less than one only shows that it works.
func deeply(run measure.Timed) measure.Timed {
	all := whole(filledDeep, run)
	return func(n int) (time.Duration, error) {
		if n < filledDeep {
			return run(n)
		}
		return all(n)
	}
}

func growthRows(g Guests) (rows []measure.Row) {
	for _, s := range strategies {
		aim := measure.AtMost(1.6)
		if s.kind == pool.LeastLoaded {
			aim = measure.AtMost(8) // it looks at every worker
		}
		order := map[pool.Strategy]func(int) func() int{
			pool.RoundRobin: inTurn, pool.Random: atRandom, pool.PowerOfTwo: atRandom, pool.ConsistentHash: byPlaces,
		}[s.kind]
		row := measure.Row{
			Name: "P2 " + hyphened(s.kind), What: "Submit, 1 024 workers over 16", Unit: measure.Ratio, Aim: aim,
			Sides: []measure.Side{{Name: "at 1 024", Unit: measure.Nanoseconds}, {Name: "at 16", Unit: measure.Nanoseconds}},
			Open: func(b *measure.Bench) (measure.Round, error) {
				large, err := submits(b, g, s.kind, many, filledDeep)
				if err != nil {
					return nil, err
				}
				small, err := submits(b, g, s.kind, usual, filledDeep)
				if err != nil {
					return nil, err
				}
				return b.CostOver(deeply(large), deeply(small))
			},
		}
		if order != nil {
			row.Without, row.Growth = barestGrowth(order), true
		}
		rows = append(rows, row)
	}
	return rows
}
