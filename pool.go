package pool

import (
	"github.com/JairusSW/pool/service"
	"github.com/JairusSW/pool/strategy"
	"github.com/JairusSW/pool/supervise"
)

// The contract and what its methods take and return.
type (
	// Service is the contract that Pool provides.
	// Safe for concurrent use.
	Service = service.Service
	// Pools implements Service.
	// Safe for concurrent use.
	Pools = service.Pools
	// PoolID identifies a pool: from 1 on, never reused in the life of a runtime.
	// Safe for concurrent use.
	PoolID = service.ID
	// WorkerID identifies a worker of the Workers plugin.
	// Safe for concurrent use.
	WorkerID = service.WorkerID
	// WorkerOptions bounds a worker's mailbox.
	// Safe for concurrent use while nobody changes it.
	WorkerOptions = service.WorkerOptions
	// PoolOptions shapes a pool.
	// Safe for concurrent use while nobody changes it.
	PoolOptions = service.Options
	// Limits bounds the service as a whole.
	// Safe for concurrent use while nobody changes it.
	Limits = service.Limits
	// Task is what a guest works on.
	// Safe for concurrent use while nobody changes it.
	Task = service.Task
	// TaskError is how an accepted task ended that Call had submitted.
	// Safe for concurrent use while nobody changes it.
	TaskError = service.TaskError
	// PoolStats is one consistent snapshot of a pool.
	// Safe for concurrent use while nobody changes it.
	PoolStats = service.Stats
	// WorkerStat is one worker's share of a PoolStats.
	// Safe for concurrent use while nobody changes it.
	WorkerStat = service.WorkerStat
	// WorkerExit is how and when a worker ended.
	// Safe for concurrent use while nobody changes it.
	WorkerExit = service.WorkerExit
	// PoolEvent is what observers are given.
	// Not safe for concurrent use; it is the observer's until that returns.
	PoolEvent = service.Event
	// PoolEventKind says what an event reports.
	// Safe for concurrent use.
	PoolEventKind = service.EventKind
	// Reason says why an event happened.
	// Safe for concurrent use.
	Reason = service.Reason
	// EventSubscription is the handle of a subscription to events.
	// Safe for concurrent use.
	EventSubscription = service.EventSubscription
	// Strategy chooses the worker of a task.
	// Safe for concurrent use.
	Strategy = strategy.Kind
	// OverflowPolicy says what a submit does when the chosen worker is full.
	// Safe for concurrent use.
	OverflowPolicy = service.OverflowPolicy
	// RestartPolicy says which workers are replaced when they end.
	// Safe for concurrent use.
	RestartPolicy = supervise.Policy
	// Backoff delays replacements.
	// Safe for concurrent use while nobody changes it.
	Backoff = supervise.Backoff
	// Error is the type of the sentinel errors.
	// Safe for concurrent use.
	Error = service.Error
	// OptionError says which option was refused and why.
	// Safe for concurrent use while nobody changes it.
	OptionError = service.OptionError
	// LimitError says which ceiling kept a pool from growing.
	// Safe for concurrent use while nobody changes it.
	LimitError = service.LimitError
)

// The strategies; package strategy says what each does.
const (
	RoundRobin     = strategy.RoundRobin
	LeastLoaded    = strategy.LeastLoaded
	Random         = strategy.Random
	PowerOfTwo     = strategy.PowerOfTwo
	ConsistentHash = strategy.ConsistentHash
	Broadcast      = strategy.Broadcast
)

// The overflow policies; package service says what each does.
const (
	OverflowSpill  = service.OverflowSpill
	OverflowReject = service.OverflowReject
	OverflowShed   = service.OverflowShed
)

// The restart policies; package supervise says what each does.
const (
	RestartOnFailure = supervise.OnFailure
	RestartAlways    = supervise.Always
	RestartNever     = supervise.Never
)

// Numbers with a meaning, and defaults; package service says what each is.
const (
	NoWorkers                = service.NoWorkers
	UnlimitedRestarts        = service.UnlimitedRestarts
	Lifetime                 = service.Lifetime
	DefaultRestartWindow     = service.DefaultRestartWindow
	DefaultMaxRestarts       = service.DefaultMaxRestarts
	DefaultMaxPools          = service.DefaultMaxPools
	DefaultMaxWorkersPerPool = service.DefaultMaxWorkersPerPool
	DefaultMaxTotalWorkers   = service.DefaultMaxTotalWorkers
	DefaultRingReplicas      = service.DefaultRingReplicas
	MaxRingReplicas          = service.MaxRingReplicas
)

