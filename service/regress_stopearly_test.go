package service_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/internal/workerstest"
	"github.com/JairusSW/pool/service"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wago-org/wago"
)

// ending is a service with a pool that is gone for callers, whose only worker has not ended yet: it stays in its host call
// until gate is closed.
type ending struct {
	*tolled
	gate      chan struct{}
	destroyed <-chan error
	ends      atomic.Int32 // PoolDestroyed events
}

func newEnding(t *testing.T) *ending {
	t.Helper()
	fake := fakeworkers.New(fakeworkers.Config{})
	t.Cleanup(func() { require.NoError(t, fake.Close()) })
	e := &ending{tolled: &tolled{lease: &tollLease{workers: fake.Service()}}, gate: make(chan struct{})}
	e.Pools = service.New(e.lease, service.Limits{})
	require.NoError(t, e.Start(t.Context()))
	fake.Script(workerstest.Script{Step: func(wago.HostModule) workerstest.Act {
		<-e.gate
		return workerstest.Return
	}})
	e.park(t, fake)
	_, err := e.ObserveEvents(func(event *service.Event) {
		if event.Kind == service.PoolDestroyed {
			e.ends.Add(1)
		}
	})
	require.NoError(t, err)
	id, err := e.Create(e.caller, 0, service.Options{})
	require.NoError(t, err)
	e.destroyed = async(func() error { return e.Destroy(id) })
	synctest.Wait() // Destroy waits for the worker
	require.Empty(t, e.List())
	require.True(t, waits(e.destroyed))
	return e
}

func TestStopWaitsForAPoolThatWasEndingBefore(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		e := newEnding(t)
		stopped := async(func() error { return e.Stop(context.Background()) })
		synctest.Wait()
		assert.True(t, waits(stopped), "a worker is left")
		close(e.gate)
		require.NoError(t, <-stopped)
		require.NoError(t, <-e.destroyed)
		assert.EqualValues(t, 1, e.ends.Load(), "the pool's last event reaches observers")
	})
}

func TestStopNamesTheWorkersOfAPoolThatWasEndingBefore(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		e := newEnding(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		assert.ErrorIs(t, e.Stop(ctx), service.ErrPoolWorkersRemain)
		close(e.gate)
		<-e.destroyed // whatever: the service has stopped without it
	})
}
