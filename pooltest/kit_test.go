package pooltest_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/pooltest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// everywhere runs a test in real time and in a bubble.
func everywhere(t *testing.T, f func(t *testing.T)) {
	t.Run("in real time", f)
	t.Run("in a bubble", func(t *testing.T) { synctest.Test(t, f) })
}

func TestAPluginsOwnImportsRunInTheKitsGuests(t *testing.T) {
	everywhere(t, func(t *testing.T) {
		for name, guest := range map[string]struct {
			code    []byte
			imports map[string]string
		}{
			"in one call": {pooltest.Loop, map[string]string{"own": "mine.own", "step": "mine.work"}},
			"in two":      {pooltest.Echo, map[string]string{"own": "mine.own", "next": "mine.next", "done": "mine.done"}},
		} {
			p := new(mine)
			kit := pooltest.Start(t, pooltest.Config{Plugins: []wago.PluginProvider{p.provider()}})
			owner := kit.Instantiate(kit.Adapt(guest.code, guest.imports))
			returned := make(chan error, 1)
			go func() { _, err := owner.Invoke("own"); returned <- err }()
			kit.Eventually("the plugin's pool", func() bool { _, ok := p.pool(); return ok })
			id, _ := p.pool()
			answer, err := kit.Service.Call(t.Context(), id, pool.Task{Tag: 1, Payload: []byte("drawer")})
			require.NoError(t, err, name)
			assert.Equal(t, "reward", string(answer), name)
			assert.EqualValues(t, 1, kit.Quiet(id).Done, name)
			require.NoError(t, kit.Service.Drain(id))
			require.NoError(t, <-returned, name)
		}
	})
}

func TestTheKitsOwnGuestsWork(t *testing.T) {
	everywhere(t, func(t *testing.T) {
		kit := pooltest.Start(t, pooltest.Config{})
		echo := kit.Owner(pooltest.Echo).Create(pool.PoolOptions{})
		answer, err := kit.Service.Call(t.Context(), echo, pool.Task{Payload: []byte("word")})
		require.NoError(t, err)
		assert.Equal(t, "word", string(answer))

		loop := kit.Owner(pooltest.Loop).Create(pool.PoolOptions{})
		kit.Behave(func(w *pooltest.Worker, task pool.Task) pooltest.Act {
			assert.NoError(t, w.Service.Complete(w.Caller, append(task.Payload, "!"...)))
			return pooltest.GoOn
		})
		answer, err = kit.Service.Call(t.Context(), loop, pool.Task{Payload: []byte("word")})
		require.NoError(t, err)
		assert.Equal(t, "word!", string(answer))
		answer, err = kit.Service.Call(t.Context(), echo, pool.Task{Payload: []byte("word")})
		require.NoError(t, err)
		assert.Equal(t, "word!", string(answer), "what a behaviour has settled is not replied to again")
	})
}

func TestABehaviourDecidesHowAWorkerEnds(t *testing.T) {
	for name, c := range map[string]struct {
		act    pooltest.Act
		kind   workers.WorkerExitKind
		done   uint64
		failed uint64
	}{
		"return":   {pooltest.Return, workers.WorkerReturned, 1, 0},
		"trap":     {pooltest.Trap, workers.WorkerFailed, 0, 1},
		"exit 0":   {pooltest.Exit(0), workers.WorkerReturned, 1, 0},
		"exit 7":   {pooltest.Exit(7), workers.WorkerFailed, 0, 1},
		"spinning": {pooltest.Spin, workers.WorkerKilled, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			for _, guest := range [][]byte{pooltest.Loop, pooltest.Echo} {
				kit := pooltest.Start(t, pooltest.Config{Behaviour: pooltest.On(c.act, 7)})
				id := kit.Owner(guest).Create(pool.PoolOptions{Restart: pool.RestartNever, TaskTimeout: 100 * time.Millisecond})
				for tag := range uint64(8) {
					_, err := kit.Service.Submit(id, tag, nil)
					require.NoError(t, err)
				}
				stats := kit.Until(id, "the end of the worker", func(s pool.PoolStats) bool { return s.Exited == 1 })
				assert.Equal(t, c.kind, stats.LastExit.Kind)
				assert.Equal(t, 7+c.done, stats.Done)
				assert.Equal(t, c.failed, stats.FailedTasks)
			}
		})
	}
}

