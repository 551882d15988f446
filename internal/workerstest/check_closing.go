package workerstest

import (
	"time"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// watch spawns a linked worker that waits, in its first host call, until it is told to close, and returns the channel.
func (w *world) watch(service Closer) (workers.WorkerID, <-chan struct{}) {
	w.Helper()
	channel := make(chan (<-chan struct{}), 1)
	w.Script(w.once(func(caller wago.HostModule) Act {
		closing, err := service.Closing(caller)
		channel <- closing
		if err != nil {
			return Trap
		}
		w.pass(closing)
		return Return
	}))
	id := w.linked(w.owner)
	closing := receive(w, channel)
	require.NotNil(w, closing)
	w.settle()
	require.False(w, closed(closing))
	return id, closing
}

var closingChecks = []Check{
	{Name: "closing/a worker learns that it was killed", run: extra(func(w *world, service Closer) {
		id, _ := w.watch(service)
		require.NoError(w, w.Service().Kill(id))
		w.killed(id, workers.ErrWorkerKilled)
	})},
	{Name: "closing/a worker learns that its creator closes, while that waits", run: extra(func(w *world, service Closer) {
		id, _ := w.watch(service)
		w.finishes("the creator's close", func() { _ = w.owner.Close() })
		w.killed(id, workers.ErrWorkerParentClosed)
	})},
	{Name: "closing/a worker learns that everything closes", run: extra(func(w *world, service Closer) {
		id, _ := w.watch(service)
		w.finishes("closing everything", func() { _ = w.Close() })
		w.gone(id)
	})},
	{Name: "closing/a worker whose creator has gone learns that everything closes", run: extra(func(w *world, service Closer) {
		channel := make(chan (<-chan struct{}), 1)
		w.Script(w.once(func(caller wago.HostModule) Act {
			closing, _ := service.Closing(caller)
			channel <- closing
			w.pass(closing)
			return Return
		}))
		id := w.spawn()
		receive(w, channel)
		w.finishes("the creator's close", func() { _ = w.owner.Close() })
		w.live(id)
		w.finishes("closing everything", func() { _ = w.Close() })
		w.gone(id)
	})},
	{Name: "closing/a worker that is retired learns nothing", run: extra(func(w *world, service Closer) {
		retirer, ok := w.Service().(Retirer)
		if !ok {
			return
		}
		id, closing := w.watch(service)
		require.NoError(w, retirer.Retire(id))
		w.settle()
		require.False(w, closed(closing))
		require.NoError(w, w.Service().Kill(id))
		w.gone(id)
	})},
	{Name: "closing/is closed when the worker has ended", run: extra(func(w *world, service Closer) {
		channel := make(chan (<-chan struct{}), 1)
		w.Script(Script{Step: func(caller wago.HostModule) Act {
			closing, _ := service.Closing(caller)
			channel <- closing
			return Return
		}})
		id := w.spawn()
		closing := receive(w, channel)
		require.Equal(w, workers.WorkerReturned, w.gone(id).kind)
		w.settle()
		require.True(w, closed(closing))
	})},
	{Name: "closing/an owner learns that it closes", run: extra(func(w *world, service Closer) {
		begun := make(gate)
		call := w.async(func() {
			_ = w.owner.Call(func(caller wago.HostModule) {
				closing, err := service.Closing(caller)
				if err != nil {
					w.Errorf("closing: %v", err)
					return
				}
				begun.open()
				w.pass(closing)
			})
		})
		w.await(begun, "the owner's host call")
		w.settle()
		require.False(w, closed(call))
		w.finishes("the owner's close", func() { _ = w.owner.Close() })
		w.await(call, "the owner's host call")
	})},
	{Name: "closing/an owner learns it before its workers are waited for", run: extra(func(w *world, service Closer) {
		g, begun := make(gate), make(gate)
		w.Script(w.once(func(caller wago.HostModule) Act {
			w.pass(g) // the owner opens it, once it knows
			return w.serve(caller)
		}))
		id := w.linked(w.owner)
		call := w.async(func() {
			_ = w.owner.Call(func(caller wago.HostModule) {
				closing, _ := service.Closing(caller)
				begun.open()
				w.pass(closing)
				g.open()
			})
		})
		w.await(begun, "the owner's host call")
		w.finishes("the owner's close", func() { _ = w.owner.Close() })
		w.await(call, "the owner's host call")
		w.killed(id, workers.ErrWorkerParentClosed)
	})},
	{Name: "closing/every owner learns that everything closes before anything is waited for", run: extra(func(w *world, service Closer) {
		// Each owner waits for the other to know.
		owners := []Owner{w.owner, w.newOwner()}
		knows := []gate{make(gate), make(gate)}
		var calls []<-chan struct{}
		for i, owner := range owners {
			begun := make(gate)
			calls = append(calls, w.async(func() {
				_ = owner.Call(func(caller wago.HostModule) {
					closing, _ := service.Closing(caller)
					begun.open()
					w.pass(closing)
					knows[i].open()
					<-knows[1-i]
				})
			}))
			w.await(begun, "the owner's host call")
		}
		w.finishes("closing everything", func() { _ = w.Close() })
		for _, call := range calls {
			w.await(call, "the owner's host call")
		}
	})},
	{Name: "closing/a start section learns that its creator closes", run: extra(func(w *world, service Closer) {
		begun := make(gate)
		w.Script(Script{Start: func(caller wago.HostModule) Act {
			closing, err := service.Closing(caller)
			begun.open()
			if err == nil {
				w.pass(closing)
			}
			return Return
		}})
		var spawn error
		call := w.async(func() {
			_ = w.owner.Call(func(caller wago.HostModule) {
				_, spawn = w.Service().Spawn(caller, w.Entry(), workers.WorkerOptions{})
			})
		})
		w.await(begun, "the start section")
		w.finishes("the owner's close", func() { _ = w.owner.Close() })
		w.await(call, "the spawn")
		require.Error(w, spawn)
	})},
	{Name: "closing/a caller that isn't live is refused", run: extra(func(w *world, service Closer) {
		for name, caller := range w.badCallers() {
			_, err := service.Closing(caller)
			require.ErrorIs(w, err, workers.ErrInvalidWorkerCaller, name)
		}
	})},
	{Name: "closing/a worker in a host call that never looks is waited for", run: extra(func(w *world, service Closer) {
		id, g := w.hold(workers.WorkerOptions{})
		require.NoError(w, w.Service().Kill(id))
		if !w.real {
			time.Sleep(10 * w.Grace())
		}
		w.live(id)
		g.open()
		w.killed(id, workers.ErrWorkerKilled)
	})},
}
