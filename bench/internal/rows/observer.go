package rows

import (
	"context"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/host"
	"github.com/JairusSW/pool/bench/internal/measure"
)

// burst is how many events an observer may be behind: its queue has room for 1 024, and gives up tasks' events from 7/8 on.
const burst = 512

// observer sees a pool's routed tasks, and says after each burst that it has.
type observer struct {
	id      pool.PoolID
	seen    int           // of the burst
	told    chan struct{} // of a burst
	settled chan struct{} // of a marker
}

// marker is the tag of a task whose event says that the observer has nothing else before it.
const marker uint64 = 1 << 62

// observe subscribes an observer that is unsubscribed when the row has been measured.
func observe(b *measure.Bench, h *host.Host, id pool.PoolID) (*observer, error) {
	o := &observer{id: id, told: make(chan struct{}, 1), settled: make(chan struct{}, 1)}
	return o, h.WithPools(func(s pool.Service) error {
		sub, err := s.ObserveEvents(o.event)
		if err != nil {
			return err
		}
		b.OnClose(func() error {
			return h.WithPools(func(s pool.Service) error { return s.UnsubscribeEvents(sub) })
		})
		return nil
	})
}

func (o *observer) event(e *pool.PoolEvent) {
	switch {
	case e.Pool != o.id || e.Kind != pool.PoolTaskRouted || e.Tag >= host.FirstOrder:
	case e.Tag == marker:
		select {
		case o.settled <- struct{}{}:
		default: // an earlier one has not been looked at
		}
	default:
		if o.seen++; o.seen == burst {
			o.seen = 0
			o.told <- struct{}{}
		}
	}
}

// patience is when a marker counts as given up: events of tasks are, while a queue is nearly full.
const patience = 10 * time.Millisecond

// settle waits until the observer has seen what there was.
func (o *observer) settle(ctx context.Context, s pool.Service) error {
	for {
		if _, err := s.Submit(o.id, marker, nil); err != nil {
			return err
		}
		select {
		case <-o.settled:
			return nil
		case <-time.After(patience):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// submitMany submits n tasks, a multiple of burst, and waits after each burst until the observer has seen it. The observer must
// have settled.
func (o *observer) submitMany(ctx context.Context, s pool.Service, n int) error {
	for from := 0; from < n; from += burst {
		if err := submitMany(s, o.id, from, burst); err != nil {
			return err
		}
		select {
		case <-o.told:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// parkAndSettle has the workers empty their mailboxes and the observer its queue.
func (o *observer) parkAndSettle(ctx context.Context, h *host.Host, p *host.Pool) error {
	if err := p.Park(ctx); err != nil {
		return err
	}
	return h.WithPools(func(s pool.Service) error { return o.settle(ctx, s) })
}

// openObserved is openParked with an observer that has settled.
func openObserved(b *measure.Bench, g Guests, size uint32) (*host.Host, *host.Pool, *observer, error) {
	h, p, err := openParked(b, g, pool.PoolOptions{MinWorkers: size, Worker: deep})
	if err != nil {
		return nil, nil, nil, err
	}
	o, err := observe(b, h, p.ID)
	if err != nil {
		return nil, nil, nil, err
	}
	return h, p, o, o.parkAndSettle(b.Context, h, p)
}

// observedSubmits is n Submits, rounded up to whole bursts, and the delivery of their events.
func observedSubmits(b *measure.Bench, g Guests, size uint32) (measure.Timed, error) {
	h, p, o, err := openObserved(b, g, size)
	put := func(_, n int) error {
		return h.WithPools(func(s pool.Service) error { return o.submitMany(b.Context, s, n) })
	}
	return whole(burst, func(n int) (time.Duration, error) {
		return filling(n, filled, put, func() error { return o.parkAndSettle(b.Context, h, p) })
	}), err
}
