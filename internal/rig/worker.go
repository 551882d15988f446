package rig

import (
	"context"
	"errors"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// Worker is a guest that has a task in hand, inside its host call.
type Worker struct {
	ID     pool.WorkerID
	Caller wago.HostModule
	Turn   uint32 // how often this instance has asked for a task: it counts in its own memory
	rig    *Rig
	ctx    context.Context
}

// Hold blocks until the gate opens or the worker is told to stop; it reports whether the gate opened.
func (w *Worker) Hold(gate <-chan struct{}) bool {
	select {
	case <-gate:
		return true
	case <-w.ctx.Done():
		return false
	}
}

// Service is Pool's contract, for calls that a task makes. What they submit is counted.
func (w *Worker) Service() pool.Service { return w.rig.Service }

// step is one turn of a worker: the gate, the next task, what the test's behaviour makes of it.
func (r *Rig) step(caller wago.HostModule, turn uint32, take func(wago.HostModule) (pool.Task, error)) Act {
	w, leave := r.worker(caller, turn)
	if w == nil {
		return Return
	}
	defer leave()
	if gate := r.takeGate(); gate != nil && !w.Hold(gate) {
		return Return
	}
	task, err := take(caller)
	switch {
	case errors.Is(err, errNotOurs):
		return Next
	case err != nil:
		return Return
	}
	task.Payload = append([]byte(nil), task.Payload...)
	how := r.behaviour()(w, task)
	done := how == Next && r.finish(caller, task)
	r.log.add(Entry{Worker: w.ID, Turn: turn, Task: task, Act: how, Finished: done})
	return how
}

// finish does a task's last step. A raw worker has no verb for it.
func (r *Rig) finish(caller wago.HostModule, task pool.Task) bool {
	if task.Attempt == 0 {
		return true
	}
	return r.pools.With(func(s pool.Service) error { return s.Complete(caller, nil) }) == nil
}

// worker identifies the calling worker; nil when the runtime is going.
func (r *Rig) worker(caller wago.HostModule, turn uint32) (*Worker, func()) {
	w := &Worker{Caller: caller, Turn: turn, rig: r}
	err := r.workers.With(func(ws workers.Service) (err error) {
		w.ID, err = ws.Current(caller)
		return err
	})
	if err != nil {
		return nil, nil
	}
	leave := func() {}
	err = r.pools.With(func(s pool.Service) (err error) {
		w.ctx, leave, err = s.CallerContext(caller)
		return err
	})
	if err != nil {
		return nil, nil
	}
	return w, leave
}
