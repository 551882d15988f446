package service

// Submit and its kin: what a task passes first. Next hop: strategy/<kind>.go, where the pool's picker names a worker, called
// from place in deliver.go.

import (
	"errors"

	"github.com/JairusSW/pool/strategy"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// Submit implements Service.
func (s *Pools) Submit(id ID, tag uint64, payload []byte) (WorkerID, error) {
	return s.submit(id, Task{Tag: tag, Key: tag, Payload: payload})
}

// SubmitKeyed implements Service.
func (s *Pools) SubmitKeyed(id ID, key, tag uint64, payload []byte) (WorkerID, error) {
	return s.submit(id, Task{Tag: tag, Key: key, Payload: payload})
}

// SubmitTask implements Service.
func (s *Pools) SubmitTask(id ID, task Task) (WorkerID, error) { return s.submit(id, task) }

// SubmitFrom implements Service.
func (s *Pools) SubmitFrom(caller wago.HostModule, id ID, tag uint64, payload []byte) (WorkerID, error) {
	if err := s.active(); err != nil {
		return 0, err
	}
	reconciled := s.Reconcile(caller, id)
	if errors.Is(reconciled, workers.ErrInvalidWorkerCaller) {
		return 0, reconciled
	}
	worker, err := s.submit(id, Task{Tag: tag, Key: tag, Payload: payload})
	switch {
	case err == ErrPoolEmpty && reconciled != nil && reconciled != ErrPoolOwner:
		return 0, reconciled
	case err == nil && worker == 0 && reconciled == nil && s.parks(id):
		_ = s.Reconcile(caller, id) // the task itself may be what a pool without workers is to grow for
	}
	return worker, err
}

// parks reports whether tasks are parked in the pool.
func (s *Pools) parks(id ID) bool {
	p, err := s.find(id)
	return err == nil && p.parkedN.Load() > 0
}

// submit is the send loop's way in: the preamble, what can be refused at the door, then one attempt inside the lease.
func (s *Pools) submit(id ID, task Task) (WorkerID, error) {
	p, err := s.find(id)
	if err != nil {
		return 0, err
	}
	if err := p.admit(&task); err != nil {
		return 0, p.answer(&task, err)
	}
	e := newEntry(&task, nil)
	m, err := s.attempt(p, &e)
	if err != nil {
		return 0, p.answer(&task, err)
	}
	return m.worker(), nil
}

// takes refuses a task that the pool takes from nobody, whatever room there is.
func (p *pool) takes(task *Task) error {
	if err := p.snap.Load().closed; err != nil {
		return err
	}
	if uint64(len(task.Payload)) > uint64(p.opts.Worker.MaxPayloadBytes) {
		return ErrPayloadTooLarge
	}
	return nil
}

// admit refuses what needs no look at a mailbox. It costs the same at any size of the pool, and copies nothing.
func (p *pool) admit(task *Task) error {
	if err := p.takes(task); err != nil {
		return err
	}
	if p.roomy.Load() == 0 && p.parkedN.Load() == 0 {
		return p.noRoom()
	}
	return nil
}

// noRoom says why nobody can take a task: the pool has just ended, its workers are full, or there are none.
func (p *pool) noRoom() error {
	switch snap := p.snap.Load(); {
	case snap.closed != nil:
		return snap.closed
	case p.live() > 0:
		return ErrPoolBackpressure
	case p.floorless():
		return nil // it can be parked
	}
	return ErrPoolEmpty
}

// accept makes one attempt to give e to a worker, or parks it behind those that are parked. It returns who took it; nobody when
// it was parked or broadcast. With ErrPoolBackpressure it may name the only worker that was asked.
func (p *pool) accept(w port, e *entry) (*member, error) {
	if p.opts.Strategy == strategy.Broadcast {
		return nil, p.acceptBroadcast(w, e)
	}
	if p.parkedN.Load() > 0 {
		return nil, p.park(w, e)
	}
	m, err := p.route(w, e)
	if err == ErrPoolEmpty && p.floorless() {
		return nil, p.park(w, e)
	}
	return m, err
}

// route makes one attempt to give e to a worker.
func (p *pool) route(w port, e *entry) (*member, error) {
	for snap := p.snap.Load(); ; {
		if snap.closed != nil {
			return nil, snap.closed
		}
		m, v := p.place(w, snap, e, p.opts.Overflow == OverflowSpill)
		switch {
		case v == accepted:
			return m, nil
		case p.catchUp(): // one of those may have room
		case v == full:
			return m, ErrPoolBackpressure
		}
		newer := p.snap.Load()
		if newer == snap {
			return nil, ErrPoolEmpty
		}
		snap = newer // a worker joined, or the pool closed its door, meanwhile
	}
}

// answer counts and reports a submit that was not accepted, and says what its caller gets.
func (p *pool) answer(task *Task, err error) error {
	switch err {
	case nil:
		return nil
	case ErrPoolBackpressure:
		if p.opts.Overflow == OverflowShed {
			return p.shed(task)
		}
		return p.reject(task, ReasonFull, err)
	case ErrPoolEmpty:
		return p.reject(task, ReasonEmpty, err)
	case ErrPayloadTooLarge:
		return p.reject(task, ReasonTooLarge, err)
	}
	return err
}

// shed counts a task that is dropped at the door.
func (p *pool) shed(task *Task) error {
	p.doorMu.Lock()
	defer p.doorMu.Unlock()
	if p.door.closed {
		return ErrPoolNotFound
	}
	p.door.submitted++
	p.door.shed++
	p.emit(Event{Kind: PoolTaskShed, Tag: task.Tag, Key: task.Key, Reason: ReasonFull})
	return nil
}

// reject counts a call that is refused with err and returns that; once the final ledger is closed the pool is simply gone.
func (p *pool) reject(task *Task, why Reason, err error) error {
	p.doorMu.Lock()
	defer p.doorMu.Unlock()
	if p.door.closed {
		return ErrPoolNotFound
	}
	p.door.submitted++
	p.door.rejected++
	p.emit(Event{Kind: PoolTaskRejected, Tag: task.Tag, Key: task.Key, Reason: why, Err: err})
	return err
}
