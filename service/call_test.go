package service_test

import (
	"context"
	"errors"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

func TestCallReturnsWhatTheGuestCompletes(t *testing.T) {
	b := newBench(t, rig.Config{Behaviour: func(w *rig.Worker, task pool.Task) rig.Act {
		if err := w.Service().Complete(w.Caller, append([]byte("re: "), task.Payload...)); err != nil {
			return rig.Trap
		}
		return rig.Next
	}}, pool.PoolOptions{MinWorkers: 2})
	result, err := b.Service.Call(t.Context(), b.id, pool.Task{Tag: 1, Payload: []byte("hello")})
	require.NoError(t, err)
	require.Equal(t, "re: hello", string(result))
}

func TestCallNamesWhatBecameOfTheTask(t *testing.T) {
	sorry := errors.New("sorry")
	cases := map[string]struct {
		act  rig.Behaviour
		kind error
		then func(*testing.T, *pool.TaskError)
	}{
		"the guest fails it": {
			act: func(w *rig.Worker, _ pool.Task) rig.Act {
				_ = w.Service().Fail(w.Caller, sorry)
				return rig.Next
			},
			kind: pool.ErrTaskFailed,
			then: func(t *testing.T, e *pool.TaskError) { require.ErrorIs(t, e, sorry) },
		},
		"the guest traps": {
			act:  func(*rig.Worker, pool.Task) rig.Act { return rig.Trap },
			kind: pool.ErrTaskFailed,
			then: func(t *testing.T, e *pool.TaskError) {
				var trap *wago.TrapError
				require.ErrorAs(t, e, &trap)
			},
		},
		"the guest exits": {
			act:  func(*rig.Worker, pool.Task) rig.Act { return rig.Exit(3) },
			kind: pool.ErrTaskFailed,
			then: func(t *testing.T, e *pool.TaskError) {
				var exit *wago.ExitError
				require.ErrorAs(t, e, &exit)
				require.EqualValues(t, 3, exit.Code)
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, rig.Config{Behaviour: c.act}, pool.PoolOptions{})
			_, err := b.Service.Call(t.Context(), b.id, pool.Task{Tag: 42})
			require.ErrorIs(t, err, c.kind)
			var ended *pool.TaskError
			require.ErrorAs(t, err, &ended)
			assert.EqualValues(t, 42, ended.Tag)
			assert.EqualValues(t, 1, ended.Attempt)
			assert.False(t, ended.Pending)
			assert.NotZero(t, ended.Worker)
			c.then(t, ended)
		})
	}
}

func TestExitCodeZeroIsDone(t *testing.T) {
	b := newBench(t, rig.Config{Behaviour: func(*rig.Worker, pool.Task) rig.Act { return rig.Exit(0) }}, pool.PoolOptions{})
	_, err := b.Service.Call(t.Context(), b.id, pool.Task{})
	require.NoError(t, err)
	require.EqualValues(t, 1, b.stats().Done)
}

func TestAnEndedContextLeavesAnAcceptedTaskInTheLedger(t *testing.T) {
	gate := make(chan struct{})
	b := newBench(t, rig.Config{Behaviour: func(w *rig.Worker, _ pool.Task) rig.Act {
		w.Hold(gate)
		return rig.Next
	}}, pool.PoolOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() {
		_, err := b.Service.Call(ctx, b.id, pool.Task{Tag: 1})
		over <- err
	}()
	b.until(func(s pool.PoolStats) bool { return s.Running == 1 }, "running")
	cancel()
	err := within(t, testPatience, over, "Call")
	var ended *pool.TaskError
	require.ErrorAs(t, err, &ended)
	require.ErrorIs(t, err, context.Canceled)
	assert.True(t, ended.Pending)
	assert.EqualValues(t, 1, ended.Attempt)
	close(gate)
	require.EqualValues(t, 1, b.quiet().Done)
}

func TestAContextThatHasEndedSubmitsNothing(t *testing.T) {
	b := newBench(t, rig.Config{}, pool.PoolOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := b.Service.Call(ctx, b.id, pool.Task{})
	require.Equal(t, context.Canceled, err)
	stats := b.stats()
	require.Zero(t, stats.Routed)
	require.EqualValues(t, 1, stats.Rejected)
}

func TestSettlingWithoutATaskInHandChangesNothing(t *testing.T) {
	errs := make(chan error, 8)
	b := newBench(t, rig.Config{Behaviour: func(w *rig.Worker, _ pool.Task) rig.Act {
		errs <- w.Service().Complete(w.Caller, nil)
		errs <- w.Service().Complete(w.Caller, nil)
		errs <- w.Service().Fail(w.Caller, nil)
		_, err := w.Service().Current(w.Caller)
		errs <- err
		return rig.Next
	}}, pool.PoolOptions{})
	b.submit(1)
	require.NoError(t, <-errs)
	for range 3 {
		require.Equal(t, pool.ErrNoTask, <-errs)
	}
	require.EqualValues(t, 1, b.quiet().Done)
}

func TestAResultOverTheLimitIsRefusedAndTheTaskStaysInHand(t *testing.T) {
	errs := make(chan error, 2)
	b := newBench(t, rig.Config{Behaviour: func(w *rig.Worker, _ pool.Task) rig.Act {
		errs <- w.Service().Complete(w.Caller, make([]byte, 11))
		errs <- w.Service().Complete(w.Caller, make([]byte, 10))
		return rig.Next
	}}, pool.PoolOptions{Worker: pool.WorkerOptions{MaxPayloadBytes: 10}})
	result, err := b.Service.Call(t.Context(), b.id, pool.Task{})
	require.NoError(t, err)
	require.Len(t, result, 10)
	require.Equal(t, pool.ErrPayloadTooLarge, <-errs)
	require.NoError(t, <-errs)
}
