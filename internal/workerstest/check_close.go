package workerstest

import (
	"errors"
	"sync"
	"time"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// ended checks that the service says it is closed, and that nothing is left.
func (w *world) ended(id workers.WorkerID) {
	w.Helper()
	require.ErrorIs(w, w.Service().Send(id, 1, nil), workers.ErrWorkerRuntimeClosed)
	require.ErrorIs(w, w.Service().Kill(id), workers.ErrWorkerNotFound)
	_, err := w.Service().ObserveMessages(func(*workers.MessageContext) error { return nil })
	require.ErrorIs(w, err, workers.ErrWorkerRuntimeClosed)
	_, err = w.Service().ObserveExits(func(*workers.WorkerExitContext) {})
	require.ErrorIs(w, err, workers.ErrWorkerRuntimeClosed)
	require.Zero(w, w.Guests())
}

var closeChecks = []Check{
	{Name: "close/ends every worker, linked or not, and the service", run: func(w *world) {
		subscription := w.observeExits(func(*workers.WorkerExitContext) {})
		linked, unlinked := w.linked(w.owner), w.spawn()
		w.settle()
		w.finishes("closing everything", func() {
			if err := w.Close(); err != nil {
				w.Errorf("close: %v", err)
			}
		})
		end := w.gone(linked)
		require.Equal(w, workers.WorkerKilled, end.kind)
		require.ErrorIs(w, end.err, workers.ErrWorkerParentClosed)
		w.gone(unlinked)
		w.ended(unlinked)
		require.NoError(w, w.Service().Unsubscribe(subscription), "idempotent, also after the end")
	}},
	{Name: "close/ends a worker that waits with no context and for no creator", run: func(w *world) {
		_, result := w.probe(func(caller wago.HostModule) error {
			return w.Service().DispatchNext(nil, caller) //nolint:staticcheck // the contract allows it
		})
		w.finishes("the creator's close", func() { _ = w.owner.Close() })
		w.settle()
		w.finishes("closing everything", func() { _ = w.Close() })
		require.ErrorIs(w, result(), workers.ErrWorkerRuntimeClosed)
		w.killed(1, workers.ErrWorkerRuntimeClosed)
	}},
	{Name: "close/a busy worker may finish what it has in hand", run: func(w *world) {
		inside, g := make(gate), make(gate)
		finished := false
		id, end := w.probe(func(caller wago.HostModule) error {
			if err := w.Service().DispatchNext(w.Context(), caller); err != nil {
				return err
			}
			inside.open()
			w.pass(g)
			finished = true
			return nil
		})
		require.NoError(w, w.Service().Send(id, 1, nil))
		w.await(inside, "the message")
		done := w.async(func() { _ = w.Close() })
		w.settle()
		require.False(w, closed(done), "the close doesn't wait")
		g.open()
		w.await(done, "the close")
		require.NoError(w, end())
		require.True(w, finished)
		w.gone(id)
		w.ended(id)
	}},
	{Name: "close/ends workers that never come back, linked or not, together", Real: true, run: func(w *world) {
		unlinked, other := w.spinner(w.owner), w.newOwner()
		var linked []workers.WorkerID
		for _, owner := range []Owner{w.owner, other, other} {
			id := w.spinner(owner)
			w.callOf(owner, func(caller wago.HostModule) { require.NoError(w, w.Service().Link(caller, id)) })
			linked = append(linked, id)
		}
		start := time.Now()
		w.finishes("closing everything", func() { _ = w.Close() })
		require.Less(w, time.Since(start), 2*w.Grace()+slack)
		for _, id := range append(linked, unlinked) {
			require.Equal(w, workers.WorkerKilled, w.gone(id).kind)
		}
		w.ended(unlinked)
	}},
	{Name: "close/comes back while a fork is starting", Real: true, run: func(w *world) {
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
		w.finishes("closing everything", func() { _ = w.Close() })
		w.await(call, "the spawn")
		require.Error(w, spawn)
		w.ended(1)
	}},
	{Name: "close/loses no exit while workers are spawned, killed and fed", Real: true, run: func(w *world) {
		var mu sync.Mutex
		var spawned []workers.WorkerID
		churn := func(owner Owner) {
			for {
				var refused error
				err := owner.Call(func(caller wago.HostModule) {
					id, err := w.Service().Spawn(caller, w.Entry(), workers.WorkerOptions{MaxPayloadBytes: 8, MaxQueueBytes: 64})
					if err != nil {
						refused = err
						return
					}
					mu.Lock()
					spawned = append(spawned, id)
					mu.Unlock()
					_ = w.Service().Link(caller, id)
					_ = w.Service().Send(id, 1, nil)
					if id%2 == 0 {
						_ = w.Service().Kill(id)
					}
				})
				if err != nil || refused != nil && !w.overLimit(refused) {
					return
				}
				mu.Lock()
				victims := spawned
				mu.Unlock()
				if len(victims) > 3 {
					_ = w.Service().Kill(victims[len(victims)-3])
				}
			}
		}
		var churns []<-chan struct{}
		for range 3 {
			owner := w.newOwner()
			churns = append(churns, w.async(func() { churn(owner) }))
		}
		w.eventually(func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(spawned) >= 60
		}, "sixty workers")
		w.finishes("closing everything", func() { _ = w.Close() })
		for _, done := range churns {
			w.await(done, "a creator")
		}
		for _, id := range spawned {
			w.gone(id)
		}
		w.ended(1)
	}},
}

// overLimit says that a refusal passes when a worker has gone.
func (w *world) overLimit(err error) bool {
	var ceiling interface {
		Ceiling() (setting string, limit, wanted uint64)
	}
	return errors.Is(err, workers.ErrWorkerQuotaExceeded) || errors.As(err, &ceiling)
}
