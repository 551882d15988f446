package service_test

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/workers"
)

// newRaw is a pool of workers that call Workers' own DispatchNext, as consumers did before Pool had one.
func newRaw(t *testing.T, config rig.Config, opts pool.PoolOptions) *bench {
	t.Helper()
	b := &bench{Rig: rig.New(t, config)}
	b.owner = b.Owner()
	var err error
	b.id, err = b.Service.Create(b.owner.Caller, rig.EntryRaw, opts)
	require.NoError(t, err)
	return b
}

func TestARawWorkersTaskIsDoneWhenItTakesTheNext(t *testing.T) {
	b := newRaw(t, rig.Config{}, pool.PoolOptions{})
	b.submit(1, 2, 3)
	stats := b.until(func(s pool.PoolStats) bool { return s.Queued == 0 }, "taken")
	assert.EqualValues(t, 2, stats.Done)
	assert.EqualValues(t, 1, stats.Running, "whether it is done only the next one tells")
	b.submit(4)
	b.until(func(s pool.PoolStats) bool { return s.Done == 3 }, "told")
}

func TestARawWorkersTaskIsSettledByHowItEnds(t *testing.T) {
	for name, c := range map[string]struct {
		how          rig.Act
		done, failed uint64
	}{"returns": {rig.Return, 1, 0}, "exit 0": {rig.Exit(0), 1, 0}, "traps": {rig.Trap, 0, 1}} {
		t.Run(name, func(t *testing.T) {
			b := newRaw(t, rig.Config{Behaviour: rig.ActOn(c.how, 7)}, pool.PoolOptions{})
			b.submit(7)
			stats := b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "ended")
			assert.Equal(t, c.done, stats.Done)
			assert.Equal(t, c.failed, stats.FailedTasks)
			assert.Zero(t, stats.Running)
		})
	}
}

func TestARawWorkersLoadIsItsMailbox(t *testing.T) {
	gate := make(chan struct{})
	b := newRaw(t, rig.Config{Behaviour: rig.HoldUntil(gate)}, pool.PoolOptions{Strategy: pool.LeastLoaded, MinWorkers: 2})
	first := b.give(1)
	second := b.give(2)
	require.NotEqual(t, first, second)
	b.until(func(s pool.PoolStats) bool { return s.Queued == 0 }, "both are at it")
	assert.ElementsMatch(t, []pool.WorkerID{first, second}, []pool.WorkerID{b.give(3), b.give(4)})
	close(gate)
	b.until(func(s pool.PoolStats) bool { return s.Queued == 0 }, "taken")
}

func TestACallToARawWorkerReturnsWhenItTakesTheNextTask(t *testing.T) {
	b := newRaw(t, rig.Config{}, pool.PoolOptions{})
	answer := async(func() error {
		_, err := b.Service.Call(t.Context(), b.id, pool.Task{Tag: 1})
		return err
	})
	b.running(1)
	require.True(t, waits(answer))
	b.submit(2)
	require.NoError(t, within(t, testPatience, answer, "Call"))
}

func TestARawWorkerIsRetiredWhenItsMailboxIsEmpty(t *testing.T) {
	b := newRaw(t, rig.Config{}, pool.PoolOptions{MinWorkers: 2})
	b.submit(span(1, 20)...)
	require.NoError(t, promptlyDrained(b))
	stats := b.stats()
	assert.EqualValues(t, 20, stats.Done, "the last one is done with the retirement")
	assert.EqualValues(t, 2, stats.Exited)
	assert.Zero(t, stats.Failed+stats.Dropped+stats.FailedTasks)
}

func TestARawWorkerIsRetiredByScale(t *testing.T) {
	gate := make(chan struct{})
	b := newRaw(t, rig.Config{Behaviour: rig.HoldUntil(gate)}, pool.PoolOptions{MinWorkers: 1, MaxWorkers: 3})
	b.scale(3)
	b.submit(1, 2, 3)
	b.until(func(s pool.PoolStats) bool { return s.Queued == 0 }, "taken")
	b.scale(1)
	close(gate)
	stats := b.until(func(s pool.PoolStats) bool { return s.Exited == 2 }, "retired")
	assert.EqualValues(t, 2, stats.Done)
	assert.Zero(t, stats.FailedTasks)
}

func TestRawAndPooledWorkersRedeliverAlike(t *testing.T) {
	b := newRaw(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{MinWorkers: 2})
	b.submit(666)
	b.submit(span(1, 9)...)
	b.until(func(s pool.PoolStats) bool { return s.Exited == 1 && s.Queued == 0 }, "the other takes them")
	assert.Equal(t, span(1, 9), b.Finished())
	assert.EqualValues(t, 1, b.stats().FailedTasks)
}

