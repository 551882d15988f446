package rows

import (
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/host"
	"github.com/JairusSW/pool/bench/internal/measure"
	"github.com/wago-org/workers"
)

// filled is how many tasks are put into the mailboxes of all workers together before they are emptied, off the clock.
const filled = 1 << 14

// deep are mailboxes in which they all have room, wherever the strategy puts them.
var deep = workers.WorkerOptions{QueueCapacity: workers.MaxWorkerQueueCapacity, MaxPayloadBytes: 64, MaxQueueBytes: 4 << 20}

// smallPayload is what tasks bring: 16 bytes.
var smallPayload = make([]byte, 16)

// filling puts n tasks into mailboxes, a batch between two emptyings; only put is on the clock. From is the number of tasks put
// before.
func filling(n, batch int, put func(from, n int) error, empty func() error) (total time.Duration, err error) {
	for from := 0; from < n; {
		next := min(n-from, batch)
		took, err := measure.Clock(func() error { return put(from, next) })
		if err != nil {
			return 0, err
		}
		if err := empty(); err != nil {
			return 0, err
		}
		total += took
		from += next
	}
	return total, nil
}

// whole is a Timed in whole batches.
func whole(batch int, run measure.Timed) measure.Timed {
	return func(n int) (time.Duration, error) {
		all := (n + batch - 1) / batch * batch
		took, err := run(all)
		return time.Duration(float64(took) * float64(n) / float64(all)), err
	}
}

// submits is Submit, n times, a batch between two emptyings, to a pool whose workers take nothing meanwhile.
func submits(b *measure.Bench, g Guests, kind pool.Strategy, size uint32, batch int) (measure.Timed, error) {
	h, p, err := openParked(b, g, pool.PoolOptions{Strategy: kind, MinWorkers: size, Worker: deep})
	if err != nil {
		return nil, err
	}
	put := func(from, n int) error {
		return h.WithPools(func(s pool.Service) error { return submitMany(s, p.ID, from, n) })
	}
	return func(n int) (time.Duration, error) {
		return filling(n, batch, put, func() error { return p.Park(b.Context) })
	}, nil
}

// openParked is openPool with all workers at the gate.
func openParked(b *measure.Bench, g Guests, opts pool.PoolOptions) (*host.Host, *host.Pool, error) {
	h, p, err := openPool(b, g.Trivial, opts)
	if err != nil {
		return nil, nil, err
	}
	return h, p, p.Park(b.Context)
}

// submitMany is the loop on the clock. The tag, which is the key too, is another each time.
func submitMany(s pool.Service, id pool.PoolID, from, n int) error {
	for tag := uint64(from); tag < uint64(from+n); tag++ {
		if _, err := s.Submit(id, tag, smallPayload); err != nil {
			return err
		}
	}
	return nil
}

// sends is Workers' own Send, n times through its lease, to workers that take nothing meanwhile, each in turn.
func sends(b *measure.Bench, g Guests, size uint32) (measure.Timed, error) {
	h, r, err := openRaw(b, g.Trivial, size)
	return func(n int) (time.Duration, error) {
		return filling(n, filled, func(_, n int) error { return sendMany(h, r.IDs, n) }, func() error { return r.Drain(b.Context) })
	}, err
}

// openRaw starts a host with workers that wait, and without Pool.
func openRaw(b *measure.Bench, guest []byte, size uint32) (*host.Host, *host.Raw, error) {
	h, err := openHost(b, guest, host.Workers, size)
	if err != nil {
		return nil, nil, err
	}
	r, err := h.NewRaw(b.Context, size, deep)
	return h, r, err
}

// sendMany is the loop on the clock. One function serves every lease, so that none is allocated.
func sendMany(h *host.Host, ids []workers.WorkerID, n int) error {
	at := 0
	send := func(w workers.Service) error { return w.Send(ids[at], 1, smallPayload) }
	for range n {
		if err := h.WithWorkers(send); err != nil {
			return err
		}
		if at++; at == len(ids) {
			at = 0
		}
	}
	return nil
}

// dealt says how many of n things each gets that are dealt out in turn.
func dealt(n, among int) []int {
	counts := make([]int, among)
	for i := range counts {
		counts[i] = n / among
		if i < n%among {
			counts[i]++
		}
	}
	return counts
}
