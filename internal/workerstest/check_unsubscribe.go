package workerstest

import (
	"sync/atomic"

	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"
)

var unsubscribeChecks = []Check{
	{Name: "unsubscribe/there are no more callbacks", run: func(w *world) {
		messages, exits := 0, 0
		a := w.observeMessages(func(*workers.MessageContext) error { messages++; return nil })
		b := w.observeExits(func(*workers.WorkerExitContext) { exits++ })
		id := w.spawn()
		require.NoError(w, w.Service().Send(id, 1, nil))
		w.settle()
		require.NoError(w, w.Service().Unsubscribe(a))
		require.NoError(w, w.Service().Send(id, 2, nil))
		w.settle()
		require.NoError(w, w.Service().Unsubscribe(b))
		require.NoError(w, w.Service().Kill(id))
		w.gone(id)
		require.Equal(w, 1, messages)
		require.Zero(w, exits)
		require.Equal(w, []uint64{1, 2}, w.tags(id), "the other subscriptions go on")
	}},
	{Name: "unsubscribe/again is fine, and none of nobody's is", run: func(w *world) {
		s := w.observeMessages(func(*workers.MessageContext) error { return nil })
		require.NoError(w, w.Service().Unsubscribe(s))
		require.NoError(w, w.Service().Unsubscribe(s))
		require.Error(w, w.Service().Unsubscribe(workers.Subscription{}))
		require.Error(w, w.Service().Unsubscribe(new(workers.SubscriptionIssuer).Issue()))
	}},
	{Name: "unsubscribe/waits for the callback in progress, and so does every other", run: func(w *world) {
		inside, g := make(gate), make(gate)
		var ended atomic.Int32
		s := w.observeMessages(func(*workers.MessageContext) error {
			inside.open()
			w.pass(g)
			ended.Add(1)
			return nil
		})
		id := w.spawn()
		require.NoError(w, w.Service().Send(id, 1, nil))
		w.await(inside, "the callback")
		waits := make([]<-chan struct{}, 2)
		for i := range waits {
			waits[i] = w.async(func() {
				if err := w.Service().Unsubscribe(s); err != nil {
					w.Errorf("unsubscribe: %v", err)
				}
				if ended.Load() != 1 {
					w.Errorf("unsubscribed while the callback runs")
				}
			})
		}
		w.settle()
		for _, done := range waits {
			require.False(w, closed(done), "unsubscribe doesn't wait")
		}
		g.open()
		for _, done := range waits {
			w.await(done, "unsubscribe")
		}
	}},
	{Name: "unsubscribe/waits for an exit callback in progress", run: func(w *world) {
		inside, g := make(gate), make(gate)
		s := w.observeExits(func(*workers.WorkerExitContext) {
			inside.open()
			w.pass(g)
		})
		w.Script(Script{})
		w.spawn()
		w.await(inside, "the callback")
		done := w.async(func() { _ = w.Service().Unsubscribe(s) })
		w.settle()
		require.False(w, closed(done), "unsubscribe doesn't wait")
		g.open()
		w.await(done, "unsubscribe")
	}},
	{Name: "unsubscribe/doesn't wait for the callbacks of others", run: func(w *world) {
		inside, g := make(gate), make(gate)
		w.observeMessages(func(*workers.MessageContext) error {
			inside.open()
			w.pass(g)
			return nil
		})
		s := w.observeMessages(func(*workers.MessageContext) error { return nil })
		id := w.spawn()
		require.NoError(w, w.Service().Send(id, 1, nil))
		w.await(inside, "the callback")
		w.finishes("unsubscribe", func() { _ = w.Service().Unsubscribe(s) })
		g.open()
	}},
	{Name: "unsubscribe/from inside its own callback is an error, and the last callback", run: func(w *world) {
		calls := 0
		var result error
		var s workers.Subscription
		s = w.observeMessages(func(*workers.MessageContext) error {
			calls++
			result = w.Service().Unsubscribe(s)
			return nil
		})
		id := w.spawn()
		for tag := range uint64(3) {
			require.NoError(w, w.Service().Send(id, tag, nil))
		}
		w.eventually(func() bool { return len(w.messages(id)) == 3 }, "three messages")
		require.ErrorIs(w, result, workers.ErrInsideCallback)
		require.Equal(w, 1, calls)
		require.NoError(w, w.Service().Unsubscribe(s))
	}},
	{Name: "unsubscribe/an exit observer may end its own and an idle subscription", run: func(w *world) {
		idle := w.observeMessages(func(*workers.MessageContext) error { return nil })
		var own workers.Subscription
		var first, second error
		own = w.observeExits(func(*workers.WorkerExitContext) {
			first = w.Service().Unsubscribe(idle)
			second = w.Service().Unsubscribe(own)
		})
		w.Script(Script{})
		w.gone(w.spawn())
		w.settle()
		require.NoError(w, first)
		require.ErrorIs(w, second, workers.ErrInsideCallback)
	}},
}
