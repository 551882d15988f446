package workers_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"

	"github.com/wago-org/workers"
)

func TestConsumersReachTheServiceThroughItsContract(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, setup{})
		var got []string
		var end workers.WorkerExitContext
		var id workers.WorkerID
		payload := []byte("hello")
		require.NoError(t, f.ref.With(func(s workers.Service) (err error) {
			if _, err = s.ObserveMessages(func(m *workers.MessageContext) error {
				got = append(got, string(m.Payload))
				return nil
			}); err != nil {
				return err
			}
			if _, err = s.ObserveExits(func(x *workers.WorkerExitContext) { end = *x }); err != nil {
				return err
			}
			return f.call(f.owner, func(caller wago.HostModule) { id, err = s.Spawn(caller, entry, workers.WorkerOptions{}) })
		}))
		require.NoError(t, f.ref.With(func(s workers.Service) error { return s.Send(id, 1, payload) }))
		copy(payload, "jello")
		synctest.Wait()
		require.Equal(t, []string{"hello"}, got)

		require.NoError(t, f.runtime.Close())
		require.Equal(t, id, end.WorkerID)
		require.ErrorIs(t, f.ref.With(func(workers.Service) error { return nil }), wago.ErrPermissionDenied)
		require.Zero(t, f.service.Leftovers())
	})
}

func TestBudgetRefusalsComeFromTheHostAsTheyAre(t *testing.T) {
	f := newFixture(t, setup{grants: &wago.AuthorityScope{MaxInstances: 2, MaxMemoryBytes: 4 << 30}})
	f.spawn(t, workers.WorkerOptions{})
	f.spawn(t, workers.WorkerOptions{})
	_, err := f.trySpawn(t, workers.WorkerOptions{})
	require.ErrorIs(t, err, wago.ErrPermissionDenied)
	var budget *wago.BudgetError
	require.ErrorAs(t, err, &budget)
	_, limit, wanted := budget.Ceiling()
	require.Equal(t, []uint64{2, 3}, []uint64{limit, wanted})
	require.NotErrorIs(t, err, workers.ErrInvalidWorkerCaller)
}

func TestEveryIDIsUsedOnceAndThenThereAreNoMore(t *testing.T) {
	f := newFixture(t, setup{config: `{"maxLiveWorkers": 2}`})
	f.service.SetLastID(math.MaxUint64 - 1)
	require.Equal(t, workers.WorkerID(math.MaxUint64), f.spawn(t, workers.WorkerOptions{}))
	for range 3 { // and none of them costs anything
		_, err := f.trySpawn(t, workers.WorkerOptions{})
		require.ErrorIs(t, err, workers.ErrWorkerIDExhausted)
	}
	opened, closed := f.runtime.Instances()
	require.EqualValues(t, 2, opened-closed, "the owner and the worker")
}

func TestForkErrorsSayWhy(t *testing.T) {
	f := newFixture(t, setup{})
	open, ended := make(chan struct{}), make(chan struct{})
	close(ended)
	host := errors.New("host")
	forkError := func(err error, closing <-chan struct{}) (said error) {
		require.NoError(t, f.call(f.owner, func(caller wago.HostModule) { said = f.service.ForkError(caller, err, closing) }))
		return said
	}
	require.Equal(t, host, forkError(host, open))
	require.Equal(t, wago.ErrPermissionDenied, forkError(wago.ErrPermissionDenied, open))

	err := forkError(wago.ErrManagedImportLifetime, open)
	require.ErrorIs(t, err, workers.ErrWorkerImportLifetime)
	require.ErrorIs(t, err, wago.ErrManagedImportLifetime)

	err = forkError(host, ended)
	require.ErrorIs(t, err, workers.ErrWorkerParentClosed)
	require.ErrorIs(t, err, host)

	err = forkError(wago.ErrRuntimeClosed, open)
	require.ErrorIs(t, err, workers.ErrWorkerRuntimeClosed)
	require.ErrorIs(t, err, wago.ErrRuntimeClosed)

	var stale wago.HostModule
	require.NoError(t, f.call(f.owner, func(caller wago.HostModule) { stale = caller }))
	require.Equal(t, host, f.service.ForkError(stale, host, open))
	err = f.service.ForkError(stale, wago.ErrPermissionDenied, open)
	require.ErrorIs(t, err, workers.ErrInvalidWorkerCaller)
	require.ErrorIs(t, err, wago.ErrPermissionDenied)

	require.NoError(t, f.runtime.Close())
	require.ErrorIs(t, f.service.ForkError(stale, host, open), workers.ErrWorkerRuntimeClosed)
}

