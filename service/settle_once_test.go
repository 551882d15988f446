package service_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// verdicts counts how calls ended, each once.
type verdicts struct {
	mu                                  sync.Mutex
	done, failed, pending, refused, all uint64
	finished                            map[uint64]bool // tags whose call was told that they are done
	late                                time.Duration
}

func (v *verdicts) add(t *testing.T, tag uint64, err error, late time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.all++
	v.late = max(v.late, late)
	var ended *pool.TaskError
	switch {
	case err == nil:
		v.done++
		v.finished[tag] = true
	case !errors.As(err, &ended):
		v.refused++
		assert.True(t, errors.Is(err, context.DeadlineExceeded), "refused: %v", err)
	case ended.Pending:
		v.pending++
		assert.ErrorIs(t, err, context.DeadlineExceeded)
	default:
		v.failed++
		assert.ErrorIs(t, err, pool.ErrTaskFailed)
		assert.NotZero(t, ended.Worker)
		assert.NotZero(t, ended.Attempt)
	}
}

func TestEveryCallSettlesOnceAndNoneOutlivesItsContext(t *testing.T) {
	t.Parallel()
	s := newStorm(t, pool.PoolOptions{MinWorkers: 2, MaxWorkers: 4, Retries: 1, Worker: pool.WorkerOptions{QueueCapacity: 8}})
	v := &verdicts{finished: make(map[uint64]bool)}
	enough := s.disturb()
	var callers sync.WaitGroup
	for range 16 {
		callers.Go(func() {
			for range size(150, 30) {
				s.callOnce(t, v)
			}
		})
	}
	callers.Wait()
	enough()
	stats := s.quiet()
	s.account(stats, 1)
	assert.Less(t, v.late, time.Second*slack, "how late the latest call was")
	assert.Equal(t, v.all, v.done+v.failed+v.pending+v.refused)
	assert.Equal(t, stats.Routed, v.done+v.failed+v.pending, "accepted calls")
	assert.Equal(t, stats.Rejected, v.refused)
	assert.GreaterOrEqual(t, stats.Done, v.done)
	assert.GreaterOrEqual(t, stats.FailedTasks, v.failed)
	for _, e := range s.Log() {
		if e.Finished {
			delete(v.finished, e.Task.Tag)
		}
	}
	for tag := range v.finished {
		ended := s.fate(tag, 1) // a worker that ends well with the task in hand has done it, too
		require.NotZero(t, ended, "tag %d was told to be done", tag)
	}
}

// callOnce makes one call with a short and random time.
func (s *storm) callOnce(t *testing.T, v *verdicts) {
	tag := s.nextTag.Add(1)
	limit := time.Duration(rand.Int64N(int64(20 * time.Millisecond)))
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	deadline, _ := ctx.Deadline()
	_, err := s.Service.Call(ctx, s.id, pool.Task{Tag: tag})
	v.add(t, tag, err, time.Since(deadline))
}
