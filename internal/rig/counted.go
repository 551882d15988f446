package rig

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/assert"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// Counted is Pool's contract with a count of its own of what submits returned.
//
// Safe for concurrent use.
type Counted struct {
	pool.Service
	mu    sync.Mutex
	pools map[pool.PoolID]*Tally
	final map[pool.PoolID]pool.PoolStats
}

// Tally is what the callers of one pool's submits saw.
type Tally struct {
	Accepted   uint64 // nil, shed ones included; for a broadcast one per worker that took it
	Calls      uint64 // that returned nil or one of the errors that count as rejected
	Rejected   uint64
	Unclear    uint64 // waits that ended with ErrPoolDraining: at the door, or counted as rejected
	Broadcasts bool   // Submitted is not the sum of the others then
	Waiting    int    // calls of SubmitWait and Call that have not returned
}

func newCounted(s pool.Service) *Counted {
	c := &Counted{Service: s, pools: make(map[pool.PoolID]*Tally), final: make(map[pool.PoolID]pool.PoolStats)}
	return c
}

// Tally returns a copy of what callers of the pool's submits saw.
func (c *Counted) Tally(id pool.PoolID) Tally {
	c.mu.Lock()
	defer c.mu.Unlock()
	return *c.of(id)
}

func (c *Counted) of(id pool.PoolID) *Tally {
	if c.pools[id] == nil {
		c.pools[id] = new(Tally)
	}
	return c.pools[id]
}

func (c *Counted) count(id pool.PoolID, n uint64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.of(id)
	switch {
	case err == nil:
		t.Accepted += n
		t.Calls++
	case errors.Is(err, pool.ErrPoolEmpty), errors.Is(err, pool.ErrPoolBackpressure), errors.Is(err, pool.ErrPayloadTooLarge):
		t.Rejected++
		t.Calls++
	}
}

// Submit implements pool.Service.
func (c *Counted) Submit(id pool.PoolID, tag uint64, payload []byte) (pool.WorkerID, error) {
	worker, err := c.Service.Submit(id, tag, payload)
	c.count(id, 1, err)
	return worker, err
}

// SubmitKeyed implements pool.Service.
func (c *Counted) SubmitKeyed(id pool.PoolID, key, tag uint64, payload []byte) (pool.WorkerID, error) {
	worker, err := c.Service.SubmitKeyed(id, key, tag, payload)
	c.count(id, 1, err)
	return worker, err
}

// SubmitFrom implements pool.Service.
func (c *Counted) SubmitFrom(caller wago.HostModule, id pool.PoolID, tag uint64, payload []byte) (pool.WorkerID, error) {
	worker, err := c.Service.SubmitFrom(caller, id, tag, payload)
	c.count(id, 1, reconciled(err))
	return worker, err
}

// reconciled returns ErrPoolEmpty for what SubmitFrom returns in its place: why its reconcile could start nobody.
func reconciled(err error) error {
	switch err {
	case nil, pool.ErrPoolNotFound, pool.ErrPoolDraining, pool.ErrPoolBackpressure, pool.ErrPayloadTooLarge,
		pool.ErrPoolsInactive, pool.ErrPoolsClosed, pool.ErrWorkersUnavailable:
		return err
	}
	if errors.Is(err, workers.ErrInvalidWorkerCaller) {
		return err
	}
	return pool.ErrPoolEmpty
}

// SubmitTask implements pool.Service.
func (c *Counted) SubmitTask(id pool.PoolID, task pool.Task) (pool.WorkerID, error) {
	worker, err := c.Service.SubmitTask(id, task)
	c.count(id, 1, err)
	return worker, err
}

// SubmitWait implements pool.Service.
func (c *Counted) SubmitWait(ctx context.Context, id pool.PoolID, task pool.Task) (pool.WorkerID, error) {
	defer c.waits(id)()
	worker, err := c.Service.SubmitWait(ctx, id, task)
	c.waited(id, err)
	return worker, err
}