func TestAServiceThatWasNeverLoadedIsInactive(t *testing.T) {
	var s workers.Workers
	_, spawn := s.Spawn(nil, 0, workers.WorkerOptions{})
	_, current := s.Current(nil)
	_, closing := s.Closing(nil)
	_, identity := s.Identity(nil)
	_, messages := s.ObserveMessages(func(*workers.MessageContext) error { return nil })
	_, exits := s.ObserveExits(func(*workers.WorkerExitContext) {})
	for name, err := range map[string]error{
		"Spawn": spawn, "Current": current, "Closing": closing, "Identity": identity,
		"ObserveMessages": messages, "ObserveExits": exits,
		"Send":         s.Send(1, 1, nil),
		"SendOwned":    s.SendOwned(1, 1, nil),
		"DispatchNext": s.DispatchNext(context.Background(), nil),
		"Link":         s.Link(nil, 1),
		"Kill":         s.Kill(1),
		"KillWithin":   s.KillWithin(1, 0, nil),
		"Retire":       s.Retire(1),
		"Unsubscribe":  s.Unsubscribe(workers.Subscription{}),
	} {
		require.ErrorIs(t, err, workers.ErrWorkersInactive, name)
	}
}

func TestTheEndOfTheStopContextIsTheEndOfTheGrace(t *testing.T) {
	spinning := make(chan struct{}, 2)
	f := newFixture(t, setup{grace: time.Hour, step: func(*fixture, wago.HostModule) int {
		spinning <- struct{}{}
		return spins
	}})
	var mu sync.Mutex
	var ends []error
	_, err := f.service.ObserveExits(func(x *workers.WorkerExitContext) {
		mu.Lock()
		defer mu.Unlock()
		ends = append(ends, x.Err)
	})
	require.NoError(t, err)
	for range 2 {
		f.spawn(t, workers.WorkerOptions{})
		<-spinning
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	require.NoError(t, f.runtime.CloseContext(ctx))
	require.Len(t, ends, 2)
	for _, err := range ends {
		require.ErrorIs(t, err, workers.ErrWorkerRuntimeClosed)
	}
	require.Zero(t, f.service.Leftovers())
}

func TestNoGraceAtAllInterruptsAtOnce(t *testing.T) {
	spinning := make(chan struct{})
	f := newFixture(t, setup{grace: -1, step: func(*fixture, wago.HostModule) int {
		close(spinning)
		return spins
	}})
	gone := make(chan struct{})
	_, err := f.service.ObserveExits(func(*workers.WorkerExitContext) { close(gone) })
	require.NoError(t, err)
	id := f.spawn(t, workers.WorkerOptions{})
	<-spinning
	require.NoError(t, f.service.Kill(id))
	<-gone
}

func TestWhatGoesWrongUnseenIsKeptWithinBounds(t *testing.T) {
	const workersEnded = 40
	f := newFixture(t, setup{step: func(*fixture, wago.HostModule) int { return returns }})
	var causes []error
	_, err := f.service.ObserveExits(func(exit *workers.WorkerExitContext) {
		cause := fmt.Errorf("the cause of %d", exit.WorkerID)
		causes = append(causes, cause)
		panic(fmt.Errorf("again: %w", cause))
	})
	require.NoError(t, err)
	gone := make(chan struct{})
	_, err = f.service.ObserveExits(func(*workers.WorkerExitContext) { gone <- struct{}{} })
	require.NoError(t, err)
	for range workersEnded {
		f.spawn(t, workers.WorkerOptions{})
		<-gone
	}
	err = f.runtime.Close()
	require.ErrorIs(t, err, workers.ErrObserverPanic)
	require.ErrorContains(t, err, "and 24 more")
	require.Len(t, causes, workersEnded)
	for _, cause := range causes {
		require.ErrorIs(t, err, cause)
	}
}
