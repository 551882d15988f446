package rows

// P1: Submit of 16 bytes to 16 workers over Workers' own Send to 16 workers.
//
// Workers wait at a gate, so their mailboxes fill: 1 024 tasks deep on average, then they are emptied, off the clock, which also
// leaves the mailboxes as large as they were. Nobody is woken on either side. Submit is called inside one lease of Pool, as in a
// host call that submits what it has; it takes Workers' lease by itself, each time. Send is called through Workers' lease,
// each time, with one function for all leases. Both copy the payload. Each side has a runtime of its own; Send's is without
// Pool, so that no observer is there. The tag, and with it the key, is another one each time.
//
// "leased" is round robin again with a lease of Pool for each Submit: what a host call that submits one task pays.

import (
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/measure"
)

// strategies are those that send a task to one worker, with P1's aims.
var strategies = []struct {
	kind pool.Strategy
	aim  float64
}{
	{pool.RoundRobin, 2.5}, {pool.Random, 2.5}, {pool.PowerOfTwo, 2.5}, {pool.ConsistentHash, 2.5}, {pool.LeastLoaded, 3},
}

const usual = 16 // workers

func submitRows(g Guests) (rows []measure.Row) {
	for _, s := range strategies {
		rows = append(rows, submitRow(g, "P1 "+hyphened(s.kind), measure.AtMost(s.aim), func(b *measure.Bench) (measure.Timed, error) {
			return submits(b, g, s.kind, usual, filled)
		}))
	}
	return append(rows, submitRow(g, "P1 round-robin leased", measure.Aim{}, func(b *measure.Bench) (measure.Timed, error) {
		return leasedSubmits(b, g)
	}))
}

func submitRow(g Guests, name string, aim measure.Aim, ours func(*measure.Bench) (measure.Timed, error)) measure.Row {
	return measure.Row{
		Name: name, What: "Submit over Workers' Send, 16 workers", Unit: measure.Ratio, Aim: aim,
		Sides: []measure.Side{{Name: "Submit", Unit: measure.Nanoseconds}, {Name: "Send", Unit: measure.Nanoseconds}},
		Open: func(b *measure.Bench) (measure.Round, error) {
			submit, err := ours(b)
			if err != nil {
				return nil, err
			}
			send, err := sends(b, g, usual)
			if err != nil {
				return nil, err
			}
			return b.CostOver(submit, send)
		},
	}
}

// leasedSubmits is submits with a lease of Pool for each.
func leasedSubmits(b *measure.Bench, g Guests) (measure.Timed, error) {
	h, p, err := openParked(b, g, pool.PoolOptions{MinWorkers: usual, Worker: deep})
	if err != nil {
		return nil, err
	}
	put := func(from, n int) error {
		tag := uint64(from)
		submit := func(s pool.Service) error {
			_, err := s.Submit(p.ID, tag, smallPayload)
			return err
		}
		for range n {
			if err := h.WithPools(submit); err != nil {
				return err
			}
			tag++
		}
		return nil
	}
	return func(n int) (time.Duration, error) {
		return filling(n, filled, put, func() error { return p.Park(b.Context) })
	}, nil
}
