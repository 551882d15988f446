package workerstest

import (
	"time"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

const (
	errFirst  workers.Error = "workerstest: first cause"
	errSecond workers.Error = "workerstest: second cause"
)

var killWithinChecks = []Check{
	{Name: "killwithin/the cause is the dispatch's and the exit's, and the first stays", run: extra(func(w *world, service Terminator) {
		g := make(gate)
		id, end := w.probe(func(caller wago.HostModule) error {
			w.pass(g)
			return w.Service().DispatchNext(w.Context(), caller)
		})
		w.settle()
		require.NoError(w, service.KillWithin(id, time.Hour, errFirst))
		require.NoError(w, service.KillWithin(id, time.Hour, errSecond))
		require.NoError(w, w.Service().Kill(id))
		g.open()
		require.ErrorIs(w, end(), errFirst)
		exit := w.gone(id)
		require.Equal(w, workers.WorkerKilled, exit.kind)
		require.ErrorIs(w, exit.err, errFirst)
		require.NotErrorIs(w, exit.err, errSecond)
		require.NotErrorIs(w, exit.err, workers.ErrWorkerKilled)
	})},
	{Name: "killwithin/no cause is Kill's", run: extra(func(w *world, service Terminator) {
		id := w.spawn()
		w.settle()
		require.NoError(w, service.KillWithin(id, time.Hour, nil))
		w.killed(id, workers.ErrWorkerKilled)
		w.settle()
		require.ErrorIs(w, service.KillWithin(id, 0, nil), workers.ErrWorkerNotFound)
	})},
	{Name: "killwithin/drops the mailbox", run: extra(func(w *world, service Terminator) {
		id, g := w.hold(workers.WorkerOptions{})
		require.NoError(w, w.Service().Send(id, 1, nil))
		w.settle()
		require.NoError(w, service.KillWithin(id, time.Hour, errFirst))
		g.open()
		w.killed(id, errFirst)
		require.Empty(w, w.messages(0))
	})},
	{Name: "killwithin/no grace interrupts at once", Real: true, run: extra(func(w *world, service Terminator) {
		id := w.spinner(w.owner)
		start := time.Now()
		require.NoError(w, service.KillWithin(id, 0, errFirst))
		w.killed(id, errFirst)
		require.Less(w, time.Since(start), slack)
	})},
	{Name: "killwithin/a shorter grace shortens, a longer one doesn't lengthen", Real: true, run: extra(func(w *world, service Terminator) {
		id := w.spinner(w.owner)
		require.NoError(w, service.KillWithin(id, time.Hour, errFirst))
		timer := time.NewTimer(2 * w.Grace())
		<-timer.C
		w.live(id)
		start := time.Now()
		require.NoError(w, service.KillWithin(id, w.Grace(), errSecond))
		require.NoError(w, service.KillWithin(id, time.Hour, errSecond))
		w.killed(id, errFirst)
		require.GreaterOrEqual(w, time.Since(start), w.Grace())
		require.Less(w, time.Since(start), w.Grace()+slack)
	})},
	{Name: "killwithin/a worker inside a host function comes back to an interruption", Real: true, run: extra(func(w *world, service Terminator) {
		inside, g := make(gate), make(gate)
		w.Script(Script{Step: func(wago.HostModule) Act {
			inside.open()
			w.pass(g)
			return Spin
		}})
		id := w.spawn()
		w.await(inside, "the host call")
		require.NoError(w, service.KillWithin(id, 0, errFirst))
		w.live(id)
		g.open()
		w.killed(id, errFirst)
	})},
}