// The kinds of events; package service says what each reports.
const (
	PoolCreated         = service.PoolCreated
	PoolWorkerAdded     = service.PoolWorkerAdded
	PoolWorkerRemoved   = service.PoolWorkerRemoved
	PoolScaled          = service.PoolScaled
	PoolTaskRouted      = service.PoolTaskRouted
	PoolTaskRejected    = service.PoolTaskRejected
	PoolDrained         = service.PoolDrained
	PoolDestroyed       = service.PoolDestroyed
	PoolDraining        = service.PoolDraining
	PoolHalted          = service.PoolHalted
	PoolRearmed         = service.PoolRearmed
	PoolTaskFailed      = service.PoolTaskFailed
	PoolTaskDropped     = service.PoolTaskDropped
	PoolTaskRedelivered = service.PoolTaskRedelivered
	PoolTaskRetried     = service.PoolTaskRetried
	PoolTaskShed        = service.PoolTaskShed
	PoolLimited         = service.PoolLimited
	PoolEventsLost      = service.PoolEventsLost
)

// The reasons of events; package service says what each stands for.
const (
	ReasonNone           = service.ReasonNone
	ReasonEmpty          = service.ReasonEmpty
	ReasonFull           = service.ReasonFull
	ReasonTooLarge       = service.ReasonTooLarge
	ReasonWaitEnded      = service.ReasonWaitEnded
	ReasonGuestFailed    = service.ReasonGuestFailed
	ReasonWorkerExited   = service.ReasonWorkerExited
	ReasonTimeout        = service.ReasonTimeout
	ReasonDestroyed      = service.ReasonDestroyed
	ReasonCreatorClosed  = service.ReasonCreatorClosed
	ReasonServiceStopped = service.ReasonServiceStopped
	ReasonDrained        = service.ReasonDrained
	ReasonCreateFailed   = service.ReasonCreateFailed
	ReasonScale          = service.ReasonScale
	ReasonLoad           = service.ReasonLoad
	ReasonShare          = service.ReasonShare
	ReasonGaveUp         = service.ReasonGaveUp
	ReasonHalt           = service.ReasonHalt
	ReasonRearm          = service.ReasonRearm
	ReasonCeiling        = service.ReasonCeiling
	ReasonSpawnFailed    = service.ReasonSpawnFailed
)

// The sentinel errors; package service says when each happens and what to do.
const (
	ErrPoolsInactive       = service.ErrPoolsInactive
	ErrPoolsClosed         = service.ErrPoolsClosed
	ErrWorkersUnavailable  = service.ErrWorkersUnavailable
	ErrPoolNotFound        = service.ErrPoolNotFound
	ErrPoolEmpty           = service.ErrPoolEmpty
	ErrPoolDraining        = service.ErrPoolDraining
	ErrPoolBackpressure    = service.ErrPoolBackpressure
	ErrPoolLimit           = service.ErrPoolLimit
	ErrPoolWorkerLimit     = service.ErrPoolWorkerLimit
	ErrPoolIDExhausted     = service.ErrPoolIDExhausted
	ErrPoolOwner           = service.ErrPoolOwner
	ErrPoolSupervised      = service.ErrPoolSupervised
	ErrPoolHalted          = service.ErrPoolHalted
	ErrPoolDestroyed       = service.ErrPoolDestroyed
	ErrPoolWorkersRemain   = service.ErrPoolWorkersRemain
	ErrPoolNotDrained      = service.ErrPoolNotDrained
	ErrCallerEnding        = service.ErrCallerEnding
	ErrInvalidPoolOptions  = service.ErrInvalidPoolOptions
	ErrNoTask              = service.ErrNoTask
	ErrTaskFailed          = service.ErrTaskFailed
	ErrTaskTimeout         = service.ErrTaskTimeout
	ErrTasksDropped        = service.ErrTasksDropped
	ErrPayloadTooLarge     = service.ErrPayloadTooLarge
	ErrUnknownSubscription = service.ErrUnknownSubscription
	ErrInsideCallback      = service.ErrInsideCallback
)

// OptimalWorkers is the number of workers that can run at once: GOMAXPROCS, at least 1.
//
// Safe for concurrent use.
func OptimalWorkers() uint32 { return service.OptimalWorkers() }