func TestAMessageSentPastThePoolIsDeliveredAndCountedAsForeignOnly(t *testing.T) {
	b, gates := newGatedBench(t, rig.Config{}, pool.PoolOptions{})
	worker := b.workers()[0]
	b.submit(1)
	require.NoError(t, b.Workers.Send(worker, 77, []byte("past the pool")))
	b.submit(2)
	require.NoError(t, b.Workers.Send(worker, 2, []byte("the same tag, other bytes")))
	gates.Open()
	b.until(func(s pool.PoolStats) bool { return s.Foreign == 2 && s.Done == 2 }, "all delivered")
	stats := b.quiet()
	assert.EqualValues(t, 2, stats.Routed)
	assert.Equal(t, []uint64{1, 2}, b.Finished())
	assert.EqualValues(t, 2, stats.Workers[0].Dispatched)
}

func TestAForeignMessageIsToldFromTheHeadByTagAndBytes(t *testing.T) {
	for name, foreign := range map[string]pool.Task{
		"another tag": {Tag: 2, Payload: []byte("mine")}, "other bytes": {Tag: 1, Payload: []byte("ours")}, "longer": {Tag: 1, Payload: []byte("mine!")},
	} {
		t.Run(name, func(t *testing.T) {
			b, gates := newGatedBench(t, rig.Config{Behaviour: func(w *rig.Worker, task pool.Task) rig.Act {
				assert.Equal(t, string(w.Message().Payload), string(task.Payload))
				return rig.Next
			}}, pool.PoolOptions{})
			require.NoError(t, b.Workers.Send(b.workers()[0], foreign.Tag, foreign.Payload))
			_, err := b.Service.Submit(b.id, 1, []byte("mine"))
			require.NoError(t, err)
			gates.Open()
			b.until(func(s pool.PoolStats) bool { return s.Foreign == 1 && s.Done == 1 }, "both delivered")
			b.quiet()
			done := b.Log()
			require.Len(t, done, 1)
			assert.Equal(t, "mine", string(done[0].Task.Payload))
		})
	}
}

func TestAForeignMessageThatIsTheHeadInEveryRespectIsTakenForIt(t *testing.T) {
	b, gates := newGatedBench(t, rig.Config{}, pool.PoolOptions{})
	require.NoError(t, b.Workers.Send(b.workers()[0], 1, nil))
	b.submit(1)
	gates.Open()
	b.until(func(s pool.PoolStats) bool { return s.Foreign == 1 && s.Done == 1 }, "one of the two is foreign, whichever")
	b.quiet()
}

func TestAForeignMessageTakesTheRoomOfTasks(t *testing.T) {
	b, gates := newGatedBench(t, rig.Config{}, pool.PoolOptions{Worker: pool.WorkerOptions{QueueCapacity: 2}})
	worker := b.workers()[0]
	require.NoError(t, b.Workers.Send(worker, 77, nil))
	b.submit(1)
	_, err := b.Service.Submit(b.id, 2, nil)
	assert.Equal(t, pool.ErrPoolBackpressure, err)
	gates.Open()
	b.until(func(s pool.PoolStats) bool { return s.Foreign == 1 && s.Done == 1 }, "taken")
	b.submit(3)
	b.quiet()
}

func TestADispatchOfAWorkerThatIsNoPoolsIsRefused(t *testing.T) {
	r := rig.New(t, rig.Config{})
	owner := r.Owner()
	id, err := r.Workers.Spawn(owner.Caller, rig.EntryLoop, workers.WorkerOptions{})
	require.NoError(t, err)
	r.Eventually(func() bool { return r.LiveWorkers() == 0 }, "it returns: it is no pool's worker")
	assert.NotZero(t, id)
}

func TestASecondDispatchIsRefused(t *testing.T) {
	errs := make(chan error, 1)
	b := newBench(t, rig.Config{}, pool.PoolOptions{})
	inner := make(chan struct{})
	b.Act(func(w *rig.Worker, task pool.Task) rig.Act {
		if task.Tag != 1 {
			return rig.Next
		}
		first := async(func() error { return w.Service().DispatchNext(w.Context(), w.Caller) })
		close(inner)
		b.until(func(s pool.PoolStats) bool { return s.Done == 1 }, "the first dispatch has settled the task")
		errs <- w.Service().DispatchNext(w.Context(), w.Caller)
		_, _ = b.Service.Submit(b.id, 2, nil)
		<-first
		return rig.Next
	})
	b.submit(1)
	<-inner
	assert.Equal(t, workers.ErrWorkerDispatchActive, within(t, testPatience, errs, "the second"))
	b.quiet()
}
