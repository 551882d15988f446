package service_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

const testPatience = 30 * time.Second

// quick is how long a call may take that waits for nobody.
const quick = slack * time.Second

// bench is a rig with one owner and one pool.
type bench struct {
	*rig.Rig
	owner *rig.Owner
	id    pool.PoolID
}

func newBench(t *testing.T, config rig.Config, opts pool.PoolOptions) *bench {
	t.Helper()
	b := &bench{Rig: rig.New(t, config)}
	b.create(opts)
	return b
}

// newShutBench is newBench with workers that take nothing until open is called.
func newShutBench(t *testing.T, config rig.Config, opts pool.PoolOptions) (b *bench, open func()) {
	t.Helper()
	b, gates := newGatedBench(t, config, opts)
	return b, gates.Open
}

// newGatedBench is newBench with workers that take nothing until their gates open.
func newGatedBench(t *testing.T, config rig.Config, opts pool.PoolOptions) (*bench, *rig.Gates) {
	t.Helper()
	b := &bench{Rig: rig.New(t, config)}
	gates := b.ShutGates()
	b.create(opts)
	return b, gates
}

// inBubble runs a test with a clock of its own, which moves only while everything is parked. Configs need Bubble.
func inBubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

func (b *bench) create(opts pool.PoolOptions) {
	b.T.Helper()
	b.owner = b.Owner()
	b.id = b.another(opts)
}

// another creates one more pool for the same owner.
func (b *bench) another(opts pool.PoolOptions) pool.PoolID {
	b.T.Helper()
	id, err := b.Service.Create(b.owner.Caller, rig.EntryLoop, opts)
	require.NoError(b.T, err)
	return id
}

func (b *bench) stats() pool.PoolStats {
	b.T.Helper()
	return b.statsOf(b.id)
}

func (b *bench) statsOf(id pool.PoolID) pool.PoolStats {
	b.T.Helper()
	stats, err := b.Service.Stats(id)
	require.NoError(b.T, err)
	return stats
}

// workers returns the ids of the pool's workers, in slot order.
func (b *bench) workers() (ids []pool.WorkerID) {
	b.T.Helper()
	for _, w := range b.stats().Workers {
		ids = append(ids, w.ID)
	}
	return ids
}

func (b *bench) submit(tags ...uint64) {
	b.T.Helper()
	for _, tag := range tags {
		b.give(tag)
	}
}

// give submits one task and returns who got it.
func (b *bench) give(tag uint64) pool.WorkerID {
	b.T.Helper()
	id, err := b.Service.Submit(b.id, tag, nil)
	require.NoError(b.T, err, "tag %d", tag)
	return id
}

func (b *bench) reconcile() {
	b.T.Helper()
	require.NoError(b.T, b.Service.Reconcile(b.owner.Caller, b.id))
}

func (b *bench) scale(size uint32) {
	b.T.Helper()
	require.NoError(b.T, b.Service.Scale(b.owner.Caller, b.id, size))
}

// settle reconciles until nothing moves any more: no worker is cordoned, stopping or being started.
func (b *bench) settle() pool.PoolStats {
	b.T.Helper()
	var last pool.PoolStats
	b.Eventually(func() bool {
		b.reconcile()
		before := last
		last = b.stats()
		return int(last.Live) == len(last.Workers) && last.Live == before.Live && last.Exited == before.Exited &&
			b.LiveWorkers() == b.expected()
	}, "the pool settles")
	return last
}

// expected is the number of workers that the pools of the service say they have.
func (b *bench) expected() (n int) {
	for _, id := range b.Service.List() {
		if stats, err := b.Service.Stats(id); err == nil {
			n += len(stats.Workers)
		}
	}
	return n
}

// quiet waits until no task is queued or running, and holds the ledger then.
func (b *bench) quiet() pool.PoolStats {
	b.T.Helper()
	b.Eventually(func() bool { s := b.stats(); return s.Queued == 0 && s.Running == 0 }, "no task queued or running")
	stats := b.stats()
	b.Service.Check(b.T, stats)
	return stats
}

// until waits for a condition on the pool's stats and returns them.
func (b *bench) until(condition func(pool.PoolStats) bool, what string) pool.PoolStats {
	b.T.Helper()
	b.Eventually(func() bool { return condition(b.stats()) }, what)
	return b.stats()
}

// running waits until n tasks are in workers' hands.
func (b *bench) running(n uint64) {
	b.T.Helper()
	b.until(func(s pool.PoolStats) bool { return s.Running == n }, "running")
}

// supervise has the owner supervise the pool, in its host call; the channel gets what Supervise returns.
func (b *bench) supervise() <-chan error {
	return b.owner.Do(func(caller wago.HostModule) error {
		return b.Service.Supervise(context.Background(), caller, b.id)
	})
}

// final destroys the pool and returns its last stats.
func (b *bench) final() pool.PoolStats {
	b.T.Helper()
	require.NoError(b.T, b.Service.Destroy(b.id))
	return b.finalOf(b.id)
}

func (b *bench) finalOf(id pool.PoolID) (stats pool.PoolStats) {
	b.T.Helper()
	b.Eventually(func() (ok bool) {
		stats, ok = b.Service.Final(id)
		return ok
	}, "the pool's last event")
	return stats
}

// within fails the test unless the channel delivers in time.
func within[T any](t testing.TB, limit time.Duration, c <-chan T, what string) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(limit):
		require.FailNow(t, what+": not within "+limit.String())
	}
	return v
}

// async runs f on a goroutine and returns the channel that gets its result.
func async[T any](f func() T) <-chan T {
	c := make(chan T, 1)
	go func() { c <- f() }()
	return c
}

// promptly returns f's result, which must come within the time of a call that waits for nobody.
func promptly[T any](t testing.TB, what string, f func() T) T {
	t.Helper()
	return within(t, quick, async(f), what)
}

func span(from, to uint64) (tags []uint64) {
	for tag := from; tag <= to; tag++ {
		tags = append(tags, tag)
	}
	return tags
}

// never is a gate that stays shut.
var never chan struct{}

// size returns the larger figure in a full run and the smaller under -short.
func size[T any](full, short T) T {
	if testing.Short() {
		return short
	}
	return full
}
