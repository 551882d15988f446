package workerstest

import (
	"errors"
	"runtime"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// exitCode returns the code in an exit's error, -1 without one.
func exitCode(err error) int32 {
	if exit := (*wago.ExitError)(nil); errors.As(err, &exit) {
		return exit.Code
	}
	return -1
}

var exitChecks = []Check{
	{Name: "exit/how a worker ends decides the kind and the error", run: func(w *world) {
		for act, want := range map[Act]struct {
			kind  workers.WorkerExitKind
			check func(err error)
		}{
			Return: {workers.WorkerReturned, func(err error) { require.NoError(w, err) }},
			Exit0:  {workers.WorkerReturned, func(err error) { require.NoError(w, err) }},
			Exit7:  {workers.WorkerFailed, func(err error) { require.EqualValues(w, 7, exitCode(err)) }},
			Trap:   {workers.WorkerFailed, func(err error) { require.Equal(w, wago.TrapUnreachable, trapCode(err)) }},
			Abort:  {workers.WorkerFailed, func(err error) { require.ErrorIs(w, err, ErrAborted) }},
		} {
			w.Script(Script{Step: func(wago.HostModule) Act { return act }})
			end := w.gone(w.spawn())
			require.Equal(w, want.kind, end.kind, "act %d: %v", act, end.err)
			want.check(end.err)
		}
	}},
	{Name: "exit/of a worker that was told to stop is killed, whatever it does then", run: func(w *world) {
		for act, check := range map[Act]func(err error){
			Return: func(error) {},
			Exit0:  func(error) {},
			Exit7:  func(err error) { require.EqualValues(w, 7, exitCode(err)) },
			Trap:   func(err error) { require.Equal(w, wago.TrapUnreachable, trapCode(err)) },
			Abort:  func(err error) { require.ErrorIs(w, err, ErrAborted) },
		} {
			w.Script(Script{Step: func(caller wago.HostModule) Act {
				_ = w.Service().DispatchNext(w.Context(), caller)
				return act
			}})
			id := w.spawn()
			w.settle()
			require.NoError(w, w.Service().Kill(id))
			end := w.gone(id)
			require.Equal(w, workers.WorkerKilled, end.kind, "act %d", act)
			require.ErrorIs(w, end.err, workers.ErrWorkerKilled, "act %d", act)
			check(end.err)
		}
	}},
	{Name: "exit/a host call that panics or ends its goroutine is the worker's failure and nobody else's", run: func(w *world) {
		for name, step := range map[string]func(){
			"panic":  func() { panic(errPanic) },
			"goexit": runtime.Goexit,
		} {
			w.Script(Script{Step: func(wago.HostModule) Act {
				step()
				return Return
			}})
			end := w.gone(w.spawn())
			require.Equal(w, workers.WorkerFailed, end.kind, name)
			require.Error(w, end.err, name)
			require.Equal(w, name == "panic", errors.Is(end.err, errPanic), name)
		}
		w.Script(Script{Step: w.serve})
		w.fill()
	}},
	{Name: "exit/is seen when the worker can't be found any more, and before its quota is free", run: func(w *world) {
		var send, kill error
		asks := w.observeExits(func(x *workers.WorkerExitContext) {
			send = w.Service().Send(x.WorkerID, 1, nil)
			kill = w.Service().Kill(x.WorkerID)
		})
		inside, g := make(gate), make(gate)
		held := w.observeExits(func(*workers.WorkerExitContext) {
			inside.open()
			w.pass(g)
		})
		small := workers.WorkerOptions{MaxPayloadBytes: 1, MaxQueueBytes: 1}
		var last workers.WorkerID
		for range w.Limits().MaxLiveWorkers {
			last = w.spawn(small)
		}
		require.NoError(w, w.Service().Kill(last))
		w.await(inside, "the exit observer")
		_, err := w.trySpawn(w.owner, small)
		require.ErrorIs(w, err, workers.ErrWorkerQuotaExceeded)
		g.open()
		w.settle()
		require.NoError(w, w.Service().Unsubscribe(held))
		require.NoError(w, w.Service().Unsubscribe(asks))
		require.ErrorIs(w, send, workers.ErrWorkerNotFound)
		require.ErrorIs(w, kill, workers.ErrWorkerNotFound)
		w.spawn(small)
	}},
	{Name: "exit/closes the worker's instance first", run: func(w *world) {
		before := w.Guests()
		during := -1
		w.observeExits(func(*workers.WorkerExitContext) { during = w.Guests() })
		w.Script(Script{})
		w.gone(w.spawn())
		w.settle()
		require.Equal(w, before, during)
	}},
	{Name: "exit/a worker that returns drops its mailbox", run: func(w *world) {
		g := make(gate)
		w.Script(Script{Step: func(wago.HostModule) Act {
			w.pass(g)
			return Return
		}})
		id := w.spawn()
		require.NoError(w, w.Service().Send(id, 1, nil))
		g.open()
		require.Equal(w, workers.WorkerReturned, w.gone(id).kind)
		require.Empty(w, w.messages(0))
	}},
}
