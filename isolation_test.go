package pool_test

import (
	"bytes"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// What keeps guests apart, each promise in a test of its own: SECURITY.md names them. The guests are real and attack from their
// own code; see testdata/isolation/hostile.wat.

// Memory is not reused between instances, not copied to forks, and not reached across its end.
func TestAGuestSeesNoMemoryButItsOwn(t *testing.T) {
	const size = 4
	a := newAttack(t, pool.PoolOptions{MinWorkers: size, MaxRestarts: pool.UnlimitedRestarts})
	planters := make(map[pool.WorkerID]bool)
	for generation := range 6 { // half of them spy, beside those that plant, and in the place of those that did
		from := generation % 2 * size / 2
		for _, w := range a.stats(a.id).Workers[from : from+size/2] {
			planters[w.ID] = true
		}
		a.Act(func(w *rig.Worker, task pool.Task) rig.Act {
			switch {
			case planters[w.ID] && task.Tag == attackTag:
				return rig.Trap
			case planters[w.ID]:
				return plants
			}
			return spies
		})
		for range 20 {
			a.broadcast(1)
		}
		for _, words := range a.heard(20 * size / 2) {
			require.Zero(t, words, "words that are another's")
		}
		a.broadcast(attackTag)
		a.heard(size / 2)
		a.Eventually(func() bool { return a.stats(a.id).Live == size/2 }, "those that planted are gone")
		require.NoError(t, a.Service.Reconcile(a.owner.Caller, a.id))
	}
	secret := make([]byte, guestPages<<16)
	for i := range secret {
		secret[i] = a.owner.Caller.Memory()[i%8]
	}
	assert.True(t, bytes.Equal(secret, a.owner.Caller.Memory()), "nobody wrote to the owner's")

	a.Act(func(w *rig.Worker, task pool.Task) rig.Act { return rig.Act(task.Tag) })
	a.broadcast(uint64(plants))
	a.broadcast(uint64(spies))
	for _, words := range a.heard(size) {
		assert.EqualValues(t, guestPages<<16/8, words, "a spy sees what there is to see")
	}
}

func (a *attack) broadcast(tag uint64) {
	a.T.Helper()
	live := a.stats(a.id).Live
	n, err := a.Service.Broadcast(a.id, tag, nil)
	require.NoError(a.T, err)
	require.EqualValues(a.T, live, n)
	a.Eventually(func() bool { s := a.stats(a.id); return s.Queued+s.Running == 0 }, "done")
}

// A guest is told of the task in its hand, and of no other: not before it has it, not after it was settled, not of a
// neighbour's, not of the one that its place had before.
func TestAGuestSeesNoTaskButTheOneInItsHand(t *testing.T) {
	a := newAttack(t, pool.PoolOptions{MinWorkers: 2, MaxRestarts: pool.UnlimitedRestarts, Retries: 1})
	other := a.create(a.Owner(), pool.PoolOptions{})
	before := func(w *rig.Worker) {
		_, err := w.Service().Current(w.Caller)
		assert.Equal(t, pool.ErrNoTask, err, "before it has one")
	}
	a.OnTurn(before)
	var held [2]chan struct{} // by tag
	for i := range held {
		held[i] = make(chan struct{})
	}
	a.Act(func(w *rig.Worker, task pool.Task) rig.Act {
		seen, err := w.Service().Current(w.Caller)
		assert.NoError(t, err)
		assert.Equal(t, task, seen)
		assert.Equal(t, []byte{byte(task.Tag)}, seen.Payload, "its own")
		if task.Tag < 2 && task.Attempt == 1 {
			held[task.Tag] <- struct{}{} // until the neighbour has one as well
			held[task.Tag] <- struct{}{}
			return rig.Trap
		}
		assert.NoError(t, w.Service().Complete(w.Caller, nil))
		_, err = w.Service().Current(w.Caller)
		assert.Equal(t, pool.ErrNoTask, err, "after it was settled")
		assert.Equal(t, pool.ErrNoTask, w.Service().Complete(w.Caller, []byte("again")))
		return rig.Next
	})
	for tag := range uint64(2) {
		_, err := a.Service.Submit(a.id, tag, []byte{byte(tag)})
		require.NoError(t, err)
	}
	for _, c := range held {
		<-c
	}
	require.NoError(t, a.call(other, 7), "a pool beside it")
	_, err := a.Service.Current(a.owner.Caller)
	assert.Equal(t, workers.ErrWorkerNotFound, err, "the owner, which has none")
	for _, c := range held {
		<-c
	}
	a.Eventually(func() bool { return a.stats(a.id).Exited == 2 }, "both have ended")
	require.NoError(t, a.Service.Reconcile(a.owner.Caller, a.id))
	for tag := uint64(2); tag < 10; tag++ {
		require.NoError(t, a.call(a.id, tag))
	}
	a.Eventually(func() bool { s := a.stats(a.id); return s.Done == 10 }, "all done, the retried ones as well")
	assert.EqualValues(t, 2, a.stats(a.id).Retried)
}

// call has a task done whose payload is its tag.
func (a *attack) call(id pool.PoolID, tag uint64) error {
	_, err := a.Service.Call(a.T.Context(), id, pool.Task{Tag: tag, Payload: []byte{byte(tag)}})
	return err
}

// Where tasks must not see what others left in memory, entries return after each.
func TestAnEntryThatReturnsAfterEachTaskIsFreshForEach(t *testing.T) {
	r := rig.New(t, rig.Config{Behaviour: func(*rig.Worker, pool.Task) rig.Act { return rig.Return }})
	owner := r.Owner()
	id, err := r.Service.Create(owner.Caller, rig.EntryLoop, pool.PoolOptions{
		MinWorkers: 2, Restart: pool.RestartAlways, MaxRestarts: pool.UnlimitedRestarts,
	})
	require.NoError(t, err)
	supervised := owner.Do(func(caller wago.HostModule) error { return r.Service.Supervise(t.Context(), caller, id) })
	for tag := range uint64(100) {
		_, err := r.Service.Call(t.Context(), id, pool.Task{Tag: tag})
		require.NoError(t, err)
	}
	require.NoError(t, r.Service.Drain(id))
	require.NoError(t, <-supervised)
	require.Len(t, r.Log(), 100)
	for _, task := range r.Log() {
		assert.EqualValues(t, 1, task.Turn, "the first in its guest's memory")
	}
}

// A caller is good for the host call that it came with: what a guest, or a plugin on its behalf, keeps of it opens nothing, also
// while the same instance is in its next host call. That every other wrong caller is refused, too, is tested where the methods
// are.
func TestNoGuestKeepsACaller(t *testing.T) {
	a := newAttack(t, pool.PoolOptions{MinWorkers: 1})
	kept := make(chan wago.HostModule, 1)
	inNext := make(chan struct{})
	a.Act(func(w *rig.Worker, task pool.Task) rig.Act {
		if task.Tag == 1 {
			kept <- w.Caller
		} else {
			inNext <- struct{}{} // the worker's second host call
			inNext <- struct{}{}
		}
		return rig.Next
	})
	for tag := range uint64(2) {
		_, err := a.Service.Submit(a.id, 1+tag, nil)
		require.NoError(t, err)
	}
	worker := <-kept
	<-inNext
	defer func() { <-inNext }()
	gone := a.Owner()
	gone.Leave()
	again := a.Back(gone) // the instance is in a host call, with another caller
	defer again.Leave()
	_, cancel, err := a.Service.CallerContext(again.Caller)
	require.NoError(t, err, "the new one is good")
	cancel()
	for whose, caller := range map[string]wago.HostModule{"a worker": worker, "an owner": gone.Caller} {
		assert.Nil(t, caller.Memory(), whose)
		require.NoError(t, a.WithWorkers(func(ws workers.Service) error {
			for _, of := range []any{a.Service.Service, ws, a.manager, a.callers} {
				refusesAll(t, of, caller, a.id)
			}
			return nil
		}))
	}
	assert.Len(t, a.Service.List(), 1)
}
