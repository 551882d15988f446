package workerstest

import (
	"time"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

var retireChecks = []Check{
	{Name: "retire/ends the worker that waits for a message", run: extra(func(w *world, service Retirer) {
		id, end := w.probe(func(caller wago.HostModule) error {
			return w.Service().DispatchNext(w.Context(), caller)
		})
		w.settle()
		require.NoError(w, service.Retire(id))
		require.ErrorIs(w, end(), workers.ErrWorkerStopping)
		end2 := w.gone(id)
		require.Equal(w, workers.WorkerReturned, end2.kind)
		require.NoError(w, end2.err)
	})},
	{Name: "retire/what is in the mailbox comes first", run: extra(func(w *world, service Retirer) {
		id, g := w.hold(workers.WorkerOptions{})
		require.NoError(w, w.Service().Send(id, 1, nil))
		require.NoError(w, w.Service().Send(id, 2, nil))
		require.NoError(w, service.Retire(id))
		require.NoError(w, w.Service().Send(id, 3, nil), "it still takes messages")
		g.open()
		require.Equal(w, workers.WorkerReturned, w.gone(id).kind)
		require.Equal(w, []uint64{1, 2, 3}, w.tags(id))
	})},
	{Name: "retire/once it found nothing the worker takes no more messages", run: extra(func(w *world, service Retirer) {
		told, g := make(gate), make(gate)
		var again error
		id, _ := w.probe(func(caller wago.HostModule) error {
			_ = w.Service().DispatchNext(w.Context(), caller)
			told.open()
			w.pass(g)
			again = w.Service().DispatchNext(w.Context(), caller)
			return nil
		})
		require.NoError(w, service.Retire(id))
		w.await(told, "the dispatch")
		require.ErrorIs(w, w.Service().Send(id, 1, nil), workers.ErrWorkerStopping)
		require.NoError(w, service.Retire(id), "again")
		g.open()
		require.Equal(w, workers.WorkerReturned, w.gone(id).kind)
		require.ErrorIs(w, again, workers.ErrWorkerStopping)
		w.settle()
		require.ErrorIs(w, service.Retire(id), workers.ErrWorkerNotFound)
	})},
	{Name: "retire/a trap after it is a failure", run: extra(func(w *world, service Retirer) {
		w.Script(Script{Step: func(caller wago.HostModule) Act {
			_ = w.Service().DispatchNext(w.Context(), caller)
			return Trap
		}})
		id := w.spawn()
		require.NoError(w, service.Retire(id))
		require.Equal(w, workers.WorkerFailed, w.gone(id).kind)
	})},
	{Name: "retire/a kill after it is a kill", run: extra(func(w *world, service Retirer) {
		id, g := w.hold(workers.WorkerOptions{})
		require.NoError(w, service.Retire(id))
		w.settle()
		require.NoError(w, w.Service().Kill(id))
		g.open()
		w.killed(id, workers.ErrWorkerKilled)
	})},
	{Name: "retire/interrupts nobody", Real: true, run: extra(func(w *world, service Retirer) {
		id := w.spinner(w.owner)
		require.NoError(w, service.Retire(id))
		timer := time.NewTimer(3 * w.Grace())
		<-timer.C
		w.live(id)
		require.NoError(w, w.Service().Kill(id))
		w.killed(id, workers.ErrWorkerKilled)
	})},
	{Name: "retire/lets the creator's close stop the worker", run: extra(func(w *world, service Retirer) {
		g := make(gate)
		w.Script(w.once(func(caller wago.HostModule) Act {
			w.pass(g)
			return w.serve(caller)
		}))
		id := w.linked(w.owner)
		require.NoError(w, service.Retire(id))
		done := w.async(func() { _ = w.owner.Close() })
		w.settle()
		g.open()
		w.await(done, "the creator's close")
		w.killed(id, workers.ErrWorkerParentClosed)
	})},
	{Name: "retire/of nobody is refused", run: extra(func(w *world, service Retirer) {
		require.ErrorIs(w, service.Retire(0), workers.ErrWorkerNotFound)
		require.ErrorIs(w, service.Retire(7), workers.ErrWorkerNotFound)
	})},
}
