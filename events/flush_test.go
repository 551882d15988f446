package events_test

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"github.com/JairusSW/pool/events"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFlushWaitsForWhatWasPublishedBefore(t *testing.T) {
	bus := events.New(events.Config[int]{})
	defer func() { require.NoError(t, bus.Close(context.Background())) }()
	sum := 0
	_, err := bus.Subscribe(func(e *int) { runtime.Gosched(); sum += *e })
	require.NoError(t, err)
	for range 100 {
		bus.Publish(1)
	}
	require.NoError(t, bus.Flush(context.Background()))
	assert.Equal(t, 100, sum)
	require.NoError(t, bus.Flush(context.Background()), "again, with nothing queued")
}

func TestFlushGivesUpOnAStuckObserver(t *testing.T) {
	bus := events.New(events.Config[int]{})
	release := make(chan struct{})
	_, err := bus.Subscribe(func(*int) { <-release })
	require.NoError(t, err)
	bus.Publish(1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, bus.Flush(ctx), context.Canceled)
	close(release)
	require.NoError(t, bus.Close(context.Background()))
}

func TestFlushInsideACallbackDoesNotWaitForItself(t *testing.T) {
	bus := events.New(events.Config[int]{})
	flushed := make(chan error, 1)
	_, err := bus.Subscribe(func(*int) { flushed <- bus.Flush(context.Background()) })
	require.NoError(t, err)
	bus.Publish(1)
	require.NoError(t, <-flushed)
	require.NoError(t, bus.Close(context.Background()))
}

func TestTheEndOfASubscriptionEndsAFlush(t *testing.T) {
	bus := events.New(events.Config[int]{})
	release, entered := make(chan struct{}), make(chan struct{})
	enter := sync.OnceFunc(func() { close(entered) })
	_, err := bus.Subscribe(func(*int) { enter(); <-release })
	require.NoError(t, err)
	bus.Publish(1)
	bus.Publish(2)
	<-entered
	flushed := make(chan error, 1)
	go func() { flushed <- bus.Flush(context.Background()) }()
	closed := make(chan error, 1)
	go func() { closed <- bus.Close(context.Background()) }()
	close(release)
	require.NoError(t, <-flushed)
	require.NoError(t, <-closed)
}
