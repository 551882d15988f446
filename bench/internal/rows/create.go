package rows

// P7: Create of 64 workers over 64 × (fork and first host call); and of a consistent-hash pool over a round-robin one.
//
// The clock runs until all 64 workers have come to their first host call, not just until Create returns. The other side forks
// the same guest 64 times with the same host, one after the other, and runs each fork's entry, which makes one host call and
// returns. What was made is taken apart off the clock. Both sides use the trivial guest.

import (
	"context"
	"errors"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/host"
	"github.com/JairusSW/pool/bench/internal/measure"
	"github.com/wago-org/wago"
)

const created = 64 // workers

func createRows(g Guests) []measure.Row {
	row := func(name, what string, aim float64, ourName, theirName string, ours, theirs side) measure.Row {
		return measure.Row{
			Name: "P7 " + name, What: what, Unit: measure.Ratio, Aim: measure.AtMost(aim),
			Sides: []measure.Side{{Name: ourName, Unit: measure.Nanoseconds}, {Name: theirName, Unit: measure.Nanoseconds}},
			Open: func(b *measure.Bench) (measure.Round, error) {
				our, err := ours(b)
				if err != nil {
					return nil, err
				}
				their, err := theirs(b)
				if err != nil {
					return nil, err
				}
				return b.CostOver(our, their)
			},
		}
	}
	creating := func(kind pool.Strategy) side {
		return func(b *measure.Bench) (measure.Timed, error) { return creates(b, g.Trivial, kind) }
	}
	return []measure.Row{
		row("create", "Create of 64 workers over 64 forks with a host call", 1.5, "Create", "forks",
			creating(pool.RoundRobin), func(b *measure.Bench) (measure.Timed, error) { return forksThatCall(b, g.Trivial) }),
		row("consistent-hash", "Create of 64 workers, consistent hash over round robin", 1.3, "hash", "round robin",
			creating(pool.ConsistentHash), creating(pool.RoundRobin)),
	}
}

// creates is Create, n times.
func creates(b *measure.Bench, guest []byte, kind pool.Strategy) (measure.Timed, error) {
	h, err := openHost(b, guest, host.Pools, created)
	return func(n int) (total time.Duration, err error) {
		for range n {
			made, _, err := lifetime(b.Context, h, pool.PoolOptions{Strategy: kind, MinWorkers: created})
			if err != nil {
				return 0, err
			}
			total += made
		}
		return total, nil
	}, err
}

// lifetime times a Create until every worker has come to its first host call, and a Destroy until the last one has gone.
func lifetime(ctx context.Context, h *host.Host, opts pool.PoolOptions) (made, ended time.Duration, err error) {
	var p *host.Pool
	arrived := h.Arrivals(opts.MinWorkers)
	made, err = measure.Clock(func() (err error) {
		if p, err = h.NewPool(opts); err != nil {
			return err
		}
		select {
		case <-arrived:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	if p != nil {
		var destroyed error
		ended, destroyed = measure.Clock(p.Destroy)
		err = errors.Join(err, destroyed)
	}
	return made, ended, err
}

// forksThatCall is 64 forks, n times, each with a host call of its own.
func forksThatCall(b *measure.Bench, guest []byte) (measure.Timed, error) {
	h, err := openHost(b, guest, host.Bare, 0)
	if err != nil {
		return nil, err
	}
	h.SendHome()
	forks := make([]*wago.ManagedInstance, 0, created)
	return func(n int) (total time.Duration, err error) {
		for range n {
			took, err := measure.Clock(func() (err error) {
				forks, err = forkMany(b.Context, h, forks[:0])
				return err
			})
			for _, fork := range forks {
				err = errors.Join(err, fork.Close())
			}
			if err != nil {
				return 0, err
			}
			total += took
		}
		return total, nil
	}, nil
}

func forkMany(ctx context.Context, h *host.Host, into []*wago.ManagedInstance) ([]*wago.ManagedInstance, error) {
	for range created {
		fork, err := h.Manager.Fork(ctx, h.Caller)
		if err != nil {
			return into, err
		}
		into = append(into, fork)
		if err := fork.InvokeVoidTable(ctx, h.Entry); err != nil {
			return into, err
		}
	}
	return into, nil
}
