package soak

import (
	"math/rand/v2"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/ledger"
)

// The entries of the guest's table.
const (
	entryPooled  uint32 = 0 // takes tasks through Pool
	entryRaw     uint32 = 1 // takes messages through Workers
	entryReturns uint32 = 2 // returns at once
	entryTraps   uint32 = 3 // traps at once
	entrySpins   uint32 = 4 // loops at once
	entryTyped   uint32 = 5 // is no worker: it has a parameter
	entryOutside uint32 = 99
)

// plan is a pool that is to be.
type plan struct {
	opts  pool.PoolOptions
	entry uint32
	evil  int // of a thousand tasks, how many end badly
}

// dud: workers of the entry never take a task.
func (p *plan) dud() bool { return p.entry != entryPooled && p.entry != entryRaw }

// timed: a task that runs for too long is stopped. Of messages that workers take past Pool nobody knows how long they run.
func (p *plan) timed() bool { return p.opts.TaskTimeout > 0 && p.entry != entryRaw }

// shape is what the pool's book has to know.
func (p *plan) shape() ledger.Shape {
	return ledger.Shape{
		Retries: p.opts.Retries, Queue: p.opts.Worker.QueueCapacity, Max: p.opts.MaxWorkers,
		Legs: p.opts.Strategy == pool.Broadcast, Sheds: p.opts.Overflow == pool.OverflowShed,
	}
}

// anyStrategy draws one of those there are.
func anyStrategy(dice *rand.Rand) pool.Strategy {
	last := pool.RoundRobin
	for (last + 1).Valid() {
		last++
	}
	return pool.RoundRobin + pool.Strategy(dice.IntN(int(last)))
}

// newPlan draws a pool: of any strategy, policy and size, fixed or elastic.
func newPlan(dice *rand.Rand) plan {
	smallest := 1 + dice.Uint32N(4)
	p := plan{
		opts: pool.PoolOptions{
			Strategy: anyStrategy(dice), Overflow: pool.OverflowPolicy(1 + dice.IntN(3)),
			Restart: pool.RestartPolicy(1 + dice.IntN(3)), MinWorkers: smallest, MaxWorkers: smallest + dice.Uint32N(6),
			HashSeed: dice.Uint64(), RingReplicas: 1 + dice.Uint32N(200), Retries: dice.Uint32N(3),
		},
		entry: entryPooled, evil: [...]int{0, 5, 20, 80, 400}[dice.IntN(5)],
	}
	p.mailbox(dice)
	p.restarts(dice)
	if dice.IntN(2) == 0 {
		p.elastic(dice)
	}
	if dice.IntN(2) == 0 {
		p.opts.TaskTimeout = time.Duration(10+dice.IntN(190)) * time.Millisecond
	}
	switch n := dice.IntN(100); {
	case n < 10:
		p.entry = entryRaw
	case n < 18:
		p.entry = entryReturns + dice.Uint32N(3)
	}
	return p
}

func (p *plan) mailbox(dice *rand.Rand) {
	bytes := uint32(64) << dice.IntN(7)
	p.opts.Worker = pool.WorkerOptions{
		QueueCapacity: 1 << dice.IntN(7), MaxPayloadBytes: bytes, MaxQueueBytes: bytes << dice.IntN(6),
	}
}

// restarts draws how failures are dealt with: mostly so that the pool lives on.
func (p *plan) restarts(dice *rand.Rand) {
	p.opts.MaxRestarts = [...]uint32{3, 16, 64, pool.UnlimitedRestarts, pool.UnlimitedRestarts}[dice.IntN(5)]
	p.opts.RestartWindow = [...]time.Duration{200 * time.Millisecond, time.Minute, pool.Lifetime}[dice.IntN(3)]
	if dice.IntN(3) == 0 {
		base := time.Duration(1+dice.IntN(5)) * time.Millisecond
		p.opts.RestartBackoff = pool.Backoff{Base: base, Max: base << dice.IntN(5)}
	}
}

func (p *plan) elastic(dice *rand.Rand) {
	p.opts.TargetPerWorker = 1 + dice.Uint32N(4)
	p.opts.ScaleDownDelay = time.Millisecond << dice.IntN(9)
	if p.opts.Strategy != pool.Broadcast && dice.IntN(3) == 0 {
		p.opts.MinWorkers = pool.NoWorkers
	}
}

// boundedSpawns is how many workers the pool can ever have when nobody sizes or rearms it: its size, and those that replace
// workers which took nothing. False: it has no such bound.
func (p *plan) boundedSpawns() (uint64, bool) {
	if !p.dud() || p.opts.TargetPerWorker > 0 || p.opts.RestartWindow < time.Minute {
		return 0, false
	}
	restarts := p.opts.MaxRestarts
	if restarts == pool.UnlimitedRestarts {
		restarts = pool.DefaultMaxRestarts
	}
	return uint64(p.opts.MaxWorkers) + uint64(restarts), true
}

// floorless: the pool may be without workers, and parks tasks then.
func (p *plan) floorless() bool { return p.opts.MinWorkers == pool.NoWorkers }

// crooked spoils a plan: Create refuses it for its options.
func crooked(dice *rand.Rand, p plan) plan {
	switch dice.IntN(5) {
	case 0:
		p.opts.Strategy = 255
	case 1:
		p.opts.MaxWorkers, p.opts.MinWorkers = 1, 2
	case 2:
		p.opts.TaskTimeout = -1
	case 3:
		p.opts.Worker.QueueCapacity = 1 << 30
	case 4:
		p.opts.TargetPerWorker, p.opts.MinWorkers = 0, pool.NoWorkers
	}
	return p
}
