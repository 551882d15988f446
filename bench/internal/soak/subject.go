package soak

import (
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/ledger"
)

// subject is a pool.
//
// Safe for concurrent use.
type subject struct {
	plan
	id    pool.PoolID
	owner *owner
	book  *ledger.Book

	shut atomic.Bool // it drains, and takes no tasks
}

// stage is the pools of a world.
//
// Safe for concurrent use.
type stage struct {
	mu   sync.Mutex
	live []*subject               // guarded by mu: those that may exist
	all  map[pool.PoolID]*subject // guarded by mu
}

func (s *stage) enter(p *subject) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = make(map[pool.PoolID]*subject)
	}
	s.all[p.id] = p
	s.live = append(s.live, p)
}

// exit notes that the pool is gone for callers.
func (s *stage) exit(p *subject) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live = slices.DeleteFunc(s.live, func(other *subject) bool { return other == p })
}

// any is one of the pools that may exist; nil: there are none.
func (s *stage) any(dice *rand.Rand) *subject {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.live) == 0 {
		return nil
	}
	return s.live[dice.IntN(len(s.live))]
}

func (s *stage) find(id pool.PoolID) *subject {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[id]
}

func (s *stage) living() []*subject {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.live)
}

// every is all pools that ever were, by id.
func (s *stage) every() (all []*subject) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.all {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *subject) int { return int(a.id) - int(b.id) })
	return all
}
