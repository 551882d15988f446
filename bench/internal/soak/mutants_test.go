package soak_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/soak"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// oneIn says yes once in n times.
func oneIn(n uint64) func() bool {
	var count atomic.Uint64
	return func() bool { return count.Add(1)%n == 0 }
}

// mutants are faults of the kind that a soak is there to find, each with words that say how it is found.
func mutants() map[string]struct {
	mutant
	found string
} {
	type row = struct {
		mutant
		found string
	}
	sometimes, rarely := oneIn(10), oneIn(100)
	return map[string]row{
		"an accepted task is lost": {mutant{submit: func(s service, id poolID, tag uint64, payload []byte) (workerID, error) {
			if _, err := s.Stats(id); err != nil || !sometimes() {
				return s.Submit(id, tag, payload)
			}
			return 1, nil
		}}, ""},
		"a task is delivered twice": {mutant{submit: func(s service, id poolID, tag uint64, payload []byte) (workerID, error) {
			worker, err := s.Submit(id, tag, payload)
			if err == nil && sometimes() {
				_, _ = s.Submit(id, tag, payload)
			}
			return worker, err
		}}, ""},
		"a refused task is delivered": {mutant{submit: func(s service, id poolID, tag uint64, payload []byte) (workerID, error) {
			worker, err := s.Submit(id, tag, payload)
			if err == nil && sometimes() {
				return 0, pool.ErrPoolDraining
			}
			return worker, err
		}}, ""},
		"a submit has its own error": {mutant{submit: func(s service, id poolID, tag uint64, payload []byte) (workerID, error) {
			worker, err := s.Submit(id, tag, payload)
			if err == pool.ErrPoolEmpty {
				err = errOther
			}
			return worker, err
		}}, "other"},
		"a wait leaves a task": {mutant{submitWait: func(ctx context.Context, s service, id poolID, task pool.Task) (workerID, error) {
			worker, err := s.SubmitWait(ctx, id, task)
			if ctx.Err() != nil && err == ctx.Err() {
				_, _ = s.SubmitTask(id, task)
			}
			return worker, err
		}}, ""},
		"a snapshot is torn": {mutant{stats: func(s pool.PoolStats) pool.PoolStats {
			if s.Done > 0 && rarely() {
				s.Done--
			}
			return s
		}}, "Done + FailedTasks"},
		"a counter falls": {mutant{stats: func(s pool.PoolStats) pool.PoolStats {
			if s.Dropped > 0 {
				s.Routed, s.Dropped, s.Submitted = s.Routed-s.Dropped%2, s.Dropped-s.Dropped%2, s.Submitted-s.Dropped%2
			}
			return s
		}}, ""},
		"a pool is too large": {mutant{stats: func(s pool.PoolStats) pool.PoolStats {
			s.Max = uint32(max(0, len(s.Workers)-1))
			return s
		}}, "Max"},
		"a result is another's": {mutant{call: func(result []byte, err error) ([]byte, error) {
			if len(result) > 0 {
				result = append(slices.Clone(result[1:]), result[0]+1)
			}
			return result, err
		}}, "has the result"},
		"a failed task has a result": {mutant{call: func(result []byte, err error) ([]byte, error) {
			if errors.Is(err, pool.ErrTaskFailed) {
				return nil, nil
			}
			return result, err
		}}, "has the result"},
		"a broadcast counts one too many": {mutant{broadcast: func(n int, err error) (int, error) {
			if err == nil {
				n++
			}
			return n, err
		}}, ""},
		"bytes are changed": {mutant{current: func(task pool.Task) pool.Task {
			if len(task.Payload) > 0 && rarely() {
				task.Payload = append(slices.Clone(task.Payload[1:]), task.Payload[0]+1)
			}
			return task
		}}, "bytes"},
		"a guest is told another number": {mutant{current: func(task pool.Task) pool.Task {
			task.Attempt += 3
			return task
		}}, "is tried for"},
		"a task is completed twice": {mutant{complete: func(s pool.Service, caller wago.HostModule, result []byte) error {
			if err := s.Complete(caller, result); !errors.Is(err, pool.ErrNoTask) {
				return err
			}
			return nil
		}}, ""},
		"a dispatch fails with an error of its own": {mutant{dispatch: func(err error) error {
			if errors.Is(err, pool.ErrPoolDestroyed) {
				return errOther
			}
			return err
		}}, "other"},
		"a pool that is destroyed lives on": {mutant{destroy: func(pool.Service, pool.PoolID) error { return nil }}, "destroyed"},
		"a drain is over too soon": {mutant{drainWait: func(_ context.Context, s pool.Service, id pool.PoolID) error {
			return s.Drain(id)
		}}, "drained"},
		"everybody may size": {mutant{scale: func(s pool.Service, caller wago.HostModule, id pool.PoolID, size uint32) error {
			if err := s.Scale(caller, id, size); err != pool.ErrPoolOwner {
				return err
			}
			return nil
		}}, "has not created it"},
		"options pass": {mutant{create: func(s service, caller wago.HostModule, entry uint32, opts pool.PoolOptions) (poolID, error) {
			id, err := s.Create(caller, entry, opts)
			if errors.Is(err, pool.ErrInvalidPoolOptions) {
				return s.Create(caller, entry, pool.PoolOptions{})
			}
			return id, err
		}}, ""},
		"an event is missing": {mutant{observe: func(fn func(*pool.PoolEvent)) func(*pool.PoolEvent) {
			return func(e *pool.PoolEvent) {
				if !rarely() {
					fn(e)
				}
			}
		}}, "follows event"},
		"an event comes twice": {mutant{observe: func(fn func(*pool.PoolEvent)) func(*pool.PoolEvent) {
			return func(e *pool.PoolEvent) {
				fn(e)
				if rarely() {
					fn(e)
				}
			}
		}}, "follows event"},
		"an observer that has left is called": {mutant{leave: func(pool.Service, pool.EventSubscription) error { return nil }}, ""},
		"a list is out of order": {mutant{list: func(ids []pool.PoolID) []pool.PoolID {
			slices.Reverse(ids)
			return ids
		}}, "List"},
	}
}

