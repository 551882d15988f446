package workerstest

import (
	"time"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

var linkChecks = []Check{
	{Name: "link/is for the creator alone", run: func(w *world) {
		id := w.spawn()
		for name, caller := range w.badCallers() {
			require.ErrorIs(w, w.Service().Link(caller, id), workers.ErrInvalidWorkerCaller, name)
		}
		w.callOf(w.newOwner(), func(caller wago.HostModule) {
			require.ErrorIs(w, w.Service().Link(caller, id), workers.ErrInvalidWorkerLink, "stranger")
		})
		w.call(func(caller wago.HostModule) {
			require.ErrorIs(w, w.Service().Link(caller, 0), workers.ErrWorkerNotFound)
			require.ErrorIs(w, w.Service().Link(caller, id+1), workers.ErrWorkerNotFound)
			require.NoError(w, w.Service().Link(caller, id))
			require.NoError(w, w.Service().Link(caller, id), "again")
		})
	}},
	{Name: "link/a worker can't be linked to itself", run: func(w *world) {
		_, result := w.probe(func(caller wago.HostModule) error {
			id, err := w.Service().Current(caller)
			if err != nil {
				return err
			}
			return w.Service().Link(caller, id)
		})
		require.ErrorIs(w, result(), workers.ErrInvalidWorkerLink)
	}},
	{Name: "link/a worker that was told to stop can't be linked", run: func(w *world) {
		id, g := w.hold(workers.WorkerOptions{})
		require.NoError(w, w.Service().Kill(id))
		w.call(func(caller wago.HostModule) {
			require.ErrorIs(w, w.Service().Link(caller, id), workers.ErrWorkerStopping)
		})
		g.open()
		w.gone(id)
	}},
	{Name: "link/the creator's close stops its workers and waits for them", run: func(w *world) {
		g := make(gate)
		w.Script(w.once(func(caller wago.HostModule) Act {
			w.pass(g)
			return w.serve(caller)
		}))
		ids := []workers.WorkerID{w.linked(w.owner), w.linked(w.owner), w.linked(w.owner)}
		require.NoError(w, w.Service().Send(ids[0], 1, nil))
		done := w.async(func() { _ = w.owner.Close() })
		w.settle()
		require.False(w, closed(done), "the close doesn't wait")
		for _, id := range ids {
			require.ErrorIs(w, w.Service().Send(id, 2, nil), workers.ErrWorkerStopping, "told to stop at once, all of them")
		}
		g.open()
		w.await(done, "the creator's close")
		for _, id := range ids {
			w.killed(id, workers.ErrWorkerParentClosed)
		}
		require.Empty(w, w.messages(0))
		require.Zero(w, w.Guests())
	}},
	{Name: "link/the creator's close leaves everybody else alone", run: func(w *world) {
		other := w.newOwner()
		unlinked, theirs := w.spawn(), w.linked(other)
		mine := w.linked(w.owner)
		w.finishes("closing the creator", func() { _ = w.owner.Close() })
		w.killed(mine, workers.ErrWorkerParentClosed)
		for _, id := range []workers.WorkerID{unlinked, theirs} {
			require.NoError(w, w.Service().Send(id, uint64(id), nil))
			w.settle()
			require.Equal(w, []uint64{uint64(id)}, w.tags(id))
		}
	}},
	{Name: "link/a worker's end is its own workers' end", run: func(w *world) {
		children := make(chan workers.WorkerID, 2)
		w.Script(w.once(func(caller wago.HostModule) Act {
			if id, _ := w.Service().Current(caller); id > 2 {
				return w.serve(caller)
			}
			id, err := w.Service().Spawn(caller, w.Entry(), workers.WorkerOptions{})
			if err == nil && w.Service().Link(caller, id) == nil {
				children <- id
			}
			return w.serve(caller)
		}))
		first := w.linked(w.owner)
		w.eventually(func() bool { return len(children) == 2 }, "a child and its child")
		w.finishes("closing the creator", func() { _ = w.owner.Close() })
		w.killed(first, workers.ErrWorkerParentClosed)
		w.killed(receive(w, children), workers.ErrWorkerParentClosed)
		w.killed(receive(w, children), workers.ErrWorkerParentClosed)
		require.Zero(w, w.Guests())
	}},
	{Name: "link/the creator's close interrupts all that never come back, together", Real: true, run: func(w *world) {
		var ids []workers.WorkerID
		for range 3 {
			id := w.spinner(w.owner)
			w.call(func(caller wago.HostModule) { require.NoError(w, w.Service().Link(caller, id)) })
			ids = append(ids, id)
		}
		start := time.Now()
		w.finishes("closing the creator", func() { _ = w.owner.Close() })
		require.Less(w, time.Since(start), w.Grace()+slack)
		for _, id := range ids {
			w.killed(id, workers.ErrWorkerParentClosed)
		}
		require.Zero(w, w.Guests())
	}},
	{Name: "link/a creator that is closing can neither link nor spawn", run: func(w *world) {
		id, g := w.hold(workers.WorkerOptions{})
		inside, begun := make(gate), make(gate)
		var link, spawn error
		call := w.async(func() {
			_ = w.owner.Call(func(caller wago.HostModule) {
				inside.open()
				w.pass(begun)
				link = w.Service().Link(caller, id)
				_, spawn = w.Service().Spawn(caller, w.Entry(), workers.WorkerOptions{})
			})
		})
		w.await(inside, "the owner's host call")
		done := w.async(func() { _ = w.owner.Close() })
		w.settle()
		begun.open()
		w.await(call, "the owner's host call")
		w.await(done, "the owner's close")
		require.Error(w, link)
		require.Error(w, spawn)
		w.live(id) // it isn't linked, so it lives on
		require.Equal(w, 1, w.Guests())
		g.open()
	}},
	{Name: "link/the creator's close comes back while a fork is starting", Real: true, run: func(w *world) {
		starts := make(gate)
		w.Script(Script{Start: func(wago.HostModule) Act {
			starts.open()
			return Spin
		}})
		var spawn error
		call := w.async(func() {
			_ = w.owner.Call(func(caller wago.HostModule) {
				_, spawn = w.Service().Spawn(caller, w.Entry(), workers.WorkerOptions{})
			})
		})
		w.await(starts, "the fork's start section")
		w.finishes("the owner's close", func() { _ = w.owner.Close() })
		w.await(call, "the spawn")
		require.Error(w, spawn)
		require.Zero(w, w.Guests())
		w.Script(Script{Step: w.serve})
		w.owner = w.newOwner()
		w.fill()
	}},
}
