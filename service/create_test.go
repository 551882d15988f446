package service_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// errSpawn is how the test refuses an instance.
var errSpawn = errors.New("no instance today")

// failNth refuses the n-th instance from now on.
func failNth(n int) func(int) error {
	return func(k int) error {
		if k == n {
			return errSpawn
		}
		return nil
	}
}

func ceilings(total string) map[string]string {
	return map[string]string{pool.PluginID: `{"maxWorkersPerPool":` + total + `,"maxTotalWorkers":` + total + `}`}
}

func TestPC14CreateIsAllOrNothing(t *testing.T) {
	for _, k := range []int{1, 3, 6} {
		r := rig.New(t, rig.Config{Settings: ceilings("6")})
		rec := record(r)
		owner := r.Owner()
		goroutines := runtime.NumGoroutine()
		r.OnSpawn(failNth(k))
		id, err := r.Service.Create(owner.Caller, rig.EntryLoop, pool.PoolOptions{MinWorkers: 6})
		require.ErrorIs(t, err, errSpawn)
		assert.Zero(t, id)
		assert.Zero(t, r.LiveWorkers())
		assert.Empty(t, r.Service.List())
		r.Eventually(func() bool { return runtime.NumGoroutine() <= goroutines }, "no goroutine left")
		r.OnSpawn(nil)
		b := &bench{Rig: r, owner: owner}
		b.id = b.another(pool.PoolOptions{MinWorkers: 6})
		assert.EqualValues(t, 6, b.stats().Live)
		rec.awaitDestroyed(b)
		assert.ElementsMatch(t, workersOf(rec.of(pool.PoolWorkerAdded)), workersOf(rec.of(pool.PoolWorkerRemoved)))
	}
}

// awaitDestroyed destroys the pool and waits until the recorder has seen that.
func (r *recorder) awaitDestroyed(b *bench) {
	r.rig.T.Helper()
	require.NoError(r.rig.T, b.Service.Destroy(b.id))
	r.rig.Eventually(func() bool {
		for _, e := range r.of(pool.PoolDestroyed) {
			if e.Pool == b.id {
				return true
			}
		}
		return false
	}, "destroyed")
}

func workersOf(seen []pool.PoolEvent) (ids []pool.WorkerID) {
	for _, e := range seen {
		ids = append(ids, e.Worker)
	}
	return ids
}

func TestPC14LaterGrowthKeepsWhatItGot(t *testing.T) {
	b := newBench(t, rig.Config{Settings: ceilings("6")}, pool.PoolOptions{MinWorkers: 2, MaxWorkers: 6})
	b.submit(span(1, 20)...)
	old := b.workers()
	b.OnSpawn(failNth(3))
	require.ErrorIs(t, b.Service.Scale(b.owner.Caller, b.id, 6), errSpawn)
	stats := b.stats()
	assert.EqualValues(t, 4, stats.Live)
	assert.Equal(t, old, b.workers()[:2])
	assert.Equal(t, 4, b.LiveWorkers())
	b.reconcile() // the third try was the one that failed
	assert.EqualValues(t, 6, b.stats().Live)
	b.quiet()
	assert.Equal(t, span(1, 20), b.Finished())
	assert.Zero(t, b.stats().Restarted, "a failed spawn is no failure of a worker")
}

func TestPC14ForksOfANamedModuleNeverClash(t *testing.T) {
	r := rig.New(t, rig.Config{Guest: rig.Named, Settings: ceilings("16")})
	owner := r.Owner()
	var made []<-chan error
	for range 2 {
		made = append(made, async(func() error {
			_, err := r.Service.Create(owner.Caller, rig.EntryLoop, pool.PoolOptions{MinWorkers: 8})
			return err
		}))
	}
	for _, c := range made {
		require.NoError(t, within(t, testPatience, c, "Create"))
	}
	assert.Equal(t, 16, r.LiveWorkers())
	b := &bench{Rig: r, owner: owner, id: r.Service.List()[0]}
	b.submit(span(1, 8)...)
	b.quiet()
}

func TestACreateWhoseOwnerClosesLeavesNothing(t *testing.T) {
	r := rig.New(t, rig.Config{})
	owner := r.Owner()
	began, resume := make(chan struct{}), make(chan struct{})
	r.OnSpawn(func(n int) error {
		if n == 3 {
			close(began)
			<-resume
		}
		return nil
	})
	created := async(func() error {
		_, err := r.Service.Create(owner.Caller, rig.EntryLoop, pool.PoolOptions{MinWorkers: 6})
		return err
	})
	<-began
	closing := async(owner.Close)
	r.Eventually(func() bool { return len(r.Service.List()) == 0 }, "the pool goes with its creator")
	close(resume)
	assert.Error(t, within(t, testPatience, created, "Create"))
	assert.NoError(t, within(t, testPatience, closing, "Close"))
	assert.Zero(t, r.LiveWorkers())
}

func TestASpawnThatComesTooLateNeverBecomesAMember(t *testing.T) {
	r := rig.New(t, rig.Config{})
	rec := record(r)
	owner := r.Owner()
	b := &bench{Rig: r, owner: owner}
	b.id = b.another(pool.PoolOptions{MaxWorkers: 2})
	began, resume := make(chan struct{}), make(chan struct{})
	r.OnSpawn(func(int) error {
		close(began)
		<-resume
		return nil
	})
	scaled := async(func() error { return r.Service.Scale(owner.Caller, b.id, 2) })
	<-began
	r.OnSpawn(nil)
	destroyed := async(func() error { return r.Service.Destroy(b.id) })
	r.Eventually(func() bool { return len(r.Service.List()) == 0 }, "gone for callers")
	close(resume)
	require.NoError(t, within(t, testPatience, destroyed, "Destroy"))
	<-scaled // what it says is its own: it had been under way
	assert.Zero(t, r.LiveWorkers())
	rec.awaitAll()
	assert.Equal(t, 1, rec.count(pool.PoolWorkerAdded), "no event names it")
	assert.EqualValues(t, 1, b.finalOf(b.id).Exited, "no counter counts it")
	last := rec.events()[len(rec.events())-1]
	assert.Equal(t, pool.PoolDestroyed, last.Kind)
}
