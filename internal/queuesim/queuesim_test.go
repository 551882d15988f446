package queuesim_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/JairusSW/pool/internal/queuesim"
)

// Random routing splits a Poisson process into Poisson processes, so each worker is an M/M/1 queue, whose
// response times are exponential with mean 1/(1-load).
func TestRandomRoutingMeetsTheory(t *testing.T) {
	for _, load := range []float64{0.3, 0.7} {
		c := queuesim.Config{Slowness: queuesim.Even(4), Load: load, Arrivals: 400_000, Seed: 1}
		got := queuesim.Run(c, func(p *queuesim.Pool) func() int {
			random := rand.New(rand.NewPCG(2, 3))
			return func() int { return random.IntN(len(p.Loads)) }
		})
		mean := 1 / (1 - load)
		assert.InEpsilon(t, mean, got.Mean, 0.05)
		assert.InEpsilon(t, mean*math.Ln2, got.P50, 0.05)
		assert.InEpsilon(t, mean*math.Log(100), got.P99, 0.05)
	}
}

func TestASlowWorkerTakesAsManyTimesLonger(t *testing.T) {
	c := queuesim.Config{Slowness: []float64{1, 10}, Load: 0.02 / 1.1, Arrivals: 100_000, Seed: 1}
	to := func(worker int) func(*queuesim.Pool) func() int {
		return func(*queuesim.Pool) func() int { return func() int { return worker } }
	}
	fast, slow := queuesim.Run(c, to(0)), queuesim.Run(c, to(1))
	assert.InEpsilon(t, 1/(1-0.02), fast.Mean, 0.05)
	assert.InEpsilon(t, 10/(1-0.2), slow.Mean, 0.05)
}

func TestLoadsAreWhatIsNotFinished(t *testing.T) {
	c := queuesim.Config{Slowness: queuesim.Even(1), Load: 0.5, Arrivals: 400_000, Seed: 1}
	sum := 0.0
	queuesim.Run(c, func(p *queuesim.Pool) func() int {
		return func() int {
			sum += float64(p.Loads[0].Load())
			return 0
		}
	})
	// An arrival finds load/(1-load) tasks on average.
	assert.InEpsilon(t, 1.0, sum/float64(c.Arrivals), 0.05)
}
