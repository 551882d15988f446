package service_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/workerstest"
	"github.com/JairusSW/pool/service"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
	"github.com/wago-org/workers"
)

// tollLease counts how often it is taken, unless it is shut.
//
// Safe for concurrent use.
type tollLease struct {
	workers workers.Service
	taken   atomic.Int64
	shut    atomic.Bool
}

var errShut = errors.New("the lease is shut")

func (l *tollLease) With(use func(workers.Service) error) error {
	if l.shut.Load() {
		return errShut
	}
	l.taken.Add(1)
	return use(l.workers)
}

// cost is how often f takes the lease.
func (l *tollLease) cost(f func()) int64 {
	before := l.taken.Load()
	f()
	return l.taken.Load() - before
}

// tolled is a service over a lease that counts, with an owner for any number of pools.
type tolled struct {
	*service.Pools
	fake   *fakeworkers.Fake
	lease  *tollLease
	caller wago.HostModule // an owner's
}

func newTolled(t *testing.T) *tolled {
	t.Helper()
	return newTolledWithin(t, service.Limits{MaxPools: 1 << 16})
}

func newTolledWithin(t *testing.T, limits service.Limits) *tolled {
	t.Helper()
	fake := fakeworkers.New(fakeworkers.Config{})
	t.Cleanup(func() { require.NoError(t, fake.Close()) })
	lease := &tollLease{workers: fake.Service()}
	s := &tolled{Pools: service.New(lease, limits), fake: fake, lease: lease}
	require.NoError(t, s.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, s.Stop(context.Background())) })
	fake.Script(workerstest.Script{Step: s.step})
	s.park(t, fake)
	return s
}

// step is a worker that never asks for anything.
func (s *tolled) step(caller wago.HostModule) workerstest.Act {
	if watcher, ok := s.lease.workers.(workerstest.Closer); ok {
		if closing, err := watcher.Closing(caller); err == nil {
			<-closing
		}
	}
	return workerstest.Return
}

func (s *tolled) park(t *testing.T, fake *fakeworkers.Fake) {
	t.Helper()
	owner, err := fake.Owner()
	require.NoError(t, err)
	callers, leave, left := make(chan wago.HostModule), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(left)
		_ = owner.Call(func(caller wago.HostModule) { // it is open
			callers <- caller
			<-leave
		})
	}()
	s.caller = <-callers
	t.Cleanup(func() {
		close(leave)
		<-left
	})
}
