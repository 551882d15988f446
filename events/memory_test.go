package events_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"unsafe"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/JairusSW/pool/events"
)

func TestPublishDoesNotAllocate(t *testing.T) {
	tests := []struct {
		name      string
		observers int
		stuck     bool
	}{
		{"nobody subscribed", 0, false},
		{"an observer", 1, false},
		{"four observers", 4, false},
		{"a stuck observer whose queue is full", 1, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b, g := newBus(0), newGated()
			delivered := make(chan struct{})
			for range test.observers {
				subscribe(t, b, func(*event) { delivered <- struct{}{} })
			}
			once := func() {
				b.Publish(event{})
				for range test.observers {
					<-delivered
				}
			}
			if test.stuck {
				subscribe(t, b, g.observe)
				for range events.DefaultCapacity + 2 {
					once()
				}
			}
			once()
			assert.Zero(t, testing.AllocsPerRun(500, once))
			g.open()
			closeBus(t, b)
		})
	}
}

// large is an event with something behind a pointer.
type large struct {
	_      [248]byte
	behind *[4 << 10]byte
}

func (l *large) fill() *large {
	l.behind = new([4 << 10]byte)
	return l
}

func TestAStuckObserverHoldsNoMoreThanItsQueue(t *testing.T) {
	const (
		slack = 64 << 10
		bound = events.DefaultCapacity*(unsafe.Sizeof(large{})+8+unsafe.Sizeof(*large{}.behind)) + slack
	)
	b := events.New(events.Config[large]{})
	permit := make(chan struct{})
	_, err := b.Subscribe(func(*large) { <-permit })
	require.NoError(t, err)

	before := heap()
	for range 10 * events.DefaultCapacity {
		b.Publish(*new(large).fill())
	}
	assert.LessOrEqual(t, heap()-before, int64(bound))

	ended, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, b.Close(ended), events.ErrCallbackStuck)
	assert.LessOrEqual(t, heap()-before, int64(slack), "once it has ended it holds one event")
	close(permit)
	require.NoError(t, b.Close(context.Background()))
}

func TestAnIdleSubscriptionIsSmall(t *testing.T) {
	const (
		n     = 200
		bound = 8 << 10 // a full queue would take 264 KiB
	)
	b := events.New(events.Config[large]{})
	var delivered sync.WaitGroup
	before := heap()
	for range n {
		delivered.Add(1)
		_, err := b.Subscribe(func(*large) { delivered.Done() })
		require.NoError(t, err)
	}
	b.Publish(large{})
	delivered.Wait()
	assert.LessOrEqual(t, (heap()-before)/n, int64(bound))
	require.NoError(t, b.Close(context.Background()))
}

func TestWhatADeliveredEventPointsToIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := events.New(events.Config[large]{})
		_, err := b.Subscribe(func(*large) {})
		require.NoError(t, err)
		var behind []weak.Pointer[[4 << 10]byte]
		for range 3 {
			e := new(large).fill()
			behind = append(behind, weak.Make(e.behind))
			b.Publish(*e)
		}
		synctest.Wait()
		heap()
		for i, p := range behind {
			assert.Nil(t, p.Value(), "event %d", i+1)
		}
		require.NoError(t, b.Close(context.Background()))
	})
}

// heap returns the bytes of heap in use.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
