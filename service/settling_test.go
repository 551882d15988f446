package service_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/events"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

func TestACompletedWorkerIsIdleForRouting(t *testing.T) {
	gate := make(chan struct{})
	b := newBench(t, rig.Config{Behaviour: func(w *rig.Worker, task pool.Task) rig.Act {
		if task.Tag == 1 {
			_ = w.Service().Complete(w.Caller, nil)
		}
		w.Hold(gate)
		return rig.Next
	}}, pool.PoolOptions{Strategy: pool.LeastLoaded, MinWorkers: 2})
	completed := b.give(1)
	b.until(func(s pool.PoolStats) bool { return s.Done == 1 }, "completed")
	busy := completed
	for tag := uint64(2); busy == completed; tag++ { // of equals either may be chosen
		busy = b.give(tag)
	}
	b.until(func(s pool.PoolStats) bool { return s.Running == 1 }, "the other has one in hand")
	load := map[pool.WorkerID]uint32{}
	for _, w := range b.stats().Workers {
		load[w.ID] = w.Outstanding + w.Running
	}
	for load[completed] < load[busy] {
		require.Equal(t, completed, b.give(100))
		load[completed]++
	}
	close(gate)
	b.quiet()
}

// verdictOn has a worker keep task 1 in hand across a verdict and try to settle it then.
func verdictOn(t *testing.T, opts pool.PoolOptions, verdict func(*bench)) (answers map[string]error, b *bench) {
	t.Helper()
	over, told := make(chan struct{}), make(chan map[string]error, 1)
	b = newBench(t, rig.Config{Behaviour: func(w *rig.Worker, task pool.Task) rig.Act {
		w.HoldOn(over)
		_, current := w.Service().Current(w.Caller)
		told <- map[string]error{
			"Current": current, "Complete": w.Service().Complete(w.Caller, nil), "Fail": w.Service().Fail(w.Caller, nil),
			"DispatchNext": w.Service().DispatchNext(context.Background(), w.Caller),
		}
		return rig.Return
	}}, opts)
	release := sync.OnceFunc(func() { close(over) })
	t.Cleanup(release)
	b.submit(1)
	b.until(func(s pool.PoolStats) bool { return s.Running+s.FailedTasks == 1 }, "taken")
	verdict(b)
	release()
	return within(t, testPatience, told, "the worker"), b
}

func TestAfterAVerdictNothingSettles(t *testing.T) {
	for name, c := range map[string]struct {
		opts    pool.PoolOptions
		verdict func(*bench)
		cause   error
	}{
		"Destroy": {pool.PoolOptions{}, func(b *bench) {
			go func() { _ = b.Service.Destroy(b.id) }() // it waits for the worker
			b.Eventually(func() bool { return len(b.Service.List()) == 0 }, "destroyed")
		}, pool.ErrPoolDestroyed},
		"TaskTimeout": {pool.PoolOptions{TaskTimeout: time.Millisecond}, func(b *bench) {
			b.until(func(s pool.PoolStats) bool { return s.FailedTasks == 1 }, "the verdict")
		}, pool.ErrTaskTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			answers, b := verdictOn(t, c.opts, c.verdict)
			for _, verb := range []string{"Current", "Complete", "Fail"} {
				assert.Equal(t, pool.ErrNoTask, answers[verb], verb)
			}
			assert.ErrorIs(t, answers["DispatchNext"], c.cause)
			b.Eventually(func() bool { return b.LiveWorkers() == 0 }, "gone")
		})
	}
}

func TestBeforeItsFirstTaskAWorkerHasNone(t *testing.T) {
	const workers = 8
	answers := make(chan error, 4*workers)
	b := &bench{Rig: rig.New(t, rig.Config{})}
	b.owner = b.Owner()
	b.OnTurn(func(w *rig.Worker) { // it may be no member yet
		if w.Turn > 1 {
			return
		}
		_, err := w.Service().Current(w.Caller)
		for _, err := range []error{err, w.Service().Complete(w.Caller, nil), w.Service().Fail(w.Caller, nil)} {
			answers <- err
		}
	})
	gazing(b.Rig, func() { b.id = b.another(pool.PoolOptions{MinWorkers: workers}) })
	for range 3 * workers {
		assert.Equal(t, pool.ErrNoTask, within(t, testPatience, answers, "the worker"))
	}
	b.submit(span(1, workers)...)
	b.quiet()
}

func TestAKilledWorkersSettlementStillCounts(t *testing.T) {
	gate := make(chan struct{})
	b := newBench(t, rig.Config{Behaviour: func(w *rig.Worker, _ pool.Task) rig.Act {
		w.HoldOn(gate)
		return rig.Next
	}}, pool.PoolOptions{})
	answer := async(func() error {
		_, err := b.Service.Call(t.Context(), b.id, pool.Task{Tag: 1})
		return err
	})
	b.running(1)
	require.NoError(t, b.Workers.Kill(b.workers()[0])) // past the pool: no verdict on the task
	close(gate)
	require.NoError(t, within(t, testPatience, answer, "Call"))
	stats := b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "gone")
	assert.EqualValues(t, 1, stats.Done)
	assert.Zero(t, stats.FailedTasks)
	assert.Equal(t, workers.WorkerKilled, stats.LastExit.Kind)
}

func TestANilContextNeverEnds(t *testing.T) {
	var none context.Context
	b := newBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{})
	supervised := b.owner.Do(func(caller wago.HostModule) error { return b.Service.Supervise(none, caller, b.id) })
	_, err := b.Service.SubmitWait(none, b.id, pool.Task{Tag: 1})
	require.NoError(t, err)
	_, err = b.Service.Call(none, b.id, pool.Task{Tag: 2})
	require.NoError(t, err)
	require.NoError(t, b.Service.DrainWait(none, b.id))
	require.NoError(t, within(t, testPatience, supervised, "Supervise"))
}

func TestANilObserverIsRefused(t *testing.T) {
	b := newBench(t, rig.Config{}, pool.PoolOptions{})
	_, err := b.Service.ObserveEvents(nil)
	assert.ErrorIs(t, err, events.ErrNilObserver)
}
