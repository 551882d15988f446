package soak

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/ledger"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// guest is what is known of one worker by its host calls. It belongs to the worker's goroutine.
type guest struct {
	id      pool.WorkerID
	turn    uint32
	replied ledger.Tag // the task that it replied to last
}

// guestOf is the calling worker; nil: the runtime is going.
func (w *world) guestOf(caller wago.HostModule) *guest {
	var id pool.WorkerID
	err := w.workers.With(func(s workers.Service) (err error) {
		id, err = s.Current(caller)
		return err
	})
	if err != nil {
		w.expect("Current of Workers", err)
		return nil
	}
	g, _ := w.guests.LoadOrStore(id, &guest{id: id})
	return g.(*guest)
}

// next is the guest's import: the next task, and what to do with it.
func (w *world) next(caller wago.HostModule, params, results []uint64) {
	g := w.guestOf(caller)
	if g == nil {
		results[0] = uint64(actReturn)
		return
	}
	g.turn++
	if global, memory := uint32(params[1]), uint32(params[2]); global != g.turn || memory != g.turn {
		w.violated("worker %d asks for the %d. time, its global says %d and its memory %d", g.id, g.turn, global, memory)
	}
	take := w.takePooled
	if params[0] == 1 {
		take = w.takeRaw
	}
	task, err := take(caller, g)
	switch {
	case errors.Is(err, errNoTask):
		results[0] = uint64(actQuiet)
	case err != nil:
		results[0] = uint64(w.leaveFor(g, err))
	default:
		results[0] = uint64(w.attempt(caller, g, task))
	}
}

// errNoTask: a message was handed out, and there is no task in hand; or none came for a while.
var errNoTask = errors.New("no task in hand")

// takePooled takes a task through Pool, now and then with a context that ends.
func (w *world) takePooled(caller wago.HostModule, g *guest) (task pool.Task, err error) {
	var ctx context.Context // nil never ends
	if g.turn%8 == 0 {
		bounded, cancel := context.WithTimeout(context.Background(), 2*time.Millisecond)
		defer cancel()
		ctx = bounded
	}
	err = w.with(func(s pool.Service) error {
		if err := s.DispatchNext(ctx, caller); err != nil {
			return err
		}
		var err error
		if task, err = s.Current(caller); err != nil {
			w.expect("Current", err, pool.ErrNoTask)
			w.strayed(g)
			return errNoTask
		}
		return nil
	})
	if ctx != nil && errors.Is(err, context.DeadlineExceeded) {
		err = errNoTask
	}
	return task, err
}

// takeRaw takes a message through Workers.
func (w *world) takeRaw(caller wago.HostModule, g *guest) (task pool.Task, err error) {
	err = w.workers.With(func(s workers.Service) error { return s.DispatchNext(context.Background(), caller) })
	if err != nil {
		return task, err
	}
	tag, _ := w.raw.Load(g.id)
	if task.Tag = tag.(uint64); task.Tag == foreignTag {
		return task, errNoTask
	}
	return task, nil
}

// strayed notes that a worker was handed a message and saw no task: one sent past Pool, or a verdict was quicker.
func (w *world) strayed(g *guest) {
	if id, ok := w.belongs.Load(g.id); ok {
		if p := w.stage.find(id.(pool.PoolID)); p != nil {
			p.book.Stray()
			return
		}
	}
	w.strays.Add(1)
}

// leaveFor is what a worker does that was told to stop: it returns, or, once in a while, traps.
func (w *world) leaveFor(g *guest, err error) act {
	if !startFailed(err) { // as a Create may have that is taken back
		w.expect("DispatchNext", err, workers.ErrWorkerStopping, workers.ErrWorkerKilled, workers.ErrWorkerParentClosed,
			workers.ErrInvalidWorkerCaller, pool.ErrPoolDestroyed, pool.ErrTaskTimeout, pool.ErrPoolWorkerLimit,
			pool.ErrPoolHalted, errMessage)
	}
	if rand.New(rand.NewPCG(w.seed, uint64(g.id))).IntN(8) == 0 {
		return actTrap
	}
	return actReturn
}

// belong notes that a worker is a pool's, which it stays.
func (w *world) belong(worker pool.WorkerID, id pool.PoolID) {
	if was, known := w.belongs.LoadOrStore(worker, id); known && was.(pool.PoolID) != id {
		w.violated("worker %d is of pool %d and of pool %d", worker, was, id)
	}
}
