package rows

// P9: how Submit gains from a second producer on a second core, over how Send does.
//
// Each side is measured with one producer on one core (GOMAXPROCS 1) and with two on two, as P1's round robin is: 16 workers
// that wait at a gate. Two producers share the work, and Send's begin at different workers. A producer's gain is tasks per
// second with two over tasks per second with one; the figure is Submit's gain over Send's, and both are printed.

import (
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/measure"
	"github.com/wago-org/workers"
)

func producerRows(g Guests) []measure.Row {
	return []measure.Row{{
		Name: "P9 producers", What: "what a second producer gains with Submit, over the same with Send",
		Unit: measure.Ratio, Aim: measure.AtLeast(.9),
		Sides: []measure.Side{{Name: "Submit", Unit: measure.Ratio}, {Name: "Send", Unit: measure.Ratio}},
		Open: func(b *measure.Bench) (measure.Round, error) {
			submit, err := submitsBy(b, g)
			if err != nil {
				return nil, err
			}
			send, err := sendsBy(b, g)
			if err != nil {
				return nil, err
			}
			round, err := b.Costs(func(c []float64) float64 { return (c[0] / c[1]) / (c[2] / c[3]) },
				on(1, submit(1)), on(2, submit(2)), on(1, send(1)), on(2, send(2)))
			if err != nil {
				return nil, err
			}
			return func() (measure.Sample, error) {
				s, err := round()
				if err == nil {
					s.Sides = []float64{s.Sides[0] / s.Sides[1], s.Sides[2] / s.Sides[3]}
				}
				return s, err
			}, needTwo()
		},
	}}
}

// needTwo skips rows that need two cores.
func needTwo() error {
	if runtime.NumCPU() < 2 {
		return measure.Unavailable("it takes two cores")
	}
	return nil
}

// on is the side on so many cores.
func on(cores int, f measure.Timed) measure.Timed {
	return func(n int) (time.Duration, error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		return f(n)
	}
}

// together has producers do n things at once, each its share, numbered from another number on.
func together(producers, from, n int, put func(producer, from, n int) error) error {
	errs := make([]error, producers)
	var working sync.WaitGroup
	for i, share := range dealt(n, producers) {
		at := from
		working.Go(func() { errs[i] = put(i, at, share) })
		from += share
	}
	working.Wait()
	return first(errs)
}

func submitsBy(b *measure.Bench, g Guests) (func(producers int) measure.Timed, error) {
	h, p, err := openParked(b, g, pool.PoolOptions{MinWorkers: usual, Worker: deep})
	return func(producers int) measure.Timed {
		put := func(from, n int) error {
			return h.WithPools(func(s pool.Service) error {
				return together(producers, from, n, func(_, from, n int) error { return submitMany(s, p.ID, from, n) })
			})
		}
		return func(n int) (time.Duration, error) {
			return filling(n, filled, put, func() error { return p.Park(b.Context) })
		}
	}, err
}

func sendsBy(b *measure.Bench, g Guests) (func(producers int) measure.Timed, error) {
	h, r, err := openRaw(b, g.Trivial, usual)
	return func(producers int) measure.Timed {
		put := func(from, n int) error {
			return together(producers, from, n, func(producer, _, n int) error {
				return sendMany(h, turned(r.IDs, producer*usual/producers), n)
			})
		}
		return func(n int) (time.Duration, error) {
			return filling(n, filled, put, func() error { return r.Drain(b.Context) })
		}
	}, err
}

// turned returns the same in the same order, from another place on.
func turned(ids []workers.WorkerID, by int) []workers.WorkerID {
	return slices.Concat(ids[by:], ids[:by])
}