func TestTheGuestsOtherEntries(t *testing.T) {
	kit := pooltest.Start(t, pooltest.Config{})
	for _, guest := range [][]byte{pooltest.Loop, pooltest.Echo} {
		owner := kit.Owner(guest)
		for entry, kind := range map[uint32]workers.WorkerExitKind{
			pooltest.EntryReturns: workers.WorkerReturned, pooltest.EntryTraps: workers.WorkerFailed,
		} {
			id, err := kit.Service.Create(owner.Caller, entry, pool.PoolOptions{Restart: pool.RestartNever})
			require.NoError(t, err)
			stats := kit.Until(id, "the end of the worker", func(s pool.PoolStats) bool { return s.Exited == 1 })
			assert.Equal(t, kind, stats.LastExit.Kind)
		}
		for _, entry := range []uint32{pooltest.EntryTyped, pooltest.EntryNull} {
			_, err := kit.Service.Create(owner.Caller, entry, pool.PoolOptions{})
			assert.Error(t, err)
		}
		id, err := kit.Service.Create(owner.Caller, pooltest.EntrySpins, pool.PoolOptions{})
		require.NoError(t, err)
		require.NoError(t, kit.Service.Destroy(id), "it is stopped")
	}
}

func TestAGateHoldsTasksUntilItOpens(t *testing.T) {
	everywhere(t, func(t *testing.T) {
		gate := pooltest.NewGate()
		kit := pooltest.Start(t, pooltest.Config{Behaviour: gate.Hold})
		id := kit.Owner(pooltest.Loop).Create(pool.PoolOptions{MinWorkers: 3, Strategy: pool.LeastLoaded})
		for tag := range uint64(3) {
			_, err := kit.Service.Submit(id, tag, nil)
			require.NoError(t, err)
		}
		kit.Until(id, "three tasks in hand", func(s pool.PoolStats) bool { return s.Running == 3 })
		gate.OpenFor(1)
		gate.OpenFor(1, 9)
		kit.Until(id, "one done", func(s pool.PoolStats) bool { return s.Done == 1 && s.Running == 2 })
		_, err := kit.Service.Submit(id, 9, nil)
		require.NoError(t, err)
		kit.Until(id, "another done", func(s pool.PoolStats) bool { return s.Done == 2 && s.Running == 2 })
		gate.Open()
		gate.Open()
		assert.EqualValues(t, 4, kit.Quiet(id).Done)
	})
}

func TestAWorkerThatIsToldToStopPassesNoGate(t *testing.T) {
	everywhere(t, func(t *testing.T) {
		kit := pooltest.Start(t, pooltest.Config{Behaviour: pooltest.NewGate().Hold})
		id := kit.Owner(pooltest.Loop).Create(pool.PoolOptions{})
		_, err := kit.Service.Submit(id, 1, nil)
		require.NoError(t, err)
		kit.Until(id, "the task in hand", func(s pool.PoolStats) bool { return s.Running == 1 })
		require.NoError(t, kit.Service.Destroy(id))
	})
}

func TestAnOwnersPoolIsHealedWhileItSupervises(t *testing.T) {
	everywhere(t, func(t *testing.T) {
		kit := pooltest.Start(t, pooltest.Config{Behaviour: pooltest.TrapOn(7)})
		owner := kit.Owner(pooltest.Loop)
		id := owner.Create(pool.PoolOptions{})
		wait := owner.Supervise(id)
		_, err := kit.Service.Call(t.Context(), id, pool.Task{Tag: 7})
		require.ErrorIs(t, err, pool.ErrTaskFailed)
		kit.Until(id, "the replacement", func(s pool.PoolStats) bool { return s.Restarted == 1 && s.Live == 1 })
		require.NoError(t, kit.Service.DrainWait(t.Context(), id))
		require.NoError(t, wait())
	})
}

func TestAnOwnersCallerLastsUntilItLeaves(t *testing.T) {
	kit := pooltest.Start(t, pooltest.Config{})
	owner := kit.Owner(pooltest.Loop)
	id := owner.Create(pool.PoolOptions{})
	require.NoError(t, kit.Service.Reconcile(owner.Caller, id))
	owner.Leave()
	owner.Leave()
	require.ErrorIs(t, kit.Service.Reconcile(owner.Caller, id), workers.ErrInvalidWorkerCaller)
	require.NoError(t, owner.Close())
	_, err := kit.Service.Stats(id)
	assert.Equal(t, pool.ErrPoolNotFound, err)
}

