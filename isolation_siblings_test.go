package pool_test

import (
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ending are the attacks after which a guest is gone, or goes on as if nothing had been.
var ending = map[string]rig.Act{
	"returns":                          rig.Return,
	"exits":                            rig.Exit(3),
	"exits with 0":                     rig.Exit(0),
	"traps":                            rig.Trap,
	"divides by zero":                  rig.DivideByZero,
	"calls a function of another type": rig.WrongType,
	"reads behind its memory":          rig.OutOfBounds,
	"gives the host a range behind its memory": outside,
	"exhausts its stack":                       rig.Recurse,
	"fills all the memory there can be":        plants,
}

// A guest's end costs the task in its hand and nothing else.
func TestAGuestThatEndsStopsNobodyElse(t *testing.T) {
	for name, how := range ending {
		t.Run(name, func(t *testing.T) {
			a := newAttack(t, pool.PoolOptions{MinWorkers: 3})
			other := a.create(a.Owner(), pool.PoolOptions{MinWorkers: 2})
			a.Act(rig.ActOn(how, attackTag))
			for i := range 30 {
				if i == 10 || i == 20 {
					a.give(pool.Task{Tag: attackTag})
				}
				assert.NoError(t, a.answer(a.id), "a neighbour")
				assert.NoError(t, a.answer(other), "a pool beside it")
			}
			a.Eventually(func() bool { s := a.stats(a.id); return s.Done+s.FailedTasks == 32 }, "each task has ended")
			assert.LessOrEqual(t, a.stats(a.id).FailedTasks, uint64(2))
			beside := a.stats(other)
			assert.Equal(t, []uint64{30, 0, 2}, []uint64{beside.Done, beside.Exited, uint64(beside.Live)})
		})
	}
}

// endless are the attacks that a guest never stops by itself.
var endless = map[string]rig.Act{
	"spins": rig.Spin, "submits to its own pool": floods, "creates pools": creates, "scales its pool": scales,
	"gives the host all its memory to log": logs, "grows its memory": pages, "grows its table": tables,
}

// While a guest attacks for ever, its neighbours answer, in its pool and in others; Destroy stops it.
func TestAGuestThatNeverEndsStopsNobodyElse(t *testing.T) {
	if testing.Short() {
		t.Skip("each attack is stopped after a grace of a second")
	}
	for name, how := range endless {
		t.Run(name, func(t *testing.T) {
			a := newAttack(t, sure)
			other := a.create(a.Owner(), pool.PoolOptions{MinWorkers: 2})
			a.begin(how)
			for range 20 {
				assert.NoError(t, a.answer(a.id), "a neighbour")
				assert.NoError(t, a.answer(other), "a pool beside it")
			}
			stats := a.stats(a.id)
			assert.Positive(t, stats.Running, "it still attacks")
			assert.Zero(t, stats.Exited)
			a.end()
			assert.Equal(t, []pool.PoolID{other}, a.Service.List(), "and what it created goes with it")
			assert.NoError(t, a.answer(other))
		})
	}
}

// With a TaskTimeout nobody has to stop it: it costs its task, and its place is filled again.
func TestATaskTimeoutEndsAnAttack(t *testing.T) {
	for name, how := range endless {
		t.Run(name, func(t *testing.T) {
			a := newAttack(t, pool.PoolOptions{MinWorkers: 2, TaskTimeout: patience / 100})
			a.Act(rig.ActOn(how, attackTag))
			_, err := a.Service.Call(t.Context(), a.id, pool.Task{Tag: attackTag})
			assert.ErrorIs(t, err, pool.ErrTaskTimeout)
			a.Eventually(func() bool { return a.stats(a.id).Exited >= 1 }, "it is stopped")
			require.NoError(t, a.Service.Reconcile(a.owner.Caller, a.id))
			for range 10 {
				assert.NoError(t, a.answer(a.id))
			}
			assert.EqualValues(t, 2, a.stats(a.id).Live)
		})
	}
}
