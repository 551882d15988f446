package workerstest

import (
	"fmt"
	"sync"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// hold spawns a worker with options that waits in a host call until the gate opens, and serves from then on.
func (w *world) hold(options workers.WorkerOptions) (workers.WorkerID, gate) {
	w.Helper()
	g := make(gate)
	w.Script(w.once(func(caller wago.HostModule) Act {
		w.pass(g)
		return w.serve(caller)
	}))
	return w.spawn(options), g
}

var sendChecks = []Check{
	{Name: "send/messages arrive once each, in order, as they were sent", run: func(w *world) {
		id, g := w.hold(workers.WorkerOptions{QueueCapacity: 100})
		want := make([]received, 100)
		for i := range want {
			want[i] = received{id, uint64(i) << 40, fmt.Append(nil, "payload ", i)}
			require.NoError(w, w.Service().Send(id, want[i].tag, want[i].payload))
		}
		g.open()
		w.settle()
		require.Equal(w, want, w.messages(0))
	}},
	{Name: "send/a message wakes the worker that waits for it", run: func(w *world) {
		id := w.spawn()
		w.settle()
		for tag := range uint64(10) {
			require.NoError(w, w.Service().Send(id, tag, nil))
			w.settle()
			require.Len(w, w.messages(id), int(tag)+1)
		}
	}},
	{Name: "send/a message goes to no other worker", run: func(w *world) {
		ids := []workers.WorkerID{w.spawn(), w.spawn(), w.spawn()}
		for _, id := range ids {
			require.NoError(w, w.Service().Send(id, uint64(id)*10, nil))
		}
		w.settle()
		for _, id := range ids {
			require.Equal(w, []uint64{uint64(id) * 10}, w.tags(id))
		}
	}},
	{Name: "send/the payload is copied", run: func(w *world) {
		id, g := w.hold(workers.WorkerOptions{})
		payload := []byte("before")
		require.NoError(w, w.Service().Send(id, 1, payload))
		copy(payload, "after!")
		g.open()
		w.settle()
		require.Equal(w, []received{{id, 1, []byte("before")}}, w.messages(id))
	}},
	{Name: "send/an empty payload is a message", run: func(w *world) {
		id, g := w.hold(workers.WorkerOptions{QueueCapacity: 2})
		require.NoError(w, w.Service().Send(id, 1, nil))
		require.NoError(w, w.Service().Send(id, 2, []byte{}))
		require.ErrorIs(w, w.Service().Send(id, 3, nil), workers.ErrWorkerQueueFull)
		g.open()
		w.settle()
		require.Equal(w, []uint64{1, 2}, w.tags(id))
		for _, m := range w.messages(id) {
			require.Empty(w, m.payload)
		}
	}},
	{Name: "send/a payload may have MaxPayloadBytes and no more", run: func(w *world) {
		id, g := w.hold(workers.WorkerOptions{MaxPayloadBytes: 10})
		require.ErrorIs(w, w.Service().Send(id, 1, make([]byte, 11)), workers.ErrPayloadTooLarge)
		require.NoError(w, w.Service().Send(id, 2, make([]byte, 10)))
		g.open()
		w.settle()
		require.Equal(w, []received{{id, 2, make([]byte, 10)}}, w.messages(id))
	}},
	{Name: "send/a mailbox holds QueueCapacity messages", run: func(w *world) {
		id, g := w.hold(workers.WorkerOptions{QueueCapacity: 3})
		for tag := range uint64(3) {
			require.NoError(w, w.Service().Send(id, tag, []byte{1}))
		}
		require.ErrorIs(w, w.Service().Send(id, 3, []byte{1}), workers.ErrWorkerQueueFull)
		g.open()
		w.settle()
		require.NoError(w, w.Service().Send(id, 4, nil))
		w.settle()
		require.Equal(w, []uint64{0, 1, 2, 4}, w.tags(id))
	}},
	{Name: "send/a mailbox holds MaxQueueBytes", run: func(w *world) {
		id, g := w.hold(workers.WorkerOptions{MaxPayloadBytes: 10, MaxQueueBytes: 25})
		for tag := range uint64(2) {
			require.NoError(w, w.Service().Send(id, tag, make([]byte, 10)))
		}
		require.ErrorIs(w, w.Service().Send(id, 2, make([]byte, 6)), workers.ErrWorkerQueueFull)
		require.NoError(w, w.Service().Send(id, 3, make([]byte, 5)))
		require.NoError(w, w.Service().Send(id, 4, nil))
		require.ErrorIs(w, w.Service().Send(id, 5, make([]byte, 1)), workers.ErrWorkerQueueFull)
		g.open()
		w.settle()
		require.Equal(w, []uint64{0, 1, 3, 4}, w.tags(id))
	}},
	{Name: "send/a message leaves the mailbox before the observers see it", run: func(w *world) {
		var again error
		id, g := w.hold(workers.WorkerOptions{QueueCapacity: 1})
		_, err := w.Service().ObserveMessages(func(m *workers.MessageContext) error {
			if m.Tag == 1 {
				again = w.Service().Send(m.WorkerID, 2, nil)
			}
			return nil
		})
		require.NoError(w, err)
		require.NoError(w, w.Service().Send(id, 1, nil))
		g.open()
		w.settle()
		require.NoError(w, again)
		require.Equal(w, []uint64{1, 2}, w.tags(id))
	}},
	{Name: "send/to a worker that never was or has ended is refused", run: func(w *world) {
		require.ErrorIs(w, w.Service().Send(0, 1, nil), workers.ErrWorkerNotFound)
		require.ErrorIs(w, w.Service().Send(7, 1, nil), workers.ErrWorkerNotFound)
		w.Script(Script{})
		id := w.spawn()
		w.gone(id)
		w.settle()
		require.ErrorIs(w, w.Service().Send(id, 1, nil), workers.ErrWorkerNotFound)
	}},
	{Name: "send/to a worker that was told to stop is refused", run: func(w *world) {
		id, g := w.hold(workers.WorkerOptions{})
		w.settle()
		require.NoError(w, w.Service().Kill(id))
		require.ErrorIs(w, w.Service().Send(id, 1, nil), workers.ErrWorkerStopping)
		g.open()
		w.gone(id)
	}},
	{Name: "send/producers at the same time lose nothing and keep their own order", run: func(w *world) {
		const producers, each = 8, 50
		id := w.spawn(workers.WorkerOptions{QueueCapacity: producers * each})
		var all sync.WaitGroup
		for p := range uint64(producers) {
			all.Go(func() {
				for i := range uint64(each) {
					if err := w.Service().Send(id, p<<32|i, nil); err != nil {
						w.Errorf("message %d of producer %d: %v", i, p, err)
					}
				}
			})
		}
		all.Wait()
		w.settle()
		next := [producers]uint64{}
		for _, tag := range w.tags(id) {
			require.Equal(w, next[tag>>32], tag&(1<<32-1), "producer %d", tag>>32)
			next[tag>>32]++
		}
		for p := range next {
			require.EqualValues(w, each, next[p], "producer %d", p)
		}
	}},
}
