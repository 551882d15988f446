package rows

// The table of --scale: what costs how much at which size of a pool.
//
// Submit: as P1's round robin. Call: as P6, one caller and all workers idle. Stats: of a pool whose workers are idle. Create:
// until every worker has come to its first host call; Destroy: until the last one has gone; both for each worker. Event: 512 Submits and the delivery of their events to
// one observer, for each. Memory: as G2, with the trivial guest, whose memory is one page of 64 KiB.
//
// Workers asks for 1 024 instances. A copy of its provider asks for as many as the size needs, and for memory in proportion; the
// configurations of Workers and Pool are raised to match.

import (
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/host"
	"github.com/JairusSW/pool/bench/internal/measure"
)

// ScaleSizes are the sizes of the table (workers).
var ScaleSizes = []int{1, 16, 64, 256, 1024, 4096}

// ScaleColumns are the table's columns.
func ScaleColumns(g Guests) []measure.Column {
	return []measure.Column{
		timed("Submit", func(b *measure.Bench, size int) (measure.Timed, error) {
			return submits(b, g, pool.RoundRobin, uint32(size), filled)
		}),
		timed("Call", func(b *measure.Bench, size int) (measure.Timed, error) { return oneCaller(b, g.Trivial, uint32(size)) }),
		timed("Stats", func(b *measure.Bench, size int) (measure.Timed, error) { return statsOf(b, g, uint32(size)) }),
		{Side: measure.Side{Name: "Create, per worker", Unit: measure.Nanoseconds}, Open: g.perWorker(func(made, _ time.Duration) time.Duration { return made })},
		{Side: measure.Side{Name: "Destroy, per worker", Unit: measure.Nanoseconds}, Open: g.perWorker(func(_, ended time.Duration) time.Duration { return ended })},
		timed("event", func(b *measure.Bench, size int) (measure.Timed, error) { return observedSubmits(b, g, uint32(size)) }),
		{Side: measure.Side{Name: "memory, per worker", Unit: measure.Bytes}, Open: g.residentPerWorker},
	}
}

// timed is the column of what an operation costs.
func timed(name string, open func(*measure.Bench, int) (measure.Timed, error)) measure.Column {
	return measure.Column{
		Side: measure.Side{Name: name, Unit: measure.Nanoseconds},
		Open: func(b *measure.Bench, size int) (func() (float64, error), error) {
			f, err := open(b, size)
			if err != nil {
				return nil, err
			}
			m, err := b.Meter(f)
			if err != nil {
				return nil, err
			}
			return m.Cost, nil
		},
	}
}

// perWorker is the column of a part of a pool's lifetime, for each of its workers.
func (g Guests) perWorker(part func(made, ended time.Duration) time.Duration) func(*measure.Bench, int) (func() (float64, error), error) {
	return func(b *measure.Bench, size int) (func() (float64, error), error) {
		h, err := openHost(b, g.Trivial, host.Pools, uint32(size))
		return func() (float64, error) {
			made, ended, err := lifetime(b.Context, h, pool.PoolOptions{MinWorkers: uint32(size), Worker: shallow})
			return float64(part(made, ended)) / float64(size), err
		}, err
	}
}

// shallow are mailboxes of which many fit into what Workers grants.
var shallow = pool.WorkerOptions{MaxPayloadBytes: 64, MaxQueueBytes: 1 << 16}

func (g Guests) residentPerWorker(b *measure.Bench, size int) (func() (float64, error), error) {
	if _, err := resident(); err != nil {
		return nil, err
	}
	h, err := openHost(b, g.Trivial, host.Pools, uint32(size))
	return func() (float64, error) {
		return residentEach(b, h, pool.PoolOptions{MinWorkers: uint32(size), Worker: shallow})
	}, err
}