// The soak finds what it is there to find. Each run is over at the first violation.
func TestEveryMutantIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("runs for several seconds")
	}
	code := guest(t)
	for name, m := range mutants() {
		t.Run(name, func(t *testing.T) {
			spoil := func(s pool.Service) pool.Service {
				spoilt := m.mutant
				spoilt.service = s
				return spoilt
			}
			config := soak.Config{Guest: code, For: time.Minute, Seed: 4}
			report, err := soak.Run(t.Context(), soak.Tampered(config, spoil, time.Minute))
			require.NoError(t, err)
			require.NotEmpty(t, report.Violations)
			assert.Contains(t, texts(report.Violations), m.found)
		})
	}
}

func texts(errs []error) string {
	var all strings.Builder
	for _, err := range errs {
		all.WriteString(err.Error() + "\n")
	}
	return all.String()
}

func TestACallThatDoesNotReturnIsFoundAndNamed(t *testing.T) {
	if testing.Short() {
		t.Skip("runs for several seconds")
	}
	before := soak.Settle(0, 0)
	never := make(chan struct{})
	release := sync.OnceFunc(func() { close(never) })
	defer release()
	stuck := mutant{scale: func(pool.Service, wago.HostModule, pool.PoolID, uint32) error {
		<-never
		return pool.ErrPoolNotFound
	}}
	spoil := func(s pool.Service) pool.Service {
		m := stuck
		m.service = s
		return m
	}
	config := soak.Config{Guest: guest(t), For: time.Minute, Seed: 5}
	report, err := soak.Run(t.Context(), soak.Tampered(config, spoil, 5*time.Second))
	require.NoError(t, err)
	assert.Contains(t, texts(report.Violations), "Scale has not returned")
	assert.Contains(t, string(report.Stacks), "mutants_test.go", "where it stands")
	release()
	assert.LessOrEqual(t, soak.Settle(before, time.Minute), before, "what was left behind comes to its end")
}

func TestAGoroutineThatIsLeftBehindIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("runs for several seconds")
	}
	never := make(chan struct{})
	var once sync.Once
	config := soak.Config{Guest: guest(t), For: time.Second, Seed: 12}
	leak := func(s pool.Service) pool.Service {
		once.Do(func() { go func() { <-never }() })
		return s
	}
	report, err := soak.Run(t.Context(), soak.Tampered(config, leak, 5*time.Second))
	close(never)
	require.NoError(t, err)
	assert.Contains(t, texts(report.Violations), "goroutines are left")
	assert.NotEmpty(t, report.Stacks)
}
