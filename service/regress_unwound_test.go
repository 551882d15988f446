package service_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/JairusSW/pool/internal/fakeworkers"
	"github.com/JairusSW/pool/service"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What starts a guest may end the goroutine that it runs on: places that were reserved for it come back all the same.
func TestAnUnwoundSpawnGivesItsPlacesBack(t *testing.T) {
	const places = 16
	s := newTolledWithin(t, service.Limits{MaxTotalWorkers: places})
	all := service.Options{MinWorkers: places}
	s.fake.Hook(fakeworkers.Hooks{Spawn: func(n int) error {
		if n > 10 {
			runtime.Goexit()
		}
		return nil
	}})
	unwound := make(chan struct{})
	go func() {
		defer close(unwound)
		_, _ = s.Create(s.caller, 0, all)
	}()
	<-unwound
	assert.Empty(t, s.List(), "all or nothing")
	s.fake.Hook(fakeworkers.Hooks{})
	require.Eventually(t, func() bool { // its workers have gone
		id, err := s.Create(s.caller, 0, all)
		return err == nil && s.Destroy(id) == nil
	}, testPatience, time.Millisecond)
}

func TestADrainThatFindsWorkersGoneHasBegunAllTheSame(t *testing.T) {
	s := newTolled(t)
	id, err := s.Create(s.caller, 0, service.Options{})
	require.NoError(t, err)
	s.lease.shut.Store(true)
	assert.NoError(t, s.Drain(id))
	s.lease.shut.Store(false)
	_, err = s.Submit(id, 1, nil)
	assert.Equal(t, service.ErrPoolDraining, err)
}
