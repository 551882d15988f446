package rows

// G2: resident memory for each idle worker of a guest with 16 MiB of memory.
//
// The process's resident memory is read with a pool of 64 such workers that wait for tasks, less what it was before the pool was
// made, for each worker. The Go heap is collected and given back to the system before both readings. Linux only.

import (
	"errors"
	"runtime/debug"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/host"
	"github.com/JairusSW/pool/bench/internal/measure"
)

func residentRows(g Guests) []measure.Row {
	return []measure.Row{{
		Name: "G2 resident", What: "resident memory per idle worker of a 16 MiB guest", Unit: measure.Bytes, Aim: measure.AtMost(32 << 10),
		Open: func(b *measure.Bench) (measure.Round, error) {
			if _, err := resident(); err != nil {
				return nil, err
			}
			h, err := openHost(b, g.Memory16, host.Pools, created)
			if err != nil {
				return nil, err
			}
			one := func() (float64, error) { return residentEach(b, h, pool.PoolOptions{MinWorkers: created}) }
			if _, err := one(); err != nil { // what the first pool leaves behind is nobody's
				return nil, err
			}
			return func() (measure.Sample, error) {
				bytes, err := one()
				return measure.Sample{Figure: bytes}, err
			}, nil
		},
	}}
}

// residentEach is how many bytes become resident for each worker of a pool that it creates and destroys.
func residentEach(b *measure.Bench, h *host.Host, opts pool.PoolOptions) (float64, error) {
	before, err := settledResident()
	if err != nil {
		return 0, err
	}
	arrived := h.Arrivals(opts.MinWorkers)
	p, err := h.NewPool(opts)
	if err != nil {
		return 0, err
	}
	select {
	case <-arrived:
	case <-b.Context.Done():
		return 0, errors.Join(b.Context.Err(), p.Destroy())
	}
	after, err := settledResident()
	return float64(after-before) / float64(opts.MinWorkers), errors.Join(err, p.Destroy())
}

// settledResident reads the resident memory when the Go heap has nothing left to give back.
func settledResident() (int64, error) {
	debug.FreeOSMemory()
	return resident()
}
