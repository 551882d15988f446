package service_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
)

// verdicts are what calls were told, each once, and how late the latest was.
type verdicts struct {
	mu                      sync.Mutex
	of                      map[uint64]answer // guarded by mu, as all that follows: by tag
	done, failed, pending   uint64
	refused, uncounted, all uint64 // bare errors; those of a pool that is gone, which counts nothing any more
	late                    time.Duration
}

// answer is what one call was told.
type answer struct {
	result []byte
	err    error
	ended  *pool.TaskError // in err
}

func (v *verdicts) add(tag uint64, a answer, late time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.all++
	v.late = max(v.late, late)
	errors.As(a.err, &a.ended)
	v.of[tag] = a
	switch {
	case a.err == nil:
		v.done++
	case a.err == pool.ErrPoolNotFound:
		v.uncounted++
	case a.ended == nil:
		v.refused++
	case a.ended.Pending:
		v.pending++
	default:
		v.failed++
	}
}

// callMany has each of 16 goroutines make n calls with no time, little or plenty, half of them ended by a deadline and half
// cancelled.
func (s *storm) callMany(n int, v *verdicts) {
	var callers sync.WaitGroup
	for range 16 {
		callers.Go(func() {
			for range n {
				s.callOnce(v)
			}
		})
	}
	callers.Wait()
}

func (s *storm) callOnce(v *verdicts) {
	tag := s.nextTag.Add(1)
	limit := []time.Duration{0, time.Second, rand.N(5 * time.Millisecond), rand.N(20 * time.Millisecond)}[rand.IntN(4)]
	deadline := time.Now().Add(limit)
	ctx, cancel := context.WithCancel(context.Background())
	if tag%2 == 0 {
		ctx, cancel = context.WithDeadline(context.Background(), deadline)
	} else {
		defer time.AfterFunc(limit, cancel).Stop()
	}
	defer cancel()
	result, err := s.Service.Call(ctx, s.id, pool.Task{Tag: tag})
	v.add(tag, answer{result: result, err: err}, time.Since(deadline))
}

// theTag is what a task's guest completes it with.
func theTag(task pool.Task) []byte { return binary.LittleEndian.AppendUint64(nil, task.Tag) }

// TestQ3EveryCallSettlesOnceAndNoneOutlivesItsContext has 16 callers under chaos, in a pool that lives on, one that is drained
// and one that is destroyed in the middle of it. Every call returns one verdict, which is the ledger's and the guests'.
func TestQ3EveryCallSettlesOnceAndNoneOutlivesItsContext(t *testing.T) {
	for name, c := range map[string]struct {
		retries uint32
		end     func(s *storm) error
	}{
		"the pool lives on":     {0, func(*storm) error { return nil }},
		"the pool is drained":   {1, func(s *storm) error { return s.Service.Drain(s.id) }},
		"the pool is destroyed": {1, func(s *storm) error { return s.Service.Destroy(s.id) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStorm(t, pool.PoolOptions{
				MinWorkers: 2, MaxWorkers: 4, Retries: c.retries, Worker: pool.WorkerOptions{QueueCapacity: 8},
			})
			v := &verdicts{of: make(map[uint64]answer)}
			enough := s.disturb()
			for range 10 {
				s.callMany(size(30, 6), v)
			}
			under := async(func() error {
				s.callMany(size(60, 20), v)
				return nil
			})
			s.Eventually(func() bool { return s.Service.Tally(s.id).Waiting > 0 || !waits(under) }, "calls are under way, or were")
			assert.NoError(t, c.end(s))
			assert.NoError(t, within(t, testPatience, under, "the calls that met the end"))
			enough()
			var stats pool.PoolStats
			if _, err := s.Service.Stats(s.id); err == nil {
				stats = s.quiet()
			} else {
				stats = s.finalOf(s.id)
			}
			s.account(stats, c.retries)
			v.hold(t, s, stats, c.retries)
		})
	}
}

// hold compares the verdicts with the ledger and with what the guests know.
func (v *verdicts) hold(t *testing.T, s *storm, stats pool.PoolStats, retries uint32) {
	t.Helper()
	assert.Less(t, v.late, time.Second*slack, "how late the latest call was")
	assert.Len(t, v.of, int(v.all))
	assert.Equal(t, stats.Routed, v.done+v.failed+v.pending, "accepted calls")
	assert.LessOrEqual(t, stats.Rejected, v.refused)
	assert.GreaterOrEqual(t, stats.Done, v.done)
	assert.GreaterOrEqual(t, stats.FailedTasks+stats.Dropped, v.failed)
	assert.NotZero(t, v.done)
	assert.NotZero(t, v.refused)
	if retries == 0 {
		assert.NotZero(t, v.failed)
	}
	last := make(map[uint64]rig.Entry)
	for _, e := range s.Log() {
		last[e.Task.Tag] = e
	}
	for tag, a := range v.of {
		a.hold(t, tag, last, retries)
	}
}

// hold compares what a call was told with the last attempt that a guest made at its task.
func (a answer) hold(t *testing.T, tag uint64, last map[uint64]rig.Entry, retries uint32) {
	t.Helper()
	e, began := last[tag]
	switch {
	case a.err == nil:
		if e.Finished {
			assert.Equal(t, theTag(e.Task), a.result, "the result of %d", tag)
		} else { // a worker that ends well with the task in hand has done it, too
			assert.True(t, e.Act == rig.Return || e.Act == rig.Exit(0), "%d was told to be done: %+v", tag, e)
		}
	case a.ended == nil:
		assert.False(t, began, "%d was told not to be accepted, with %v: %+v", tag, a.err, e)
		known := errors.Is(a.err, context.DeadlineExceeded) || errors.Is(a.err, context.Canceled) ||
			a.err == pool.ErrPoolNotFound || a.err == pool.ErrPoolDraining || errors.Is(a.err, pool.ErrPoolDestroyed)
		assert.True(t, known, "%d: %v", tag, a.err)
	case a.ended.Pending:
		assert.True(t, a.ended.Kind == context.DeadlineExceeded || a.ended.Kind == context.Canceled, "%d: %v", tag, a.err)
	default:
		assert.False(t, e.Finished, "%d was told to have failed, with %v: %+v", tag, a.err, e)
		assert.Contains(t, []error{pool.ErrTaskFailed, pool.ErrPoolDestroyed, pool.ErrTasksDropped}, a.ended.Kind, "%d: %v", tag, a.err)
		assert.LessOrEqual(t, a.ended.Attempt, retries+1)
	}
}
