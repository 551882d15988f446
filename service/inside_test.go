package service_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/internal/rig"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// insideTime is how long the calls that wait for room may wait.
const insideTime = time.Second

// submitted is what a way in returned, and when.
type submitted struct {
	err  error
	took time.Duration
}

// submitEveryWay submits a task in every way, one after the other.
func submitEveryWay(s pool.Service, id pool.PoolID, caller wago.HostModule) map[string]submitted {
	got := make(map[string]submitted)
	for name, submit := range waysIn(caller) {
		if name == "SubmitWait" || name == "Call" {
			continue // below, with a context that ends
		}
		begun := time.Now()
		err := submit(s, id, 9, nil)
		got[name] = submitted{err, time.Since(begun)}
	}
	for name, submit := range map[string]func(context.Context) error{
		"SubmitWait": func(ctx context.Context) error {
			_, err := s.SubmitWait(ctx, id, pool.Task{Tag: 9})
			return err
		},
		"Call": func(ctx context.Context) error {
			_, err := s.Call(ctx, id, pool.Task{Tag: 9})
			return err
		},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), insideTime)
		begun := time.Now()
		err := submit(ctx)
		got[name] = submitted{err, time.Since(begun)}
		cancel()
	}
	return got
}

// fullEveryWay holds what a full pool answers: an error at once from what never waits, the context's from what does.
func fullEveryWay(t *testing.T, opts pool.PoolOptions, got map[string]submitted) {
	t.Helper()
	for name, s := range got {
		want, took := error(pool.ErrPoolBackpressure), time.Duration(0)
		switch {
		case name == "Call" && opts.Strategy == pool.Broadcast:
			assert.ErrorIs(t, s.err, pool.ErrInvalidPoolOptions)
			continue
		case name == "SubmitWait" || name == "Call":
			want, took = context.DeadlineExceeded, insideTime
		case name == "Broadcast": // reaches nobody: the number says so
			want = nil
		case opts.Overflow == pool.OverflowShed:
			want = nil
		}
		assert.Equal(t, want, s.err, name)
		assert.Equal(t, took, s.took, name)
	}
}

// TestQ5SubmittingFromInsideToAFullPoolIsAnErrorNeverADeadlock has a clock of its own, on which a deadlock is seen at once. A
// guest submits with its own pool's only task in hand, an observer from inside its callback.
func TestQ5SubmittingFromInsideToAFullPoolIsAnErrorNeverADeadlock(t *testing.T) {
	for _, strategy := range strategies {
		for _, overflow := range []pool.OverflowPolicy{pool.OverflowSpill, pool.OverflowReject, pool.OverflowShed} {
			for _, workers := range []uint32{1, 3} {
				opts := pool.PoolOptions{
					Strategy: strategy, Overflow: overflow, MinWorkers: workers, Worker: pool.WorkerOptions{QueueCapacity: 1},
				}
				name := fmt.Sprintf("%v, %v, %d workers", strategy, overflow, workers)
				t.Run("a task, "+name, func(t *testing.T) { inBubble(t, func(t *testing.T) { fullFromATask(t, opts) }) })
				t.Run("an observer, "+name, func(t *testing.T) { inBubble(t, func(t *testing.T) { fullFromAnObserver(t, opts) }) })
			}
		}
	}
}

// fullFromATask has each worker take a task; one of them submits while every mailbox is full.
func fullFromATask(t *testing.T, opts pool.PoolOptions) {
	full, release, answers := make(chan struct{}), make(chan struct{}), make(chan map[string]submitted, 1)
	var b *bench
	b = newBench(t, rig.Config{Bubble: true, Behaviour: func(w *rig.Worker, task pool.Task) rig.Act {
		switch task.Tag {
		case 1:
			<-full
			select {
			case answers <- submitEveryWay(w.Service(), b.id, w.Caller):
			default:
			}
			<-release
		case 2:
			<-release
		}
		return rig.Next
	}}, opts)
	b.handAll(1)
	b.fillMailboxes()
	close(full)
	fullEveryWay(t, opts, <-answers)
	close(release)
	b.quiet()
}

// handAll has every worker take a task with the tag.
func (b *bench) handAll(tag uint64) {
	b.T.Helper()
	n, err := b.Service.Broadcast(b.id, tag, nil)
	require.NoError(b.T, err)
	synctest.Wait()
	require.EqualValues(b.T, n, b.stats().Running)
}

// fillMailboxes has every worker have a task in its mailbox, which holds no other.
func (b *bench) fillMailboxes() {
	b.T.Helper()
	stats := b.stats()
	n, err := b.Service.Broadcast(b.id, 2, nil)
	require.NoError(b.T, err)
	require.EqualValues(b.T, stats.Live, n)
	synctest.Wait()
	require.EqualValues(b.T, n, b.stats().Queued)
}

// fullFromAnObserver has an observer submit when it is told of a task that a full pool refused.
func fullFromAnObserver(t *testing.T, opts pool.PoolOptions) {
	b, open := newShutBench(t, rig.Config{Bubble: true}, opts)
	b.fillMailboxes()
	answers, told := make(chan map[string]submitted, 1), false
	sub, err := b.Service.ObserveEvents(func(e *pool.PoolEvent) {
		if e.Tag == 99 && !told {
			told = true
			answers <- submitEveryWay(b.Service, e.Pool, b.owner.Caller)
		}
	})
	require.NoError(t, err)
	_, err = b.Service.Submit(b.id, 99, nil)
	assert.True(t, err == nil || errors.Is(err, pool.ErrPoolBackpressure), "%v", err)
	fullEveryWay(t, opts, <-answers)
	require.NoError(t, b.Service.UnsubscribeEvents(sub))
	open()
	b.quiet()
}