func TestSettingsReachTheirPlugins(t *testing.T) {
	kit := pooltest.Start(t, pooltest.Config{Settings: map[string]string{pool.PluginID: `{"maxPools": 1}`}})
	owner := kit.Owner(pooltest.Loop)
	owner.Create(pool.PoolOptions{})
	_, err := kit.Service.Create(owner.Caller, pooltest.EntryWork, pool.PoolOptions{})
	assert.Equal(t, pool.ErrPoolLimit, err)
}

func TestAProviderOfWorkersTakesThePlaceOfTheKits(t *testing.T) {
	provider := workers.Provider(workers.WithKillGrace(10 * time.Millisecond))
	kit := pooltest.Start(t, pooltest.Config{Plugins: []wago.PluginProvider{provider}, Behaviour: pooltest.On(pooltest.Spin, 1)})
	id := kit.Owner(pooltest.Loop).Create(pool.PoolOptions{})
	_, err := kit.Service.Submit(id, 1, nil)
	require.NoError(t, err)
	worker := kit.Until(id, "the task in hand", func(s pool.PoolStats) bool { return s.Running == 1 }).Workers[0].ID
	require.NoError(t, kit.Workers.Kill(worker))
	kit.Until(id, "the end of the worker", func(s pool.PoolStats) bool { return s.Exited == 1 })
}

// refusing is a double that takes no task.
type refusing struct{ pool.Service }

func (refusing) Submit(pool.PoolID, uint64, []byte) (pool.WorkerID, error) {
	return 0, pool.ErrPoolBackpressure
}

func TestADoubleStandsInForTheService(t *testing.T) {
	kit := pooltest.Start(t, pooltest.Config{Double: func(s pool.Service) pool.Service { return refusing{s} }})
	id := kit.Owner(pooltest.Loop).Create(pool.PoolOptions{})
	_, err := kit.Service.Submit(id, 1, nil)
	assert.Equal(t, pool.ErrPoolBackpressure, err)
	_, err = kit.Service.SubmitTask(id, pool.Task{})
	assert.NoError(t, err)
}

func TestAPayloadThatTheGuestHasNoRoomForFailsAlone(t *testing.T) {
	kit := pooltest.Start(t, pooltest.Config{})
	id := kit.Owner(pooltest.Echo).Create(pool.PoolOptions{Worker: pool.WorkerOptions{MaxPayloadBytes: 1 << 17}})
	_, err := kit.Service.Call(t.Context(), id, pool.Task{Payload: make([]byte, 1<<16+1)})
	require.ErrorIs(t, err, pool.ErrTaskFailed)
	answer, err := kit.Service.Call(t.Context(), id, pool.Task{Payload: make([]byte, 1<<16)})
	require.NoError(t, err)
	assert.Len(t, answer, 1<<16)
}

func TestMessagesPastPoolAreNoTasks(t *testing.T) {
	kit := pooltest.Start(t, pooltest.Config{Behaviour: func(*pooltest.Worker, pool.Task) pooltest.Act { return pooltest.Trap }})
	for _, guest := range [][]byte{pooltest.Loop, pooltest.Echo} {
		id := kit.Owner(guest).Create(pool.PoolOptions{})
		require.NoError(t, kit.Workers.Send(kit.Stats(id).Workers[0].ID, 1, []byte("past")))
		kit.Until(id, "the message", func(s pool.PoolStats) bool { return s.Foreign == 1 && s.Outstanding == 0 })
		assert.Zero(t, kit.Stats(id).Exited)
	}
}

func TestClosingFreesEverybodyWhoWaits(t *testing.T) {
	everywhere(t, func(t *testing.T) {
		kit := pooltest.Start(t, pooltest.Config{Behaviour: pooltest.NewGate().Hold})
		owner := kit.Owner(pooltest.Loop)
		id := owner.Create(pool.PoolOptions{})
		wait := owner.Supervise(id)
		called := make(chan error, 1)
		go func() {
			_, err := kit.Service.Call(context.Background(), id, pool.Task{})
			called <- err
		}()
		kit.Until(id, "the task in hand", func(s pool.PoolStats) bool { return s.Running == 1 })
		kit.Close()
		kit.Close()
		require.ErrorIs(t, <-called, pool.ErrPoolDestroyed)
		require.ErrorIs(t, wait(), pool.ErrPoolDestroyed)
		assert.Empty(t, kit.Service.List())
		_, err := kit.Service.Submit(id, 1, nil)
		assert.True(t, errors.Is(err, pool.ErrPoolsClosed))
	})
}
