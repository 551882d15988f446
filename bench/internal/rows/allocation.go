package rows

// P3: what a Submit allocates beyond the copy of its payload.
//
// The runtime's own count of allocated objects is read before and after as many Submits as fill the mailboxes, in the whole
// process, after the mailboxes have been filled that far before. Submits of 16 bytes to 16 workers at the gate; "refused": the
// same to full mailboxes; "observed": one observer, which is waited for, so that the count covers what an event's delivery
// allocates; "supervised": an owner's Supervise sleeps meanwhile. The figure is rounded to a hundredth: an object now and then
// is the Go runtime's own.

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/host"
	"github.com/JairusSW/pool/bench/internal/measure"
)

func allocationRows(g Guests) []measure.Row {
	row := func(name, what string, open func(*measure.Bench) (func() (float64, error), error)) measure.Row {
		return measure.Row{
			Name: "P3 " + name, What: "allocations of " + what, Unit: measure.Allocations, Aim: measure.AtMost(0),
			Open: func(b *measure.Bench) (measure.Round, error) {
				count, err := open(b)
				if err != nil {
					return nil, err
				}
				if _, err := count(); err != nil { // everything grows to its size
					return nil, err
				}
				return func() (measure.Sample, error) {
					n, err := count()
					return measure.Sample{Figure: math.Round(n*100) / 100}, err
				}, nil
			},
		}
	}
	return []measure.Row{
		row("submit", "a Submit beyond the payload's copy", g.countSubmits),
		row("refused", "a refused Submit", g.countRefused),
		row("observed", "a Submit and its event, beyond the copy", g.countObserved),
		row("supervised", "a Submit while Supervise sleeps, beyond the copy", g.countSupervised),
	}
}

// allocated returns how many objects the process allocated during f, for each of n.
func allocated(n int, f func() error) (float64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := f()
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / float64(n), err
}

func (g Guests) countSubmits(b *measure.Bench) (func() (float64, error), error) {
	h, p, err := openParked(b, g, pool.PoolOptions{MinWorkers: usual, Worker: deep})
	return submitCounter(b.Context, h, p), err
}

// submitCounter counts the allocations of a Submit but one, the copy.
func submitCounter(ctx context.Context, h *host.Host, p *host.Pool) func() (float64, error) {
	return func() (n float64, err error) {
		err = h.WithPools(func(s pool.Service) error {
			n, err = allocated(filled, func() error { return submitMany(s, p.ID, 0, filled) })
			return err
		})
		if err != nil {
			return 0, err
		}
		return n - 1, p.Park(ctx)
	}
}

func (g Guests) countRefused(b *measure.Bench) (func() (float64, error), error) {
	h, p, err := openParked(b, g, pool.PoolOptions{MinWorkers: usual, Worker: pool.WorkerOptions{QueueCapacity: 1}})
	if err != nil {
		return nil, err
	}
	err = h.WithPools(func(s pool.Service) error { return submitMany(s, p.ID, 0, usual) })
	return func() (n float64, err error) {
		err = h.WithPools(func(s pool.Service) error {
			n, err = allocated(filled, func() error { return refusals(s, p.ID) })
			return err
		})
		return n, err
	}, err
}

func refusals(s pool.Service, id pool.PoolID) error {
	for range filled {
		if _, err := s.Submit(id, 1, smallPayload); err != pool.ErrPoolBackpressure {
			return fmt.Errorf("a full pool answered a Submit with %v", err)
		}
	}
	return nil
}

func (g Guests) countObserved(b *measure.Bench) (func() (float64, error), error) {
	h, p, o, err := openObserved(b, g, usual)
	return func() (n float64, err error) {
		err = h.WithPools(func(s pool.Service) error {
			n, err = allocated(filled, func() error { return o.submitMany(b.Context, s, filled) })
			return err
		})
		if err != nil {
			return 0, err
		}
		return n - 1, o.parkAndSettle(b.Context, h, p)
	}, err
}

func (g Guests) countSupervised(b *measure.Bench) (func() (float64, error), error) {
	h, p, err := openParked(b, g, pool.PoolOptions{MinWorkers: usual, Worker: deep})
	if err != nil {
		return nil, err
	}
	supervise(b, h, p)
	return submitCounter(b.Context, h, p), nil
}
