package rig

import (
	"context"
	"encoding/binary"
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
	then   Act
	order  *order
}

// order is what a guest is to submit.
type order struct {
	pool   pool.PoolID
	tag    uint64
	answer chan error
}

// unfinished is a task whose guest will call the host once more.
type unfinished struct {
	entry Entry
	then  Act
	order *order
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

// HoldOn blocks until the gate opens, also when the worker is told to stop.
func (w *Worker) HoldOn(gate <-chan struct{}) { <-gate }

// Context ends when the worker is told to stop.
func (w *Worker) Context() context.Context { return w.ctx }

// Message is what Workers handed out to this worker last, as a task: what Current says should be the same.
func (w *Worker) Message() pool.Task { return w.rig.lastRaw(w.ID) }

// Service is Pool's contract, for calls that a task makes. What they submit is counted.
func (w *Worker) Service() pool.Service { return w.rig.Service }

// Then says what follows when the guest has grown its memory: the default is to finish the task.
func (w *Worker) Then(how Act) Act {
	w.then = how
	return GrowToLimit
}

// Submits has the guest submit length bytes from address on to a pool; the channel gets what SubmitFrom returned, unless the
// range is outside the guest's memory.
func (w *Worker) Submits(id pool.PoolID, tag uint64, address, length uint32) (Act, <-chan error) {
	memory := w.Caller.Memory()
	binary.LittleEndian.PutUint32(memory[0:], address)
	binary.LittleEndian.PutUint32(memory[4:], length)
	w.order = &order{pool: id, tag: tag, answer: make(chan error, 1)}
	return Submit, w.order.answer
}

// step is one turn of a worker: the gate, the next task, what the test's behaviour makes of it.
func (r *Rig) step(caller wago.HostModule, turn uint32, take func(wago.HostModule) (pool.Task, error)) Act {
	w, leave := r.worker(caller, turn)
	if w == nil {
		return Return
	}
	defer leave()
	r.turning(w)
	if !r.currentGates().pass(w) {
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
	entry := Entry{Worker: w.ID, Turn: turn, Task: task, Act: how}
	if how.comesBack() {
		r.later(unfinished{entry: entry, then: w.then, order: w.order})
		return how
	}
	r.over(caller, entry)
	return how
}

// over does a task's last step, if it has one, and logs it. Both are one for whoever reads the log: a task that the pool knows
// to be done is in it.
func (r *Rig) over(caller wago.HostModule, e Entry) {
	r.log.mu.Lock()
	defer r.log.mu.Unlock()
	e.Finished = e.Act == Next && r.finish(caller, e.Task)
	if e.Finished {
		r.log.finished++
	}
	if !r.quiet {
		r.log.entries = append(r.log.entries, e)
	}
}

// back goes on with the task of a guest that called the host once more.
func (r *Rig) back(caller wago.HostModule) Act {
	id := r.current(caller)
	r.mu.Lock()
	u, ok := r.pending[id]
	delete(r.pending, id)
	r.mu.Unlock()
	if !ok {
		return Next
	}
	u.entry.Act = u.then
	r.over(caller, u.entry)
	return u.then
}

func (r *Rig) later(u unfinished) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pending[u.entry.Worker] = u
}

func (r *Rig) orderOf(caller wago.HostModule) *order {
	id := r.current(caller)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.pending[id].order
}

// finish does a task's last step. A raw worker has no verb for it.
func (r *Rig) finish(caller wago.HostModule, task pool.Task) bool {
	if task.Attempt == 0 {
		return true
	}
	var result []byte
	if r.answer != nil {
		result = r.answer(task)
	}
	return r.pools.With(func(s pool.Service) error { return s.Complete(caller, result) }) == nil
}

// worker identifies the calling worker; nil when the runtime is going.
func (r *Rig) worker(caller wago.HostModule, turn uint32) (*Worker, func()) {
	w := &Worker{ID: r.current(caller), Caller: caller, Turn: turn, rig: r}
	if w.ID == 0 {
		return nil, nil
	}
	leave := func() {}
	err := r.pools.With(func(s pool.Service) (err error) {
		w.ctx, leave, err = s.CallerContext(caller)
		return err
	})
	if err != nil {
		return nil, nil
	}
	return w, leave
}

// current is the calling worker's id; 0 when the runtime is going.
func (r *Rig) current(caller wago.HostModule) (id pool.WorkerID) {
	_ = r.workers.With(func(ws workers.Service) (err error) {
		id, err = ws.Current(caller)
		return err
	})
	return id
}
