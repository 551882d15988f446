package rows

// P8: Stats of 64 idle workers over making a slice of 64 WorkerStat values and copying them into it.

import (
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/measure"
)

func statsRows(g Guests) []measure.Row {
	return []measure.Row{{
		Name: "P8 stats", What: "Stats of 64 workers over copying 64 WorkerStat", Unit: measure.Ratio, Aim: measure.AtMost(3),
		Sides: []measure.Side{{Name: "Stats", Unit: measure.Nanoseconds}, {Name: "copy", Unit: measure.Nanoseconds}},
		Open: func(b *measure.Bench) (measure.Round, error) {
			stats, err := statsOf(b, g, created)
			if err != nil {
				return nil, err
			}
			return b.CostOver(stats, func(n int) (time.Duration, error) {
				return measure.Clock(func() error { copyMany(make([]pool.WorkerStat, created), n); return nil })
			})
		},
	}}
}

// statsOf is Stats, n times.
func statsOf(b *measure.Bench, g Guests, size uint32) (measure.Timed, error) {
	h, p, err := openPool(b, g.Trivial, pool.PoolOptions{MinWorkers: size, Worker: shallow})
	return func(n int) (took time.Duration, err error) {
		err = h.WithPools(func(s pool.Service) (err error) {
			took, err = measure.Clock(func() error { return lookMany(s, p.ID, n) })
			return err
		})
		return took, err
	}, err
}

func lookMany(s pool.Service, id pool.PoolID, n int) error {
	for range n {
		if _, err := s.Stats(id); err != nil {
			return err
		}
	}
	return nil
}

// kept has the copies made: what nobody can see the compiler leaves out.
var kept []pool.WorkerStat

func copyMany(from []pool.WorkerStat, n int) {
	for range n {
		kept = make([]pool.WorkerStat, len(from))
		copy(kept, from)
	}
}
