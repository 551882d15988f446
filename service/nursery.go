package service

import (
	"sync"

	"github.com/wago-org/workers"
)

// nursery knows what Workers reports of ids that Pool has no member for yet: a worker may dispatch, and end, before its
// Spawn returns. It remembers only while a spawn of Pool's own is in flight.
//
// Safe for concurrent use.
type nursery struct {
	mu          sync.Mutex // guards what follows; taken after a pool's, before the index's
	inFlight    int
	exits       map[WorkerID]workers.WorkerExitContext
	dispatching map[WorkerID]bool
}

func (n *nursery) begin() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.inFlight++
}

func (n *nursery) end() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.inFlight--; n.inFlight == 0 {
		n.exits, n.dispatching = nil, nil
	}
}

// enter makes m known to the index and returns its exit, when that came first.
func (n *nursery) enter(s *Pools, m *member) (workers.WorkerExitContext, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	m.dispatching.Store(n.dispatching[m.id])
	s.index.put(m)
	exit, gone := n.exits[m.id]
	return exit, gone
}

// exited remembers an exit of an id that is not known yet; it returns the member when it has become known meanwhile.
func (n *nursery) exited(s *Pools, exit *workers.WorkerExitContext) *member {
	n.mu.Lock()
	defer n.mu.Unlock()
	if m := s.index.get(exit.WorkerID); m != nil || n.inFlight == 0 {
		return m
	}
	if n.exits == nil {
		n.exits = make(map[WorkerID]workers.WorkerExitContext)
	}
	n.exits[exit.WorkerID] = *exit
	return nil
}

// dispatch runs a DispatchNext of a worker that is not known yet, so that its first task counts as Pool's own.
func (n *nursery) dispatch(s *Pools, id WorkerID, next func() error) error {
	if !n.newcomer(s, id) {
		return notAWorker
	}
	defer n.dispatched(s, id)
	return next()
}

// newcomer notes that id dispatches; false: no spawn of ours can have started it.
func (n *nursery) newcomer(s *Pools, id WorkerID) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if m := s.index.get(id); m != nil {
		m.dispatching.Store(true)
		return true
	}
	if n.inFlight == 0 {
		return false
	}
	if n.dispatching == nil {
		n.dispatching = make(map[WorkerID]bool)
	}
	n.dispatching[id] = true
	return true
}

func (n *nursery) dispatched(s *Pools, id WorkerID) {
	n.mu.Lock()
	delete(n.dispatching, id)
	m := s.index.get(id)
	n.mu.Unlock()
	if m != nil {
		m.dispatching.Store(false)
	}
}

// unknown is the answer to a settling verb of a worker without a member.
func (n *nursery) unknown(s *Pools, id WorkerID) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if s.index.get(id) != nil || n.inFlight > 0 {
		return ErrNoTask
	}
	return notAWorker
}
