package rig

import (
	"sync"

	"github.com/JairusSW/pool"
)

// Gates keep workers from asking for tasks: each waits before its next task until its gate, or all of them, opens.
//
// Safe for concurrent use.
type Gates struct {
	all chan struct{}

	mu     sync.Mutex
	open   bool                            // guarded by mu
	single map[pool.WorkerID]chan struct{} // guarded by mu: gates of workers that came by, or were opened before
}

// ShutGates shuts the gates for every worker that has not yet asked for its next task.
func (r *Rig) ShutGates() *Gates {
	g := &Gates{all: make(chan struct{}), single: make(map[pool.WorkerID]chan struct{})}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gates = g
	return g
}

// Open opens the gates for everybody, for good.
func (g *Gates) Open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.open {
		g.open = true
		close(g.all)
	}
}

// OpenFor opens the gate of one worker, for good.
func (g *Gates) OpenFor(id pool.WorkerID) {
	gate := g.of(id)
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-gate:
	default:
		close(gate)
	}
}

func (g *Gates) of(id pool.WorkerID) chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.single[id] == nil {
		g.single[id] = make(chan struct{})
	}
	return g.single[id]
}

// pass blocks w until its gate opens; false: w was told to stop.
func (g *Gates) pass(w *Worker) bool {
	if g == nil {
		return true
	}
	select {
	case <-g.all:
		return true
	case <-g.of(w.ID):
		return true
	case <-w.ctx.Done():
		return false
	}
}

func (r *Rig) currentGates() *Gates {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.gates
}
