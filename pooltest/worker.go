package pooltest

import (
	"bytes"
	"context"

	"github.com/JairusSW/pool"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// Act is what a worker does with the task in its hand, after the behaviour that chose it has returned.
//
// Safe for concurrent use.
type Act int32

// The acts, by the numbers that guests know.
const (
	// GoOn has the guest reply, if it is one that does, and ask for its next task, which settles this one as done.
	GoOn Act = 0
	// Return has the guest return from its entry, with the task in hand.
	Return Act = 1
	// Trap has it execute unreachable.
	Trap Act = 2
	// Spin has it loop without host calls, until somebody stops it.
	Spin Act = 3

	skip     Act = 4 // ask for the next task without a reply
	exitBase Act = 1 << 20
)

// Exit has the guest exit with a code.
func Exit(code int32) Act { return exitBase + Act(code) }

// Behaviour decides what a worker does with a task that it has in hand. It runs inside a host call of the worker and may block,
// settle the task, or panic with a wago.HostTrap. The task's payload is its own.
//
// Workers call it at the same time: it has to be safe for concurrent use.
type Behaviour func(w *Worker, task pool.Task) Act

// On chooses one act for the tasks with the given tags and [GoOn] for the others.
func On(act Act, tags ...uint64) Behaviour {
	chosen := make(map[uint64]bool)
	for _, tag := range tags {
		chosen[tag] = true
	}
	return func(_ *Worker, task pool.Task) Act {
		if chosen[task.Tag] {
			return act
		}
		return GoOn
	}
}

// TrapOn traps with the tasks with the given tags and goes on with the others.
func TrapOn(tags ...uint64) Behaviour { return On(Trap, tags...) }

// Worker is a guest that has a task in hand, inside its host call.
//
// Safe for concurrent use until the behaviour returns.
type Worker struct {
	ID      pool.WorkerID   // which worker it is
	Caller  wago.HostModule // good until the behaviour returns
	Context context.Context // ends when the worker is told to stop
	Service pool.Service    // the kit's
}

// turn asks the behaviour what the calling worker is to do, now that its plugin has answered: below zero means that the worker
// is to return.
func (k *Kit) turn(caller wago.HostModule, params, results []uint64) {
	act := k.act(caller, wago.AsI32(params[0]))
	if act >= exitBase {
		panic(wago.HostExit{Code: int32(act - exitBase)})
	}
	results[0] = uint64(act)
}

func (k *Kit) act(caller wago.HostModule, answer int32) (act Act) {
	if answer < 0 {
		return Return
	}
	act = Return                                // unless the runtime is there to ask
	_ = k.pools.With(func(pool.Service) error { // refused: it is going
		task, err := k.Service.Current(caller)
		if err == pool.ErrNoTask {
			act = skip
			return nil
		}
		if err != nil {
			return err
		}
		w, leave, err := k.worker(caller)
		if err != nil {
			return err
		}
		defer leave()
		task.Payload = bytes.Clone(task.Payload)
		act = k.behaves()(w, task)
		if _, err := k.Service.Current(caller); act == GoOn && err != nil {
			act = skip
		}
		return nil
	})
	return act
}

func (k *Kit) worker(caller wago.HostModule) (*Worker, func(), error) {
	w := &Worker{Caller: caller, Service: k.Service}
	err := k.workers.With(func(s workers.Service) (err error) {
		w.ID, err = s.Current(caller)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	ctx, leave, err := k.Service.CallerContext(caller)
	w.Context = ctx
	return w, leave, err
}
