package workerstest

import (
	"context"
	"time"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// probe spawns a worker that runs f in its first host call, and serves from then on, and returns what f returned.
func (w *world) probe(f func(caller wago.HostModule) error) (workers.WorkerID, func() error) {
	w.Helper()
	var result error
	done := make(gate)
	w.Script(w.once(func(caller wago.HostModule) Act {
		result = f(caller)
		done.open()
		return w.serve(caller)
	}))
	id := w.spawn()
	return id, func() error {
		w.Helper()
		w.await(done, "the worker's first host call")
		return result
	}
}

var dispatchChecks = []Check{
	{Name: "dispatch/takes one message in each call", run: func(w *world) {
		calls, g := 0, make(gate)
		id, result := w.probe(func(caller wago.HostModule) error {
			w.pass(g)
			for range 3 {
				if err := w.Service().DispatchNext(w.Context(), caller); err != nil {
					return err
				}
				calls++
				if got := len(w.messages(0)); got != calls {
					w.Errorf("%d messages after %d calls", got, calls)
				}
			}
			return nil
		})
		for tag := range uint64(3) {
			require.NoError(w, w.Service().Send(id, tag, nil))
		}
		g.open()
		require.NoError(w, result())
	}},
	{Name: "dispatch/an ended context ends the wait", run: func(w *world) {
		_, result := w.probe(func(caller wago.HostModule) error {
			ctx, cancel := context.WithTimeout(w.Context(), time.Hour)
			defer cancel()
			return w.Service().DispatchNext(ctx, caller)
		})
		w.settle()
		if !w.real {
			time.Sleep(time.Hour - time.Second)
		}
		w.settle()
		require.Empty(w, w.messages(0))
		if !w.real {
			time.Sleep(2 * time.Second)
		}
		require.ErrorIs(w, result(), context.DeadlineExceeded)
	}},
	{Name: "dispatch/a context that has ended already ends it too", run: func(w *world) {
		_, result := w.probe(func(caller wago.HostModule) error {
			ctx, cancel := context.WithCancel(w.Context())
			cancel()
			return w.Service().DispatchNext(ctx, caller)
		})
		require.ErrorIs(w, result(), context.Canceled)
	}},
	{Name: "dispatch/a queued message comes before an ended context", run: func(w *world) {
		g := make(gate)
		id, result := w.probe(func(caller wago.HostModule) error {
			w.pass(g)
			ctx, cancel := context.WithCancel(w.Context())
			cancel()
			return w.Service().DispatchNext(ctx, caller)
		})
		require.NoError(w, w.Service().Send(id, 1, nil))
		g.open()
		require.NoError(w, result())
		require.Equal(w, []uint64{1}, w.tags(id))
	}},
	{Name: "dispatch/a stop comes before everything", run: func(w *world) {
		g := make(gate)
		id, result := w.probe(func(caller wago.HostModule) error {
			w.pass(g)
			ctx, cancel := context.WithCancel(w.Context())
			cancel()
			return w.Service().DispatchNext(ctx, caller)
		})
		require.NoError(w, w.Service().Send(id, 1, nil))
		w.settle()
		require.NoError(w, w.Service().Kill(id))
		g.open()
		require.ErrorIs(w, result(), workers.ErrWorkerKilled)
		w.killed(id, workers.ErrWorkerKilled)
		require.Empty(w, w.messages(0), "a stop drops the mailbox")
	}},
	{Name: "dispatch/a nil context never ends", run: func(w *world) {
		id, result := w.probe(func(caller wago.HostModule) error {
			return w.Service().DispatchNext(nil, caller) //nolint:staticcheck // the contract allows it
		})
		w.settle()
		require.NoError(w, w.Service().Send(id, 1, nil))
		require.NoError(w, result())
	}},
	{Name: "dispatch/one at a time for each worker", run: func(w *world) {
		waits, second := make(gate), make(chan error, 1)
		id, result := w.probe(func(caller wago.HostModule) error {
			first := make(chan error, 1)
			go func() { first <- w.Service().DispatchNext(w.Context(), caller) }()
			w.pass(waits)
			second <- w.Service().DispatchNext(w.Context(), caller)
			return receive(w, first)
		})
		w.settle()
		waits.open()
		w.settle()
		require.Len(w, second, 1, "the second dispatch waits")
		require.ErrorIs(w, receive(w, second), workers.ErrWorkerDispatchActive)
		require.NoError(w, w.Service().Send(id, 1, nil))
		require.NoError(w, result())
	}},
	{Name: "dispatch/an observer can't take the next message of its worker", run: func(w *world) {
		var inner error
		_, err := w.Service().ObserveMessages(func(m *workers.MessageContext) error {
			inner = w.Service().DispatchNext(w.Context(), m.Caller)
			return nil
		})
		require.NoError(w, err)
		id := w.spawn()
		require.NoError(w, w.Service().Send(id, 1, nil))
		w.settle()
		require.ErrorIs(w, inner, workers.ErrWorkerDispatchActive)
	}},
	{Name: "dispatch/a caller that isn't a live worker is refused", run: func(w *world) {
		for name, caller := range w.badCallers() {
			require.ErrorIs(w, w.Service().DispatchNext(w.Context(), caller), workers.ErrInvalidWorkerCaller, name)
		}
		w.call(func(caller wago.HostModule) {
			require.ErrorIs(w, w.Service().DispatchNext(w.Context(), caller), workers.ErrInvalidWorkerCaller, "owner")
		})
	}},
	{Name: "dispatch/the end of the host call ends the wait", run: func(w *world) {
		waits, lost := make(gate), make(chan error, 1)
		w.Script(Script{Step: func(caller wago.HostModule) Act {
			go func() { lost <- w.Service().DispatchNext(context.Background(), caller) }()
			w.pass(waits)
			return Return
		}})
		id := w.spawn()
		w.settle()
		require.Empty(w, lost)
		waits.open()
		w.gone(id)
		w.settle()
		require.Len(w, lost, 1, "the dispatch waits for a guest that has gone")
		require.ErrorIs(w, receive(w, lost), workers.ErrInvalidWorkerCaller)
	}},
	{Name: "current/names the worker that calls and nobody else", run: func(w *world) {
		ids := make(chan workers.WorkerID, 2)
		w.Script(w.once(func(caller wago.HostModule) Act {
			id, _ := w.Service().Current(caller)
			ids <- id
			return w.serve(caller)
		}))
		a, b := w.spawn(), w.spawn()
		require.ElementsMatch(w, []workers.WorkerID{a, b}, []workers.WorkerID{receive(w, ids), receive(w, ids)})
		for name, caller := range w.badCallers() {
			_, err := w.Service().Current(caller)
			require.ErrorIs(w, err, workers.ErrWorkerNotFound, name)
		}
		w.call(func(caller wago.HostModule) {
			_, err := w.Service().Current(caller)
			require.ErrorIs(w, err, workers.ErrWorkerNotFound, "owner")
		})
	}},
}
