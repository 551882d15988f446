package rows

// S10: from a guest's trap to its replacement with a task in hand, under Supervise.
//
// A pool of one worker, the trivial guest, whose owner is in Supervise. A task has the guest trap; another one waits behind it.
// The time is taken in the host call whose return makes the guest trap, and in the replacement's host call that has the next
// task. Each round is the median of 25 traps, one after the other.

import (
	"context"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/host"
	"github.com/JairusSW/pool/bench/internal/measure"
)

// traps are those of a round.
const traps = 25

func recoveryRows(g Guests) []measure.Row {
	return []measure.Row{{
		Name: "S10 recovery", What: "trap to replacement serving, under Supervise", Unit: measure.Nanoseconds, Aim: measure.AtMost(1e6),
		Open: func(b *measure.Bench) (measure.Round, error) {
			h, p, err := openPool(b, g.Trivial, pool.PoolOptions{MinWorkers: 1, MaxRestarts: pool.UnlimitedRestarts})
			if err != nil {
				return nil, err
			}
			supervise(b, h, p)
			return func() (measure.Sample, error) {
				times := make([]float64, traps)
				for i := range times {
					if times[i], err = recovery(b.Context, h, p); err != nil {
						return measure.Sample{}, err
					}
				}
				return measure.Sample{Figure: measure.SpreadOf(times).Median}, nil
			}, nil
		},
	}}
}

// recovery has the worker trap and returns how long it took until the next task was in hand (nanoseconds).
func recovery(ctx context.Context, h *host.Host, p *host.Pool) (float64, error) {
	err := h.WithPools(func(s pool.Service) error {
		for _, tag := range []uint64{host.TagTrap, host.TagMark} {
			if _, err := s.SubmitWait(ctx, p.ID, pool.Task{Tag: tag, Key: tag}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	var at [2]host.Mark
	for i := range at {
		select {
		case at[i] = <-h.Marks:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	return float64(at[1].At.Sub(at[0].At)), nil
}
