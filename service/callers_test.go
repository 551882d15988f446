package service_test

import (
	"slices"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/JairusSW/pool/service"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// forged is a caller that no host made.
type forged struct{}

func (forged) Memory() []byte { return nil }

// What each method that takes a caller says to one that nobody may use.
var callerErrors = map[string]error{
	"Create": workers.ErrInvalidWorkerCaller, "SubmitFrom": workers.ErrInvalidWorkerCaller,
	"Reconcile": workers.ErrInvalidWorkerCaller, "Scale": workers.ErrInvalidWorkerCaller,
	"Supervise": workers.ErrInvalidWorkerCaller, "CallerContext": workers.ErrInvalidWorkerCaller,
	"DispatchNext": workers.ErrWorkerNotFound, "Current": workers.ErrWorkerNotFound,
	"Complete": workers.ErrWorkerNotFound, "Fail": workers.ErrWorkerNotFound,
}

// refusesCaller holds that every method refuses the caller, for a pool that exists and one that doesn't, and counts nothing.
func refusesCaller(t *testing.T, b *bench, caller wago.HostModule) {
	t.Helper()
	before, list := b.stats(), b.Service.List()
	for _, m := range methods() {
		if !takes(m, callerType) {
			continue
		}
		want, known := callerErrors[m.Name]
		require.True(t, known, "%s: what does it say to a bad caller?", m.Name)
		for _, id := range []pool.PoolID{b.id, 0} {
			err := promptly(t, m.Name, func() error {
				err, _ := ask(b.Service, m, caller, id)
				return err
			})
			assert.ErrorIs(t, err, want, m.Name)
		}
	}
	assert.Equal(t, before, b.stats())
	assert.Equal(t, list, b.Service.List())
}

// worksStill holds that a good caller can do everything afterwards.
func worksStill(t *testing.T, b *bench) {
	t.Helper()
	b.reconcile()
	b.scale(3)
	done := len(b.Finished())
	b.submit(span(1001, 1010)...)
	b.quiet()
	assert.Len(t, b.Finished(), done+10)
}

func TestPC09BadCallersAreRefusedAndChangeNothing(t *testing.T) {
	b := newBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{MinWorkers: 2, MaxWorkers: 4})
	stale := b.Owner()
	stale.Leave()
	closed := b.Owner()
	require.NoError(t, closed.Close())
	foreign := rig.New(t, rig.Config{}).Owner()
	for name, caller := range map[string]wago.HostModule{
		"nil": nil, "forged": forged{}, "forged pointer": (*forged)(nil), "its host call is over": stale.Caller,
		"its instance is closed": closed.Caller, "of another runtime": foreign.Caller, "a worker that has gone": deadWorker(b),
	} {
		t.Run(name, func(t *testing.T) { refusesCaller(t, b, caller) })
	}
	worksStill(t, b)
}

// deadWorker returns the caller of a worker of the pool that has trapped and been replaced.
func deadWorker(b *bench) (caller wago.HostModule) {
	b.Act(func(w *rig.Worker, task pool.Task) rig.Act {
		caller = w.Caller
		return rig.Trap
	})
	b.submit(666)
	b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "trapped")
	b.Act(rig.Finish)
	b.settle()
	return caller
}

func TestPC09ThePoolEndsWithItsCreator(t *testing.T) {
	b, gates := newGatedBench(t, rig.Config{}, pool.PoolOptions{MinWorkers: 3, MaxWorkers: 4})
	rec := record(b.Rig)
	b.submit(span(1, 6)...)
	require.NoError(t, promptly(t, "Close", b.owner.Close))
	gates.Open()
	ended := rec.await(pool.PoolDestroyed, 1)[0]
	assert.ErrorIs(t, ended.Err, workers.ErrWorkerParentClosed)
	assert.Zero(t, b.LiveWorkers())
	assert.Empty(t, b.Service.List())
	assert.EqualValues(t, 6, ended.Final.Dropped)
	for _, m := range methods() {
		if takes(m, idType) && takes(m, callerType) {
			err, _ := ask(b.Service, m, b.owner.Caller, b.id)
			assert.ErrorIs(t, err, workers.ErrInvalidWorkerCaller, m.Name)
		}
	}
	b.owner = b.Owner()
	b.id = b.another(pool.PoolOptions{MaxWorkers: 3})
	worksStill(t, b)
}

// What a valid caller that does not own the pool may not do.
var ownersOnly = []string{"Reconcile", "Scale", "Supervise"}

func TestOnlyTheOwnerSizesAPool(t *testing.T) {
	b := newBench(t, rig.Config{}, pool.PoolOptions{MinWorkers: 2, MaxWorkers: 4})
	other := b.Owner()
	worker := make(chan map[string]error, 1)
	b.Act(func(w *rig.Worker, _ pool.Task) rig.Act {
		worker <- askOwnersOnly(b, w.Caller)
		return rig.Next
	})
	before := b.stats()
	for name, err := range askOwnersOnly(b, other.Caller) {
		assert.Equal(t, pool.ErrPoolOwner, err, name)
	}
	assert.Equal(t, before, b.stats())
	b.submit(1)
	for name, err := range within(t, testPatience, worker, "the worker") {
		assert.Equal(t, pool.ErrPoolOwner, err, "%s by a worker of the pool", name)
	}
	b.quiet()
}

func askOwnersOnly(b *bench, caller wago.HostModule) map[string]error {
	answers := make(map[string]error)
	for _, m := range methods() {
		if slices.Contains(ownersOnly, m.Name) {
			answers[m.Name] = promptly(b.T, m.Name, func() error {
				err, _ := ask(b.Service, m, caller, b.id)
				return err
			})
		}
	}
	return answers
}

func TestAnotherInstanceSubmitsAndSizesNothing(t *testing.T) {
	b := newBench(t, rig.Config{Behaviour: rig.TrapOn(666)}, pool.PoolOptions{MinWorkers: 2})
	other := b.Owner()
	b.submit(666)
	b.until(func(s pool.PoolStats) bool { return s.Exited == 1 }, "trapped")
	_, err := b.Service.SubmitFrom(other.Caller, b.id, 1, nil)
	require.NoError(t, err)
	assert.EqualValues(t, 1, b.stats().Live, "nobody reconciled")
	b.quiet()
	b.submit(666)
	b.until(func(s pool.PoolStats) bool { return s.Exited == 2 }, "trapped")
	_, err = b.Service.SubmitFrom(other.Caller, b.id, 1, nil)
	assert.Equal(t, pool.ErrPoolEmpty, err, "what matters to a stranger")
	_, err = b.Service.SubmitFrom(b.owner.Caller, b.id, 2, nil)
	require.NoError(t, err)
	assert.EqualValues(t, 2, b.stats().Live, "the owner's submit reconciles")
	b.quiet()
	assert.Equal(t, []uint64{1, 2}, b.Finished())
}

func TestACallThatEndsWhileItsOwnerIsFoundOutSizesNothing(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newStage(t, fakeworkers.Identity)
		id := s.create(service.Options{MinWorkers: 2})
		s.fake.Hook(fakeworkers.Hooks{Link: func(workers.WorkerID) error { return workers.ErrInvalidWorkerCaller }})
		assert.Equal(t, workers.ErrInvalidWorkerCaller, s.Pools.Scale(s.owner.Caller, id, 2))
		assert.Equal(t, workers.ErrInvalidWorkerCaller, s.Pools.Reconcile(s.owner.Caller, id))
		s.fake.Hook(fakeworkers.Hooks{})
	})
}
