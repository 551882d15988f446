package service_test

import (
	"context"
	"testing"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/service"
	"github.com/stretchr/testify/require"
)

// bodiless are the options of a pool that starts no worker.
var bodiless = service.Options{MinWorkers: service.NoWorkers, MaxWorkers: 1, TargetPerWorker: 1}

// TestACreateThatMeetsStopLeavesNoPool has the list of pools be long, so that a Create is at that list for most of its time.
func TestACreateThatMeetsStopLeavesNoPool(t *testing.T) {
	for range size(20, 8) {
		s := newTolled(t)
		create := func() error {
			_, err := s.Create(s.caller, 0, bodiless)
			return err
		}
		for range 500 {
			require.NoError(t, create())
		}
		begun := make(chan struct{})
		refused := async(func() error {
			close(begun)
			for {
				if err := create(); err != nil {
					return err
				}
			}
		})
		<-begun
		stopped := async(func() error { return s.Stop(context.Background()) })
		require.NoError(t, within(t, testPatience, stopped, "Stop"))
		require.ErrorIs(t, within(t, testPatience, refused, "Create"), service.ErrPoolsClosed)
	}
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
