package workerstest

import (
	"unsafe"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"
)

// extra runs a check of an extra that the service may have.
func extra[E any](f func(w *world, service E)) func(w *world) {
	return func(w *world) {
		if service, ok := w.Service().(E); ok {
			f(w, service)
		}
	}
}

var ownedChecks = []Check{
	{Name: "owned/the payload is taken as it is", run: extra(func(w *world, service Owned) {
		var got *byte
		w.observeMessages(func(m *workers.MessageContext) error {
			got = unsafe.SliceData(m.Payload)
			return nil
		})
		payload := []byte("mine")
		id := w.spawn()
		require.NoError(w, service.SendOwned(id, 1, payload))
		w.settle()
		require.Equal(w, []received{{id, 1, payload}}, w.messages(id))
		require.Same(w, unsafe.SliceData(payload), got)
	})},
	{Name: "owned/keeps its place among the copied", run: extra(func(w *world, service Owned) {
		id, g := w.hold(workers.WorkerOptions{})
		require.NoError(w, service.SendOwned(id, 1, nil))
		require.NoError(w, w.Service().Send(id, 2, []byte{2}))
		require.NoError(w, service.SendOwned(id, 3, []byte{3}))
		g.open()
		w.settle()
		require.Equal(w, []uint64{1, 2, 3}, w.tags(id))
	})},
	{Name: "owned/the bounds are Send's", run: extra(func(w *world, service Owned) {
		require.ErrorIs(w, service.SendOwned(7, 1, nil), workers.ErrWorkerNotFound)
		id, g := w.hold(workers.WorkerOptions{QueueCapacity: 2, MaxPayloadBytes: 4, MaxQueueBytes: 5})
		require.ErrorIs(w, service.SendOwned(id, 1, make([]byte, 5)), workers.ErrPayloadTooLarge)
		require.NoError(w, service.SendOwned(id, 1, make([]byte, 4)))
		require.ErrorIs(w, service.SendOwned(id, 2, make([]byte, 2)), workers.ErrWorkerQueueFull)
		require.NoError(w, service.SendOwned(id, 2, nil))
		require.ErrorIs(w, service.SendOwned(id, 3, nil), workers.ErrWorkerQueueFull)
		w.settle()
		require.NoError(w, w.Service().Kill(id))
		require.ErrorIs(w, service.SendOwned(id, 3, nil), workers.ErrWorkerStopping)
		g.open()
		w.finishes("closing everything", func() { _ = w.Close() })
		require.ErrorIs(w, service.SendOwned(id, 3, nil), workers.ErrWorkerRuntimeClosed)
	})},
}
