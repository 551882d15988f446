package service_test

import (
	"runtime"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPC04NothingIsLeftOfADestroyedPool(t *testing.T) {
	r := rig.New(t, rig.Config{Quiet: true})
	owner := r.Owner()
	opts := pool.PoolOptions{MinWorkers: 4}
	busy := func() {
		sub, err := r.Service.ObserveEvents(func(*pool.PoolEvent) {})
		require.NoError(t, err)
		id, err := r.Service.Create(owner.Caller, rig.EntryLoop, opts)
		require.NoError(t, err)
		b := &bench{Rig: r, owner: owner, id: id}
		b.submit(span(1, 20)...)
		assert.EqualValues(t, 20, b.quiet().Done)
		require.NoError(t, r.Service.UnsubscribeEvents(sub))
		require.NoError(t, promptly(t, "Destroy", func() error { return r.Service.Destroy(id) }))
	}
	busy()
	list := r.Service.List()
	goroutines, live, heap := runtime.NumGoroutine(), r.LiveWorkers(), heapInUse()
	for range size(200, 20) {
		busy()
	}
	gates := r.ShutGates()
	for range size(200, 20) {
		id, err := r.Service.Create(owner.Caller, rig.EntryLoop, opts)
		require.NoError(t, err)
		b := &bench{Rig: r, owner: owner, id: id}
		b.submit(span(1, 20)...)
		require.NoError(t, promptly(t, "Destroy", func() error { return r.Service.Destroy(id) }))
		assert.EqualValues(t, 20, b.finalOf(id).Dropped)
	}
	gates.Open()
	r.Eventually(func() bool { return runtime.NumGoroutine() <= goroutines+2 && r.LiveWorkers() == live }, "as before")
	assert.LessOrEqual(t, heapInUse(), heap+8<<20*slack)
	assert.Equal(t, list, r.Service.List())
}

func TestPC10ManyDestroyAndSubmitAtOnce(t *testing.T) {
	b := &bench{Rig: rig.New(t, rig.Config{})}
	b.owner = b.Owner()
	rec := record(b.Rig)
	rounds := size(30, 10)
	for range rounds {
		gates := b.ShutGates()
		b.id = b.another(pool.PoolOptions{MinWorkers: 4, Worker: pool.WorkerOptions{QueueCapacity: 65_536}})
		b.submit(span(1, 40)...)
		destroyByMany(t, b)
		final := b.finalOf(b.id)
		assert.Equal(t, b.Service.Tally(b.id).Accepted, final.Done+final.FailedTasks+final.Dropped)
		gates.Open()
		everyMethodSays(t, b, b.id, pool.ErrPoolNotFound)
	}
	rec.awaitAll()
	assert.Equal(t, rounds, rec.count(pool.PoolDestroyed), "once for each pool")
	assert.NotEqual(t, b.id, b.another(pool.PoolOptions{}))
}

// destroyByMany has 32 goroutines destroy the pool at once while 16 submit to it.
func destroyByMany(t *testing.T, b *bench) {
	t.Helper()
	start := make(chan struct{})
	var destroys, submits []<-chan error
	for range 32 {
		destroys = append(destroys, async(func() error {
			<-start
			err := b.Service.Destroy(b.id)
			if err == nil {
				assert.Zero(t, b.LiveWorkers(), "Destroy is back, a worker is left")
			}
			return err
		}))
	}
	for range 16 {
		submits = append(submits, async(func() error {
			<-start
			for {
				if _, err := b.Service.Submit(b.id, 99, nil); err != nil {
					return err
				}
			}
		}))
	}
	close(start)
	won := 0
	for _, c := range destroys {
		if err := within(t, testPatience, c, "Destroy"); err == nil {
			won++
		} else {
			assert.Equal(t, pool.ErrPoolNotFound, err)
		}
	}
	for _, c := range submits {
		assert.Equal(t, pool.ErrPoolNotFound, within(t, quick, c, "Submit"))
	}
	assert.Equal(t, 1, won, "one Destroy is the first")
}
