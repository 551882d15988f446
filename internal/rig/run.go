package rig

import (
	"context"
	"errors"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// run is the guest's only import.
func (r *Rig) run(caller wago.HostModule, params, results []uint64) {
	var how Act
	switch params[0] {
	case opStep:
		how = r.step(caller, uint32(params[1]), r.takeFromPool)
	case opOwn:
		r.own(caller)
	case opRaw:
		how = r.step(caller, uint32(params[1]), r.takeRaw)
	case opStart:
		how = r.starting()
	case opSubmit:
		how = r.submit(caller, uint32(params[1]), uint32(params[2]))
	case opGrown:
		how = r.back(caller)
	}
	if how >= exitBase {
		panic(wago.HostExit{Code: int32(how - exitBase)})
	}
	results[0] = uint64(how)
}

// errNotOurs is a message that was sent past Pool, or a task whose verdict came before the guest could look.
var errNotOurs = errors.New("a message that is no task of the pool's, or no longer")

// takeFromPool waits for the next task with a nil context: nothing but Pool and Workers may free a worker that waits.
func (r *Rig) takeFromPool(caller wago.HostModule) (task pool.Task, err error) {
	var never context.Context
	err = r.pools.With(func(s pool.Service) error {
		if err := s.DispatchNext(never, caller); err != nil {
			return err
		}
		if task, err = s.Current(caller); err != nil {
			r.missed.Add(1)
		}
		if errors.Is(err, pool.ErrNoTask) {
			return errNotOurs
		}
		return err
	})
	return task, err
}

func (r *Rig) takeRaw(caller wago.HostModule) (task pool.Task, err error) {
	err = r.workers.With(func(w workers.Service) error {
		id, err := w.Current(caller)
		if err != nil {
			return err
		}
		if err := w.DispatchNext(context.Background(), caller); err != nil {
			return err
		}
		task = r.lastRaw(id)
		return nil
	})
	return task, err
}

// submit is what a guest calls to submit bytes of its own memory: to the pool and with the tag that Worker.Submits named.
func (r *Rig) submit(caller wago.HostModule, address, length uint32) Act {
	memory := caller.Memory()
	if uint64(address)+uint64(length) > uint64(len(memory)) {
		panic(wago.HostTrap{Err: ErrBadRange})
	}
	_ = r.pools.With(func(s pool.Service) error { // refused: the runtime is going
		order := r.orderOf(caller)
		if order == nil {
			return nil
		}
		_, err := r.Service.SubmitFrom(caller, order.pool, order.tag, memory[address:address+length])
		order.answer <- err
		return nil
	})
	return r.back(caller)
}

// ErrBadRange is what a guest traps with that submits bytes outside its memory.
var ErrBadRange = errors.New("rig: the range is outside the memory")
