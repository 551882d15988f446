package rows

// P2: Submit to 1 024 workers over Submit to 16, measured as in P1: the same number of tasks lies in all mailboxes together, so
// that both sides have as many bytes to go through. The mailboxes of many workers are filled 64 deep: the first submit that a worker
// gets after it has run finds the worker's memory in the other core's caches or in none, and those are a few of all. Workers may have 1 024 instances; a copy of its provider, whose definition
// asks for more, leaves room for those that were destroyed and have not gone yet.

import (
	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/measure"
)

const many = 1024 // workers

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
				large, err := submits(b, g, s.kind, many, filledMany)
				if err != nil {
					return nil, err
				}
				small, err := submits(b, g, s.kind, usual, filledMany)
				if err != nil {
					return nil, err
				}
				return b.CostOver(large, small)
			},
		}
		if order != nil {
			row.Without, row.Growth = barestGrowth(order), true
		}
		rows = append(rows, row)
	}
	return rows
}
