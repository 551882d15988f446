package service_test

import (
	"context"
	"testing"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/service"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bodiless are the options of a pool that starts no worker.
var bodiless = service.Options{MinWorkers: service.NoWorkers, MaxWorkers: 1, TargetPerWorker: 1}

func TestACreateThatMeetsStopMakesNoPool(t *testing.T) {
	s := newTolled(t)
	_, err := s.Create(s.caller, 0, bodiless) // which Stop has to end
	require.NoError(t, err)
	s.lease.shut.Store(true)
	created := async(func() error {
		_, err := s.Create(s.caller, 0, bodiless)
		return err
	})
	creates := within(t, testPatience, s.lease.held, "Create has found the service open")
	stopped := async(func() error { return s.Stop(context.Background()) })
	stops := within(t, testPatience, s.lease.held, "Stop has seen which pools there are")
	s.lease.shut.Store(false)
	close(creates)
	assert.Equal(t, service.ErrPoolsClosed, within(t, testPatience, created, "Create"))
	close(stops)
	require.NoError(t, within(t, testPatience, stopped, "Stop"))
}

func TestObserveEventsThatMeetsStopSaysClosed(t *testing.T) {
	for range size(200, 50) {
		fake := fakeworkers.New(fakeworkers.Config{})
		s := service.New(&tollLease{workers: fake.Service()}, service.Limits{})
		require.NoError(t, s.Start(t.Context()))
		begun := make(chan struct{})
		refused := async(func() error {
			close(begun)
			for {
				sub, err := s.ObserveEvents(func(*service.Event) {})
				if err != nil {
					return err
				}
				_ = s.UnsubscribeEvents(sub) // the service may have closed meanwhile
			}
		})
		<-begun
		require.NoError(t, s.Stop(context.Background()))
		require.Equal(t, error(service.ErrPoolsClosed), within(t, testPatience, refused, "ObserveEvents"))
		require.NoError(t, fake.Close())
	}
}
