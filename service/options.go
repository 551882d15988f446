package service

import (
	"time"

	"github.com/JairusSW/pool/strategy"
	"github.com/JairusSW/pool/supervise"
	"github.com/wago-org/workers"
)

// Numbers with a meaning, and defaults.
const (
	// NoWorkers as MinWorkers asks for a floor of zero (elastic pools only).
	NoWorkers uint32 = 1<<32 - 1
	// UnlimitedRestarts as MaxRestarts never halts a pool whose workers take tasks before they fail.
	UnlimitedRestarts = supervise.Unlimited
	// DefaultMaxRestarts is the number of replacements within the window before the next failure halts the pool.
	DefaultMaxRestarts = supervise.DefaultMaxRestarts
	// DefaultRestartWindow is the time in which MaxRestarts counts.
	DefaultRestartWindow = supervise.DefaultWindow
	// Lifetime as RestartWindow never forgets a failure.
	Lifetime = supervise.Lifetime
	// DefaultRingReplicas is the number of points a slot has on the hash ring.
	DefaultRingReplicas = strategy.DefaultReplicas
	// MaxRingReplicas is the most points a slot can have on the hash ring.
	MaxRingReplicas = strategy.MaxReplicas
)

// WorkerOptions bounds each worker's mailbox; zero fields mean Workers' defaults (64 messages, 64 KiB, 1 MiB).
//
// Safe for concurrent use while nobody changes it.
type WorkerOptions = workers.WorkerOptions

// Backoff delays replacements: delay n is uniform in [0, min(Max, Base·2ⁿ)]. The zero value is off.
//
// Safe for concurrent use while nobody changes it.
type Backoff = supervise.Backoff

// Options shapes a pool. Zero means the documented default; a bad value is refused by Create with an *OptionError.
//
// Safe for concurrent use while nobody changes it.
type Options struct {
	// Strategy chooses the worker of a task. Defaults to RoundRobin.
	Strategy strategy.Kind
	// Overflow says what happens when the chosen worker is full. Defaults to OverflowSpill.
	Overflow OverflowPolicy
	// Restart says which workers are replaced when they end. Defaults to RestartOnFailure.
	Restart supervise.Policy
	// MinWorkers is the floor of the size and what Create starts with. Defaults to 1 (workers).
	MinWorkers uint32
	// MaxWorkers is the ceiling of the size, itself clamped to the service's ceilings. Defaults to MinWorkers, and for elastic
	// pools to the greater of GOMAXPROCS and MinWorkers (workers).
	MaxWorkers uint32
	// TargetPerWorker makes the pool elastic: the load that one worker is to have. Defaults to 0: a fixed size (tasks).
	TargetPerWorker uint32
	// MaxRestarts is how many replacements the window allows. Defaults to 16 (replacements).
	MaxRestarts uint32
	// Worker bounds each mailbox.
	Worker WorkerOptions
	// HashSeed makes ConsistentHash and the random strategies repeatable. Defaults to a seed of the pool's own.
	HashSeed uint64
	// RingReplicas is the number of a slot's points on the hash ring. Defaults to 160, at most 4 096 (points).
	RingReplicas uint32
	// Retries is how often a task is delivered again after its worker ended with it in hand. Defaults to 0 (deliveries).
	Retries uint32
	// RestartWindow is the sliding time in which MaxRestarts counts. Defaults to 60 s.
	RestartWindow time.Duration
	// RestartBackoff delays replacements. Defaults to none.
	RestartBackoff Backoff
	// TaskTimeout is how long a task may be in hand. Defaults to 0: for ever.
	TaskTimeout time.Duration
	// ScaleDownDelay is how long a lower size must hold before an elastic pool shrinks. Defaults to 5 s.
	ScaleDownDelay time.Duration
}
