package service

import (
	"context"
	"sync"

	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// turn is one host call of a worker: it takes its next task, or settles the one in hand. Turns are used again.
type turn struct {
	visit
	s      *Pools
	caller wago.HostModule
	act    func(*turn, port, WorkerID, *member) error // the member is nil when the worker has none yet

	// what the acts are given, and what they give back
	ctx    context.Context
	task   Task
	result []byte
	cause  error
}

var turns = sync.Pool{New: func() any {
	t := new(turn)
	t.will(t.run)
	return t
}}

// begin returns a turn of caller. End it with end.
func (s *Pools) begin(caller wago.HostModule, act func(*turn, port, WorkerID, *member) error) *turn {
	t := turns.Get().(*turn)
	t.s, t.caller, t.act = s, caller, act
	return t
}

func (t *turn) end() {
	*t = turn{visit: t.visit}
	turns.Put(t)
}

// take takes the turn: within the lease, as the worker that calls.
func (t *turn) take() error {
	if err := t.s.active(); err != nil {
		return err
	}
	return t.s.lend(&t.visit)
}

func (t *turn) run(w port) error {
	id, err := w.Current(t.caller)
	if err != nil {
		return err
	}
	return t.act(t, w, id, t.s.index.get(id))
}

// notAWorker is the answer to a caller that is no pool's worker.
const notAWorker = workers.ErrWorkerNotFound
