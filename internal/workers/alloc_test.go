package workers_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"

	"github.com/wago-org/workers"
)

func TestSendAllocatesNothingButTheCopy(t *testing.T) {
	f, id, drain := paused(t, 1)
	payload := make([]byte, 64)
	for name, c := range map[string]struct {
		send   func() error
		allocs float64
	}{
		"owned":     {func() error { return f.service.SendOwned(id, 1, payload) }, 0},
		"copied":    {func() error { return f.service.Send(id, 1, payload) }, 1},
		"empty":     {func() error { return f.service.Send(id, 1, nil) }, 0},
		"too large": {func() error { return f.service.Send(id, 1, make([]byte, workers.DefaultWorkerMaxPayloadBytes+1)[:]) }, 1},
	} {
		queued := 0
		send := func() {
			if c.send() == nil {
				queued++
			}
		}
		for range 500 {
			send() // the ring grows
		}
		drain(queued)
		queued = 0
		require.Equal(t, c.allocs, testing.AllocsPerRun(200, send), name)
		drain(queued)
	}
}

func TestDispatchAllocatesNothing(t *testing.T) {
	ready, measured := make(chan struct{}), make(chan float64)
	f := newFixture(t, setup{step: func(f *fixture, caller wago.HostModule) int {
		<-ready
		measured <- testing.AllocsPerRun(200, func() { _ = f.service.DispatchNext(f.ctx, caller) })
		return returns
	}})
	var seen uint64
	for range 3 {
		_, err := f.service.ObserveMessages(func(m *workers.MessageContext) error {
			seen += m.Tag
			return nil
		})
		require.NoError(t, err)
	}
	id := f.spawn(t, workers.WorkerOptions{QueueCapacity: 300})
	for range 300 {
		require.NoError(t, f.service.SendOwned(id, 1, nil))
	}
	close(ready)
	require.Zero(t, <-measured)
	require.EqualValues(t, 3*201, seen)
}
