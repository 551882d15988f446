// Package queuesim is a small discrete-event simulation of a pool: tasks arrive at random, each is sent to
// one of several workers, and each worker serves its own queue in order. It shows what a routing rule does
// to the time a task takes from arrival to end, without workers and without waiting: time is a number, and
// its unit is the mean time of service.
package queuesim

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
)

// Config describes the pool and its load.
//
// Safe for concurrent use while nobody changes it.
type Config struct {
	// Slowness has one element a worker: how many times longer than 1 its services take on average.
	Slowness []float64
	// Load is the rate of arrivals over the rate at which all workers together can serve: how busy the pool
	// is.
	Load float64
	// Arrivals is the number of tasks. The first tenth is not measured: the pool starts idle.
	Arrivals int
	// Seed starts the arrivals and services: the same in every run with the same seed, whatever the rule.
	Seed uint64
}

// Result is about response times: from a task's arrival to its end, in mean times of service.
//
// Safe for concurrent use while nobody changes it.
type Result struct {
	Mean, P50, P99 float64
}

// Even returns the slowness of n equal workers.
//
// Safe for concurrent use.
func Even(n int) []float64 { return slices.Repeat([]float64{1}, n) }

// Pool is the state a routing rule can see: a load a worker, tasks queued and running.
//
// Not safe for concurrent use; Run owns it.
type Pool struct {
	// Loads are the loads now. A rule may keep pointers to them; it must not change them.
	Loads []atomic.Int64

	slowness []float64
	ends     [][]float64 // by worker: when each of its tasks ends, oldest first
}

// Run simulates the pool and returns the response times. bind is called once, with the pool, and returns
// the rule: what it answers is the position of the worker that gets the next task. Arrivals are a Poisson
// process, service times exponential.
//
// Not safe for concurrent use with the same bind; its owner guards it.
func Run(c Config, bind func(*Pool) func() int) Result {
	p := &Pool{
		Loads:    make([]atomic.Int64, len(c.Slowness)),
		slowness: c.Slowness,
		ends:     make([][]float64, len(c.Slowness)),
	}
	pick := bind(p)
	random := rand.New(rand.NewPCG(c.Seed, 0))
	rate := c.Load * c.capacity()
	warmup := c.Arrivals / 10
	responses := make([]float64, 0, c.Arrivals-warmup)
	now := 0.0
	for i := range c.Arrivals {
		now += random.ExpFloat64() / rate
		work := random.ExpFloat64()
		p.finish(now)
		if response := p.send(pick(), now, work); i >= warmup {
			responses = append(responses, response)
		}
	}
	return summarize(responses)
}

// capacity returns how many tasks all workers together serve in one mean time of service.
func (c Config) capacity() float64 {
	sum := 0.0
	for _, s := range c.Slowness {
		sum += 1 / s
	}
	return sum
}

// finish takes tasks that have ended off their workers.
func (p *Pool) finish(now float64) {
	for i, ends := range p.ends {
		gone := 0
		for gone < len(ends) && ends[gone] <= now {
			gone++
		}
		if gone > 0 {
			p.ends[i] = append(ends[:0], ends[gone:]...)
			p.Loads[i].Add(-int64(gone))
		}
	}
}

// send gives a task to a worker and returns how long it will take.
func (p *Pool) send(worker int, now, work float64) float64 {
	start := now
	if ends := p.ends[worker]; len(ends) > 0 {
		start = ends[len(ends)-1]
	}
	end := start + work*p.slowness[worker]
	p.ends[worker] = append(p.ends[worker], end)
	p.Loads[worker].Add(1)
	return end - now
}

func summarize(responses []float64) Result {
	sum := 0.0
	for _, r := range responses {
		sum += r
	}
	slices.Sort(responses)
	n := len(responses)
	return Result{Mean: sum / float64(n), P50: responses[n/2], P99: responses[n*99/100]}
}
