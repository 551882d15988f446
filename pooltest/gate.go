package pooltest

import (
	"sync"

	"github.com/JairusSW/pool"
)

// Gate holds tasks in the hands of their workers until it is opened: [Gate.Hold] is a behaviour.
//
// Safe for concurrent use.
type Gate struct {
	all chan struct{}

	mu   sync.Mutex
	open bool                     // guarded by mu
	tags map[uint64]chan struct{} // guarded by mu: the gates of tags that came by, or were opened before
}

// NewGate returns a gate that is shut.
func NewGate() *Gate { return &Gate{all: make(chan struct{}), tags: make(map[uint64]chan struct{})} }

// Hold keeps the task in hand until the gate is open for it, and goes on; a worker that is told to stop returns.
func (g *Gate) Hold(w *Worker, task pool.Task) Act {
	if g.Pass(w, task) {
		return GoOn
	}
	return Return
}

// Pass blocks until the gate is open for the task. False: the worker was told to stop.
func (g *Gate) Pass(w *Worker, task pool.Task) bool {
	select {
	case <-g.all:
		return true
	case <-g.of(task.Tag):
		return true
	case <-w.Context.Done():
		return false
	}
}

// Open opens the gate for every task, for good.
func (g *Gate) Open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.open {
		g.open = true
		close(g.all)
	}
}

// OpenFor opens the gate for the tasks with the given tags, for good.
func (g *Gate) OpenFor(tags ...uint64) {
	for _, tag := range tags {
		gate := g.of(tag)
		g.mu.Lock()
		select {
		case <-gate:
		default:
			close(gate)
		}
		g.mu.Unlock()
	}
}

func (g *Gate) of(tag uint64) chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.tags[tag] == nil {
		g.tags[tag] = make(chan struct{})
	}
	return g.tags[tag]
}
