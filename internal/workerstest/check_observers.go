package workerstest

import (
	"errors"
	"runtime"
	"sync/atomic"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

const (
	errObserver workers.Error = "workerstest: observer says no"
	errPanic    workers.Error = "workerstest: observer panics"
)

// observeMessages subscribes fn, which has to work.
func (w *world) observeMessages(fn func(*workers.MessageContext) error) workers.Subscription {
	w.Helper()
	subscription, err := w.Service().ObserveMessages(fn)
	require.NoError(w, err)
	return subscription
}

func (w *world) observeExits(fn func(*workers.WorkerExitContext)) workers.Subscription {
	w.Helper()
	subscription, err := w.Service().ObserveExits(fn)
	require.NoError(w, err)
	return subscription
}

// failing spawns a worker one of whose observers fails at tag 1, and returns what DispatchNext returned to it.
func (w *world) failing(observer func(*workers.MessageContext) error) (id workers.WorkerID, later int, result error) {
	w.Helper()
	w.observeMessages(func(m *workers.MessageContext) error {
		if m.Tag != 1 {
			return nil
		}
		return observer(m)
	})
	w.observeMessages(func(*workers.MessageContext) error {
		later++
		return nil
	})
	id, end := w.probe(func(caller wago.HostModule) error {
		for {
			if err := w.Service().DispatchNext(w.Context(), caller); err != nil {
				return err
			}
		}
	})
	require.NoError(w, w.Service().Send(id, 0, nil))
	require.NoError(w, w.Service().Send(id, 1, nil))
	return id, later, end()
}

var observerChecks = []Check{
	{Name: "observe/nil is refused", run: func(w *world) {
		_, err := w.Service().ObserveMessages(nil)
		require.Error(w, err)
		_, err = w.Service().ObserveExits(nil)
		require.Error(w, err)
	}},
	{Name: "observe/subscriptions differ, and none is zero", run: func(w *world) {
		seen := map[workers.Subscription]bool{{}: true}
		for range 4 {
			for _, s := range []workers.Subscription{
				w.observeMessages(func(*workers.MessageContext) error { return nil }),
				w.observeExits(func(*workers.WorkerExitContext) {}),
			} {
				require.NotContains(w, seen, s)
				seen[s] = true
			}
		}
	}},
	{Name: "observe/in the order of subscription, with one context and the worker's caller", run: func(w *world) {
		type call struct {
			observer int
			context  *workers.MessageContext
			worker   workers.WorkerID
		}
		var calls []call
		for i := range 4 {
			w.observeMessages(func(m *workers.MessageContext) error {
				id, err := w.Service().Current(m.Caller)
				calls = append(calls, call{i, m, id})
				return err
			})
		}
		id := w.spawn()
		require.NoError(w, w.Service().Send(id, 9, []byte("nine")))
		w.settle()
		require.Len(w, calls, 4)
		for i, c := range calls {
			require.Equal(w, call{i, calls[0].context, id}, c)
		}
	}},
	{Name: "observe/the first error ends the worker, and the observers after it are skipped", run: func(w *world) {
		id, later, result := w.failing(func(*workers.MessageContext) error { return errObserver })
		require.ErrorIs(w, result, errObserver)
		require.Equal(w, 1, later, "only the message before it")
		end := w.gone(id)
		require.Equal(w, workers.WorkerFailed, end.kind)
		require.ErrorIs(w, end.err, errObserver)
	}},
	{Name: "observe/a panic is an error", run: func(w *world) {
		id, later, result := w.failing(func(*workers.MessageContext) error { panic(errPanic) })
		require.ErrorIs(w, result, errPanic)
		require.Equal(w, 1, later)
		end := w.gone(id)
		require.Equal(w, workers.WorkerFailed, end.kind)
		require.ErrorIs(w, end.err, errPanic)
	}},
	{Name: "observe/after an observer's error the worker takes and sends nothing", run: func(w *world) {
		var again error
		ready, g := make(gate), make(gate)
		w.observeMessages(func(m *workers.MessageContext) error {
			if m.Tag == 1 {
				return errObserver
			}
			return nil
		})
		id, _ := w.probe(func(caller wago.HostModule) error {
			w.pass(ready)
			_ = w.Service().DispatchNext(w.Context(), caller)
			again = w.Service().DispatchNext(w.Context(), caller)
			w.pass(g)
			return nil
		})
		require.NoError(w, w.Service().Send(id, 1, nil))
		require.NoError(w, w.Service().Send(id, 2, nil))
		ready.open()
		w.settle()
		require.ErrorIs(w, again, errObserver)
		require.ErrorIs(w, w.Service().Send(id, 3, nil), workers.ErrWorkerStopping)
		require.NoError(w, w.Service().Kill(id))
		g.open()
		end := w.gone(id)
		require.Equal(w, workers.WorkerFailed, end.kind, "the first cause stays")
		require.ErrorIs(w, end.err, errObserver)
	}},
	{Name: "observe/a message observer that ends its goroutine ends the worker properly", run: func(w *world) {
		w.observeMessages(func(m *workers.MessageContext) error {
			if m.Tag == 1 {
				runtime.Goexit()
			}
			return nil
		})
		id := w.linked(w.owner)
		require.NoError(w, w.Service().Send(id, 1, nil))
		end := w.gone(id)
		require.Equal(w, workers.WorkerFailed, end.kind)
		require.Error(w, end.err)
		w.fill()
		w.finishes("closing the creator", func() { _ = w.owner.Close() })
	}},
	{Name: "observe/every exit is seen by every exit observer, in the order of subscription", run: func(w *world) {
		var order []int
		for i := range 3 {
			w.observeExits(func(x *workers.WorkerExitContext) { order = append(order, i) })
		}
		w.Script(Script{})
		w.gone(w.spawn())
		w.settle()
		require.Equal(w, []int{0, 1, 2}, order)
	}},
	{Name: "observe/an exit observer that panics harms nobody, and the close says so", run: func(w *world) {
		w.observeExits(func(*workers.WorkerExitContext) { panic(errPanic) })
		var after atomic.Int32
		w.observeExits(func(*workers.WorkerExitContext) { after.Add(1) })
		id := w.linked(w.owner)
		require.NoError(w, w.Service().Kill(id))
		w.gone(id)
		w.settle()
		require.EqualValues(w, 1, after.Load())
		w.finishes("closing everything", func() {
			if err := w.Close(); !errors.Is(err, errPanic) {
				w.Errorf("close returned %v", err)
			}
		})
	}},
	{Name: "observe/an exit observer that ends its goroutine harms nobody", run: func(w *world) {
		w.observeExits(func(*workers.WorkerExitContext) { runtime.Goexit() })
		var after atomic.Int32
		w.observeExits(func(*workers.WorkerExitContext) { after.Add(1) })
		id := w.linked(w.owner)
		require.NoError(w, w.Service().Kill(id))
		w.gone(id)
		w.settle()
		require.EqualValues(w, 1, after.Load())
		w.fill()
	}},
}
