package soak

import (
	"maps"
	"sync"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/ledger"
)

// witness is the observer that keeps up: it follows every pool's life, and the order of all events.
//
// Safe for concurrent use.
type witness struct {
	world *world

	mu       sync.Mutex
	sequence ledger.Sequence              // guarded by mu
	lives    map[pool.PoolID]*ledger.Life // guarded by mu
}

// observe subscribes the witness.
func (n *witness) observe() {
	n.lives = make(map[pool.PoolID]*ledger.Life)
	err := n.world.with(func(s pool.Service) error {
		_, err := s.ObserveEvents(n.add)
		return err
	})
	n.world.expect("ObserveEvents", err)
}

func (n *witness) add(e *pool.PoolEvent) {
	n.world.count("events", e.Kind.String())
	n.mu.Lock()
	defer n.mu.Unlock()
	n.world.check(n.sequence.Next(e), "the witness")
	if e.Kind == pool.PoolEventsLost {
		n.world.run.totals.add("events", "lost by the witness", e.Count)
		for _, life := range n.lives {
			life.Gap()
		}
		return
	}
	life := n.lives[e.Pool]
	if life == nil {
		// A pool from before the subscription, or whose begin was lost, has no PoolCreated; any other has to have one.
		whole := e.Kind == pool.PoolCreated || !n.world.dark && n.sequence.Lost == 0
		life = ledger.NewLife(whole)
		n.lives[e.Pool] = life
	}
	n.world.check(life.Add(e), "the witness")
	if e.Kind == pool.PoolWorkerAdded {
		n.world.belong(e.Worker, e.Pool)
	}
}

// every is all the lives.
func (n *witness) every() map[pool.PoolID]*ledger.Life {
	n.mu.Lock()
	defer n.mu.Unlock()
	return maps.Clone(n.lives)
}