// Call implements pool.Service.
func (c *Counted) Call(ctx context.Context, id pool.PoolID, task pool.Task) ([]byte, error) {
	defer c.waits(id)()
	result, err := c.Service.Call(ctx, id, task)
	var ended *pool.TaskError
	if errors.As(err, &ended) {
		c.count(id, 1, nil) // it had been accepted
	} else {
		c.waited(id, err)
	}
	return result, err
}

// waits notes a call that may wait; the function it returns notes that it has returned.
func (c *Counted) waits(id pool.PoolID) (returned func()) {
	note := func(n int) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.of(id).Waiting += n
	}
	note(1)
	return func() { note(-1) }
}

// waited counts a call that may wait: whatever ends it before acceptance is a rejection, but for a door that was shut.
func (c *Counted) waited(id pool.PoolID, err error) {
	switch {
	case err == nil:
		c.count(id, 1, nil)
	case err == pool.ErrPoolNotFound, err == pool.ErrPoolsClosed, err == pool.ErrPoolsInactive, err == pool.ErrWorkersUnavailable:
	case err == pool.ErrPoolDraining:
		c.mu.Lock()
		defer c.mu.Unlock()
		c.of(id).Unclear++
	case errors.Is(err, pool.ErrInvalidPoolOptions):
	default:
		c.count(id, 0, pool.ErrPoolBackpressure)
	}
}

// Broadcast implements pool.Service.
func (c *Counted) Broadcast(id pool.PoolID, tag uint64, payload []byte) (int, error) {
	n, err := c.Service.Broadcast(id, tag, payload)
	c.mu.Lock()
	c.of(id).Broadcasts = true
	c.mu.Unlock()
	c.count(id, uint64(n), err)
	return n, err
}

// Check holds the pool's ledger against itself and against what callers saw. Call it when no submit is under way.
func (c *Counted) Check(t testing.TB, stats pool.PoolStats) {
	t.Helper()
	tally := c.Tally(stats.Pool)
	assert.Equal(t, stats.Routed, stats.Done+stats.FailedTasks+stats.Dropped+stats.Queued+stats.Running, "where every routed task is: %+v", stats)
	if stats.Strategy == pool.Broadcast { // callers can't tell how many workers took what they submitted
		return
	}
	assert.Equal(t, tally.Accepted, stats.Routed+stats.Shed, "tasks that callers saw accepted: %+v", stats)
	assert.Equal(t, stats.Queued, stats.Outstanding+stats.Parked, "queued: %+v", stats)
	if !tally.Broadcasts {
		assert.Equal(t, stats.Submitted, stats.Routed+stats.Rejected+stats.Shed, "calls: %+v", stats)
		assert.GreaterOrEqual(t, stats.Submitted, tally.Calls, "calls that callers made: %+v", stats)
		assert.LessOrEqual(t, stats.Submitted, tally.Calls+tally.Unclear, "calls that callers made: %+v", stats)
		assert.GreaterOrEqual(t, stats.Rejected, tally.Rejected, "calls that callers saw refused: %+v", stats)
	}
}

// check holds the ledger of every pool that exists and nobody waits in.
func (c *Counted) check(t testing.TB) {
	t.Helper()
	for _, id := range c.List() {
		if stats, err := c.Stats(id); err == nil && c.Tally(id).Waiting == 0 {
			c.Check(t, stats)
		}
	}
}

// checkFinal holds the last ledgers of the pools that were destroyed.
func (c *Counted) checkFinal(t testing.TB) {
	t.Helper()
	for _, stats := range c.Finals() {
		assert.Zero(t, stats.Queued+stats.Running, "nothing is left of a pool: %+v", stats)
		if c.Tally(stats.Pool).Waiting == 0 {
			c.Check(t, stats)
		}
	}
}

// Final returns the ledger of a pool that was destroyed, once its last worker has gone.
func (c *Counted) Final(id pool.PoolID) (pool.PoolStats, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	stats, ok := c.final[id]
	return stats, ok
}

// Finals returns the ledgers of all pools that were destroyed and whose last worker has gone.
func (c *Counted) Finals() []pool.PoolStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Values(c.final))
}

// ended keeps the final ledger of a pool that was destroyed.
func (c *Counted) ended(stats pool.PoolStats) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.final[stats.Pool] = stats
}
