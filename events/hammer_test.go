package events_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/JairusSW/pool/events"
)

// TestBusHammer has many goroutines publish, subscribe and unsubscribe, while some observers count exactly, one lags,
// and two fail all the time.
func TestBusHammer(t *testing.T) {
	const publishers, churners = 4, 4
	each := 20_000
	if testing.Short() {
		each = 2_000
	}
	total := uint64(publishers * each)
	b := newBus(256)
	steady := []*counter{newCounter(total), newCounter(total), newCounter(total)}
	subscribe(t, b, steady[0].observe)
	subscribe(t, b, steady[1].observe)
	subscribe(t, b, func(e *event) { // lags
		runtime.Gosched()
		steady[2].observe(e)
	})
	subscribe(t, b, func(*event) { panic("boom") })
	subscribe(t, b, func(*event) { runtime.Goexit() })

	var publishing, churning sync.WaitGroup
	stop := make(chan struct{})
	for range churners {
		churning.Go(func() { churn(t, b, stop) })
	}
	for i := range publishers {
		publishing.Go(func() {
			for k := range each {
				b.Publish(event{Minor: (i+k)%3 == 0})
			}
		})
	}
	publishing.Wait()
	for _, c := range steady {
		c.wait(t)
	}
	close(stop)
	churning.Wait()

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	err := b.Close(ctx)
	require.NotErrorIs(t, err, events.ErrCallbackStuck)
	require.ErrorIs(t, err, events.ErrCallbackFailed)
	for _, c := range steady {
		assert.True(t, c.ok, "a number came twice, out of order or not at all")
		assert.Equal(t, total, c.received+c.lost)
	}
}

// counter is an observer that checks its numbers, and says when the last one has come.
type counter struct {
	account
	ok    bool
	total uint64
	done  chan struct{}
}

func newCounter(total uint64) *counter {
	return &counter{ok: true, total: total, done: make(chan struct{})}
}

func (c *counter) observe(e *event) {
	c.ok = c.add(e) && c.ok
	if c.last == c.total {
		close(c.done)
	}
}

func (c *counter) wait(t *testing.T) {
	t.Helper()
	select {
	case <-c.done:
	case <-time.After(30 * time.Second):
		t.Error("not all events are accounted for")
	}
}

// churn subscribes and unsubscribes until stop, from outside and from inside. The plain variables of the callbacks show the
// race detector that Unsubscribe waits.
func churn(t *testing.T, b *bus, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		var (
			inside events.Subscription
			known  = make(chan struct{})
			once   int
			a      account
			ok     = true
		)
		inside = subscribe(t, b, func(*event) {
			<-known
			once++
			assert.ErrorIs(t, b.Unsubscribe(inside), events.ErrInsideCallback)
		})
		close(known)
		outside := subscribe(t, b, func(e *event) {
			if a.last == 0 {
				a.last = e.Seq - max(1, e.Lost)
			}
			ok = a.add(e) && ok
		})
		runtime.Gosched()
		assert.NoError(t, b.Unsubscribe(outside))
		assert.NoError(t, b.Unsubscribe(inside))
		assert.LessOrEqual(t, once, 1)
		assert.True(t, ok)
	}
}
