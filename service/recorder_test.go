package service_test

import (
	"slices"
	"sync"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/require"
)

// recorder keeps what an observer is told.
type recorder struct {
	rig  *rig.Rig
	sub  pool.EventSubscription
	mu   sync.Mutex
	seen []pool.PoolEvent // guarded by mu
}

// record subscribes a recorder to every event of the rig's service.
func record(r *rig.Rig) *recorder {
	r.T.Helper()
	rec := &recorder{rig: r}
	var err error
	rec.sub, err = r.Service.ObserveEvents(rec.add)
	require.NoError(r.T, err)
	return rec
}

func (r *recorder) add(e *pool.PoolEvent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, *e)
}

// events returns what was seen so far.
func (r *recorder) events() []pool.PoolEvent {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.seen)
}

// of returns the events of the given kinds, of every kind for none.
func (r *recorder) of(kinds ...pool.PoolEventKind) []pool.PoolEvent {
	return slices.DeleteFunc(r.events(), func(e pool.PoolEvent) bool { return len(kinds) > 0 && !slices.Contains(kinds, e.Kind) })
}

func (r *recorder) count(kind pool.PoolEventKind) int { return len(r.of(kind)) }

// await waits for the n-th event of a kind and returns all of that kind.
func (r *recorder) await(kind pool.PoolEventKind, n int) []pool.PoolEvent {
	r.rig.T.Helper()
	r.rig.Eventually(func() bool { return r.count(kind) >= n }, kind.String())
	return r.of(kind)
}

// sum adds up Count over the events of a kind.
func (r *recorder) sum(kind pool.PoolEventKind) (n uint64) {
	for _, e := range r.of(kind) {
		n += e.Count
	}
	return n
}

func kindsOf(events []pool.PoolEvent) (kinds []pool.PoolEventKind) {
	for _, e := range events {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

// awaitAll waits until the recorder has seen everything that was published before the call.
func (r *recorder) awaitAll() {
	r.rig.T.Helper()
	owner := r.rig.Owner()
	id, err := r.rig.Service.Create(owner.Caller, rig.EntryLoop, pool.PoolOptions{})
	require.NoError(r.rig.T, err)
	require.NoError(r.rig.T, r.rig.Service.Destroy(id))
	r.rig.Eventually(func() bool {
		seen := r.events()
		return len(seen) > 0 && seen[len(seen)-1].Pool == id && seen[len(seen)-1].Kind == pool.PoolDestroyed
	}, "the recorder is up to date")
	require.NoError(r.rig.T, owner.Close())
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = slices.DeleteFunc(r.seen, func(e pool.PoolEvent) bool { return e.Pool == id })
}
