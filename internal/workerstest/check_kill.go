package workerstest

import (
	"time"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// spinner spawns a worker that spins from its first host call on, and waits until it does.
func (w *world) spinner(owner Owner) workers.WorkerID {
	w.Helper()
	spins := make(gate)
	w.Script(w.once(func(wago.HostModule) Act {
		spins.open()
		return Spin
	}))
	id := w.spawnOf(owner)
	w.await(spins, "the spinning guest")
	return id
}

// slack is how much longer than the grace something may take in real time.
const slack = 2 * time.Second

var killChecks = []Check{
	{Name: "kill/wakes the worker that waits for a message", run: func(w *world) {
		var result error
		id, end := w.probe(func(caller wago.HostModule) error {
			return w.Service().DispatchNext(w.Context(), caller)
		})
		w.settle()
		require.NoError(w, w.Service().Kill(id))
		result = end()
		require.ErrorIs(w, result, workers.ErrWorkerKilled)
		w.killed(id, workers.ErrWorkerKilled)
	}},
	{Name: "kill/again changes nothing, and of nobody is refused", run: func(w *world) {
		require.ErrorIs(w, w.Service().Kill(0), workers.ErrWorkerNotFound)
		require.ErrorIs(w, w.Service().Kill(7), workers.ErrWorkerNotFound)
		id, g := w.hold(workers.WorkerOptions{})
		w.settle()
		for range 3 {
			require.NoError(w, w.Service().Kill(id))
		}
		g.open()
		w.killed(id, workers.ErrWorkerKilled)
		w.settle()
		require.ErrorIs(w, w.Service().Kill(id), workers.ErrWorkerNotFound)
	}},
	{Name: "kill/drops the mailbox", run: func(w *world) {
		id, g := w.hold(workers.WorkerOptions{})
		require.NoError(w, w.Service().Send(id, 1, nil))
		w.settle()
		require.NoError(w, w.Service().Kill(id))
		g.open()
		w.killed(id, workers.ErrWorkerKilled)
		require.Empty(w, w.messages(0))
	}},
	{Name: "kill/lets the message in hand be finished", run: func(w *world) {
		inside, g := make(gate), make(gate)
		var current error
		id, end := w.probe(func(caller wago.HostModule) error {
			if err := w.Service().DispatchNext(w.Context(), caller); err != nil {
				return err
			}
			inside.open()
			w.pass(g)
			_, current = w.Service().Current(caller)
			return nil
		})
		require.NoError(w, w.Service().Send(id, 1, nil))
		w.await(inside, "the message")
		require.NoError(w, w.Service().Kill(id))
		if !w.real {
			time.Sleep(10 * w.Grace()) // a host function is never interrupted
		}
		w.live(id)
		g.open()
		require.NoError(w, end())
		require.NoError(w, current)
		w.killed(id, workers.ErrWorkerKilled)
	}},
	{Name: "kill/touches no other worker", run: func(w *world) {
		a, b := w.spawn(), w.spawn()
		require.NoError(w, w.Service().Kill(a))
		w.gone(a)
		require.NoError(w, w.Service().Send(b, 1, nil))
		w.settle()
		require.Equal(w, []uint64{1}, w.tags(b))
	}},
	{Name: "kill/a worker that never comes back is interrupted after the grace", Real: true, run: func(w *world) {
		id := w.spinner(w.owner)
		start := time.Now()
		require.NoError(w, w.Service().Kill(id))
		end := w.gone(id)
		took := time.Since(start)
		require.GreaterOrEqual(w, took, w.Grace(), "it had no grace")
		require.Less(w, took, w.Grace()+slack)
		require.Equal(w, workers.WorkerKilled, end.kind)
		require.ErrorIs(w, end.err, workers.ErrWorkerKilled)
		require.Equal(w, wago.TrapInterrupted, trapCode(end.err), "the interruption can be told from a return")
	}},
	{Name: "kill/an observer's error interrupts a worker that goes on", Real: true, run: func(w *world) {
		w.observeMessages(func(*workers.MessageContext) error { return errObserver })
		w.Script(Script{Step: func(caller wago.HostModule) Act {
			_ = w.Service().DispatchNext(w.Context(), caller)
			return Spin
		}})
		id := w.spawn()
		require.NoError(w, w.Service().Send(id, 1, nil))
		end := w.gone(id)
		require.Equal(w, workers.WorkerFailed, end.kind)
		require.ErrorIs(w, end.err, errObserver)
	}},
	{Name: "kill/a worker whose fork is still starting comes back", Real: true, run: func(w *world) {
		starts := make(gate)
		var once gate = make(gate, 1)
		w.Script(Script{
			Start: func(wago.HostModule) Act {
				select {
				case once <- struct{}{}: // the parent's own
					return Return
				default:
					starts.open()
					return Spin
				}
			},
			Step: func(caller wago.HostModule) Act {
				_, _ = w.Service().Spawn(caller, w.Entry(), workers.WorkerOptions{})
				return Return
			},
		})
		before := w.Guests()
		id := w.spawn()
		w.await(starts, "the fork's start section")
		require.NoError(w, w.Service().Kill(id))
		w.killed(id, workers.ErrWorkerKilled)
		w.eventually(func() bool { return w.Guests() == before }, "nothing remains")
		w.Script(Script{Step: w.serve})
		w.fill()
	}},
}
