package service

import "runtime"

// Limits bounds the service as a whole. Zero fields mean their defaults. Workers has limits of its own below these: by
// default 64 live workers and 64 MiB of mailboxes.
//
// Safe for concurrent use while nobody changes it.
type Limits struct {
	// MaxPools is the number of pools that exist and are not drained; and of drained ones that are kept for each creator (for all
	// together, where Workers can't tell creators apart). Defaults to 64.
	MaxPools uint32
	// MaxWorkersPerPool is the size of one pool. Defaults to 64.
	MaxWorkersPerPool uint32
	// MaxTotalWorkers is the number of all pools' workers. Defaults to 256.
	MaxTotalWorkers uint32
	// RunnableWorkers is the number of workers that may run at once: those of fixed pools count first, and elastic pools share
	// out the rest. Defaults to OptimalWorkers.
	RunnableWorkers uint32
}

// Defaults and bounds of Limits.
const (
	DefaultMaxPools          uint32 = 64
	DefaultMaxWorkersPerPool uint32 = 64
	DefaultMaxTotalWorkers   uint32 = 256
)

// OptimalWorkers is the number of workers that can run at once: GOMAXPROCS, at least 1.
func OptimalWorkers() uint32 { return uint32(max(1, runtime.GOMAXPROCS(0))) }

func (l Limits) normalize() Limits {
	l.MaxPools = orDefault(l.MaxPools, DefaultMaxPools)
	l.MaxWorkersPerPool = orDefault(l.MaxWorkersPerPool, DefaultMaxWorkersPerPool)
	l.MaxTotalWorkers = orDefault(l.MaxTotalWorkers, DefaultMaxTotalWorkers)
	l.RunnableWorkers = orDefault(l.RunnableWorkers, OptimalWorkers())
	return l
}

// orDefault returns v, or def when v is the zero value.
func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

// workersPerPool is the largest size that one pool can have.
func (l Limits) workersPerPool() uint32 { return min(l.MaxWorkersPerPool, l.MaxTotalWorkers) }

// reservePool takes a place and an id for a pool.
func (s *Pools) reservePool() (ID, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.places >= s.limits.MaxPools {
		return 0, ErrPoolLimit
	}
	if s.lastID+1 == 0 {
		return 0, ErrPoolIDExhausted
	}
	s.places++
	s.lastID++
	return s.lastID, nil
}

func (s *Pools) releasePool() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.places--
}

// reserveWorkers takes n places for workers, all or none, and returns how many places would be needed in all.
func (s *Pools) reserveWorkers(n uint32) (wanted uint64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted = uint64(s.workers) + uint64(n)
	if wanted > uint64(s.limits.MaxTotalWorkers) {
		return wanted, false
	}
	s.workers += n
	return wanted, true
}

// releaseWorkers gives places back.
func (s *Pools) releaseWorkers(n uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.workers -= n
}

// wakeHungry has every pool look again that may grow now that a worker has gone.
func (s *Pools) wakeHungry() {
	if s.hungry.Load() == 0 {
		return
	}
	for _, p := range *s.pools.Load() {
		if p.elastic != nil || p.isLimited() {
			p.nudge()
		}
	}
}
