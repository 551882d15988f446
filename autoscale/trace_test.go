package autoscale_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/JairusSW/pool/autoscale"
)

func logTrace(t *testing.T, name string, m measures) {
	t.Helper()
	t.Logf("%-10s changes of direction %d, starts %d, peak %d", name, m.turns, m.forks, m.peak)
	t.Logf("%-10s work over the target %.4f %%, worker seconds over the ideal %.3f", name, 100*m.overShare(), m.overSeconds())
}

// runs returns how often a random trace is run, fewer times with -short.
func runs(n uint64) uint64 {
	if testing.Short() {
		return 2
	}
	return n
}

func TestNoiseAboutASteadyLoadChangesLittle(t *testing.T) {
	for seed := range runs(10) {
		s := newSimulation(t, 4, 2, 64)
		random := rand.New(rand.NewPCG(seed, 0))
		for range 2400 {
			s.load(max(0, int(math.Round(34+4*random.NormFloat64()))))
			s.run(tick)
		}
		logTrace(t, "noise", s.result)
		assert.LessOrEqual(t, s.result.turns, uint32(6))
	}
}

func TestAStepUpIsMetAtOnce(t *testing.T) {
	s := newSimulation(t, 4, 2, 64)
	s.load(8)
	s.run(10 * time.Second)
	stepped := s.now
	s.load(80)
	s.run(60 * time.Second)
	logTrace(t, "step", s.result)
	const needed = 20
	overshoot := float64(s.result.peak)/needed - 1
	ticks := float64(s.result.settled-stepped) / float64(tick)
	t.Logf("overshoot %.1f %%, settled after %.2f ticks", 100*overshoot, ticks)
	assert.LessOrEqual(t, overshoot, 0.25)
	assert.LessOrEqual(t, ticks, 5.0)
	assert.LessOrEqual(t, s.result.overShare(), 0.01)
	assert.EqualValues(t, needed, s.result.size)
}

func TestShortBurstsAreServedWithoutKeepingTheirWorkers(t *testing.T) {
	s := newSimulation(t, 4, 2, 64)
	s.load(4)
	for range 10 {
		s.run(28 * time.Second)
		s.load(40)
		s.run(2 * time.Second)
		s.load(4)
	}
	logTrace(t, "bursts", s.result)
	assert.LessOrEqual(t, s.result.overShare(), 0.05)
	assert.LessOrEqual(t, s.result.overSeconds(), 2.0)
}

func TestAWaveIsFollowed(t *testing.T) {
	const period, periods = 120 * time.Second, 5
	for name, noise := range map[string]float64{"wave": 0, "noisy wave": 2} {
		s := newSimulation(t, 4, 2, 64)
		random := rand.New(rand.NewPCG(3, 0))
		for s.now < periods*period {
			wave := 44 - 36*math.Cos(2*math.Pi*s.now.Seconds()/period.Seconds())
			s.load(max(0, int(math.Round(wave+noise*random.NormFloat64()))))
			s.run(tick / 2)
		}
		logTrace(t, name, s.result)
		assert.LessOrEqual(t, s.result.overShare(), 0.01)
		assert.LessOrEqual(t, s.result.turns, uint32(2*periods))
	}
}

// Every decision of this trace checks the bounds (see check): more load than the ceiling allows, and none.
func TestBoundsHoldUnderAnyLoad(t *testing.T) {
	for seed := range runs(10) {
		random := rand.New(rand.NewPCG(seed, 1))
		least := random.Uint32N(4)
		s := newSimulation(t, 1+random.Uint32N(5), least, least+1+random.Uint32N(20))
		for range 100 {
			s.load(random.IntN(120))
			s.run(time.Duration(random.Int64N(int64(4 * time.Second))))
		}
	}
}

func TestLoadOnABoundaryKeepsTheSize(t *testing.T) {
	s := newSimulation(t, 4, 1, 20)
	for range 200 {
		s.load(16)
		s.run(tick)
		s.load(17)
		s.run(tick)
		if s.now > 2*time.Second {
			assert.EqualValues(t, 5, s.result.size)
		}
	}
	assert.LessOrEqual(t, s.result.turns, uint32(2))
	assert.LessOrEqual(t, s.result.forks, uint32(6))
}

func TestStepsAreExact(t *testing.T) {
	s := newSimulation(t, 4, 1, 20)
	for _, c := range []struct {
		load int
		size uint32
	}{{37, 10}, {41, 11}, {80, 20}, {81, 20}, {0, 1}} {
		s.load(c.load)
		s.run(10 * time.Second)
		assert.Equal(t, c.size, s.result.size)
		assert.EqualValues(t, c.size, s.routable())
	}
}

func TestWorkersOnTheirWayOutAreTakenBackFirst(t *testing.T) {
	s := newSimulation(t, 4, 1, 20)
	for n := range 40 { // one by one, so that all workers get some
		s.load(n + 1)
		s.run(tick)
	}
	forks := s.result.forks
	s.load(11) // about one each: 3 workers are enough, and the others are cordoned with what they have
	s.run(autoscale.DefaultDelay + time.Second)
	assert.Equal(t, 3, s.routable())
	cordoned := len(s.workers) - s.routable()
	assert.Positive(t, cordoned)
	s.load(20)
	s.run(time.Second)
	assert.Equal(t, 5, s.routable())
	assert.Equal(t, forks+uint32(max(0, 2-cordoned)), s.result.forks)
}
