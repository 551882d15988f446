package events_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/JairusSW/pool/events"
)

func TestUnsubscribeKnowsItsTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, other := newBus(0), newBus(0)
		mine, foreign := subscribe(t, b, func(*event) {}), subscribe(t, other, func(*event) {})
		gone := subscribe(t, b, func(*event) {})
		require.NoError(t, b.Unsubscribe(gone))
		check := func() {
			assert.ErrorIs(t, b.Unsubscribe(events.Subscription{}), events.ErrUnknownSubscription)
			assert.ErrorIs(t, b.Unsubscribe(foreign), events.ErrUnknownSubscription)
			assert.ErrorIs(t, b.Unsubscribe(events.NeverIssued(mine)), events.ErrUnknownSubscription)
			assert.NoError(t, b.Unsubscribe(gone))
		}
		check()
		assert.NoError(t, b.Unsubscribe(mine))
		assert.NoError(t, b.Unsubscribe(mine))
		closeBus(t, b)
		check()
		assert.NoError(t, b.Unsubscribe(mine))
		closeBus(t, other)
	})
}

func TestUnsubscribeIsABarrierForEveryCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, g := newBus(0), newGated()
		state := 0 // plain: the race detector sees a callback that Unsubscribe didn't wait for
		s := subscribe(t, b, func(e *event) {
			g.observe(e)
			state++
		})
		publish(b, 10)
		synctest.Wait()
		returned := make(chan error, 3)
		for range cap(returned) {
			go func() { returned <- b.Unsubscribe(s) }()
		}
		synctest.Wait()
		require.Empty(t, returned)

		g.open()
		require.NoError(t, <-returned)
		require.Equal(t, 1, state)
		state = -1
		publish(b, 100)
		for range cap(returned) - 1 {
			require.NoError(t, <-returned)
		}
		assert.Equal(t, run(1, 1), g.events(), "what was queued is thrown away")
		assert.Equal(t, -1, state)
		closeBus(t, b)
	})
}

func TestUnsubscribeOfAnIdleSubscriptionEndsItsGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // which fails if a goroutine is left
		b := newBus(0)
		for range 100 {
			s := subscribe(t, b, func(*event) {})
			require.Equal(t, 1, events.Running(b))
			require.NoError(t, b.Unsubscribe(s))
			require.Zero(t, events.Running(b))
		}
	})
}

func TestUnsubscribeFromInsideItsOwnCallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			b, r, other = newBus(0), new(record), new(record)
			s           events.Subscription
			errs        []error
		)
		s = subscribe(t, b, func(e *event) {
			r.observe(e)
			errs = append(errs, b.Unsubscribe(s), b.Unsubscribe(s))
		})
		subscribe(t, b, other.observe)
		publish(b, 100)
		assert.Equal(t, run(1, 1), r.events())
		assert.Equal(t, run(1, 100), other.events())
		require.Len(t, errs, 2)
		assert.Equal(t, events.ErrInsideCallback, errs[0], "bare")
		assert.Equal(t, events.ErrInsideCallback, errs[1])
		assert.NoError(t, b.Unsubscribe(s))
		closeBus(t, b)
	})
}

func TestACallbackIsKnownToBeInsideAlsoAfterAnEarlierOneEndedItsGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			b   = newBus(0)
			s   events.Subscription
			err error
		)
		s = subscribe(t, b, func(e *event) {
			if e.Seq == 1 {
				runtime.Goexit()
			}
			err = b.Unsubscribe(s)
		})
		publish(b, 3)
		synctest.Wait()
		require.ErrorIs(t, err, events.ErrInsideCallback)
		require.ErrorIs(t, b.Close(context.Background()), events.ErrCallbackFailed)
	})
}

func TestUnsubscribeFromOutsideWaitsForACallbackThatUnsubscribedItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			b, g = newBus(0), newGated()
			s    events.Subscription
			err  error
		)
		s = subscribe(t, b, func(e *event) {
			err = b.Unsubscribe(s)
			g.observe(e)
		})
		publish(b, 1)
		synctest.Wait()
		require.ErrorIs(t, err, events.ErrInsideCallback)
		returned := make(chan error, 1)
		go func() { returned <- b.Unsubscribe(s) }()
		synctest.Wait()
		require.Empty(t, returned)
		g.open()
		assert.NoError(t, <-returned)
		closeBus(t, b)
	})
}

func TestAGoroutineThatACallbackStartedIsNotInside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			b, g     = newBus(0), newGated()
			s        events.Subscription
			returned = make(chan error, 1)
		)
		s = subscribe(t, b, func(e *event) {
			go func() { returned <- b.Unsubscribe(s) }()
			g.observe(e)
		})
		publish(b, 1)
		synctest.Wait()
		require.Empty(t, returned, "it waits for the callback")
		g.open()
		assert.NoError(t, <-returned)
		closeBus(t, b)
	})
}

func TestACallbackWaitsForTheOtherThatItUnsubscribes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, g := newBus(0), newGated()
		other := subscribe(t, b, g.observe)
		publish(b, 1)
		synctest.Wait() // the other's callback is in flight
		returned := make(chan error, 1)
		subscribe(t, b, func(*event) { returned <- b.Unsubscribe(other) })
		publish(b, 1)
		synctest.Wait()
		require.Empty(t, returned)
		g.open()
		assert.NoError(t, <-returned)
		closeBus(t, b)
	})
}

func TestCallbacksThatUnsubscribeEachOtherDoNotWaitForEver(t *testing.T) {
	for _, n := range []int{2, 3, 5} {
		synctest.Test(t, func(t *testing.T) {
			var (
				b       = newBus(0)
				ring    = make([]events.Subscription, n)
				results = make(chan error, n)
				begin   = make(chan struct{})
				calls   = make([]int, n)
			)
			for i := range ring {
				ring[i] = subscribe(t, b, func(*event) {
					calls[i]++
					<-begin
					results <- b.Unsubscribe(ring[(i+1)%n])
				})
			}
			publish(b, 3)
			synctest.Wait()
			close(begin)
			synctest.Wait()
			require.Len(t, results, n)
			refused := 0
			for range n {
				if err := <-results; err != nil {
					assert.ErrorIs(t, err, events.ErrInsideCallback)
					refused++
				}
			}
			assert.Equal(t, 1, refused, "only the call that closes the ring")
			assert.False(t, b.Active())
			for i := range calls {
				assert.Equal(t, 1, calls[i])
			}
			closeBus(t, b)
		})
	}
}

func TestGoroutineIDsTellGoroutinesApart(t *testing.T) {
	mine, other := events.GoroutineID(), make(chan uint64)
	go func() { other <- events.GoroutineID() }()
	assert.NotZero(t, mine)
	assert.Equal(t, mine, events.GoroutineID())
	assert.NotEqual(t, mine, <-other)
}
