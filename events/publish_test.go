package events_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/JairusSW/pool/events"
)

func TestEventsArriveInOrderNumberedByOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, r := newBus(0), new(record)
		subscribe(t, b, r.observe)
		publish(b, 100)
		assert.Equal(t, run(1, 100), r.events())
		closeBus(t, b)
	})
}

func TestEventsThatNobodyObservesAreNotNumbered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, r := newBus(0), new(record)
		publish(b, 3)
		s := subscribe(t, b, r.observe)
		publish(b, 2)
		require.Equal(t, run(1, 2), r.events())

		require.NoError(t, b.Unsubscribe(s))
		publish(b, 3)
		subscribe(t, b, r.observe)
		publish(b, 2)
		assert.Equal(t, run(1, 4), r.events())
		closeBus(t, b)
	})
}

func TestALaterSubscriptionBeginsWithTheNextEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, early, late := newBus(0), new(record), new(record)
		subscribe(t, b, early.observe)
		publish(b, 5)
		subscribe(t, b, late.observe)
		publish(b, 5)
		assert.Equal(t, run(1, 10), early.events())
		assert.Equal(t, run(6, 10), late.events())
		closeBus(t, b)
	})
}

func TestAllObserversSeeOneOrderOfManyPublishers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			b       = newBus(0)
			records [3]record
			wg      sync.WaitGroup
		)
		for i := range records {
			subscribe(t, b, records[i].observe)
		}
		for range 4 {
			wg.Go(func() { publish(b, 100) })
		}
		wg.Wait()
		for i := range records {
			assert.Equal(t, run(1, 400), records[i].events())
		}
		closeBus(t, b)
	})
}

func TestActiveMeansThatSomebodyIsSubscribed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBus(0)
		assert.False(t, b.Active())
		first := subscribe(t, b, func(*event) {})
		subscribe(t, b, func(*event) {})
		assert.True(t, b.Active())
		require.NoError(t, b.Unsubscribe(first))
		assert.True(t, b.Active())
		closeBus(t, b)
		assert.False(t, b.Active())
	})
}

func TestTheEventIsReused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBus(0)
		var at []*event
		subscribe(t, b, func(e *event) { at = append(at, e) })
		publish(b, 2)
		synctest.Wait()
		require.Len(t, at, 2)
		assert.Same(t, at[0], at[1])
		assert.Zero(t, *at[0], "what the event pointed to is not kept")
		closeBus(t, b)
	})
}

func TestAnObserverMayUseTheBus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			b           = newBus(0)
			old, fresh  = new(record), new(record)
			oldToken    = subscribe(t, b, old.observe)
			unsubscribe error
		)
		subscribe(t, b, func(e *event) {
			if e.Seq != 1 {
				return
			}
			unsubscribe = b.Unsubscribe(oldToken)
			subscribe(t, b, fresh.observe)
			b.Publish(event{})
		})
		publish(b, 1)
		synctest.Wait()
		require.NoError(t, unsubscribe)
		publish(b, 1)
		assert.Equal(t, run(2, 3), fresh.events())
		assert.LessOrEqual(t, len(old.events()), 1)
		closeBus(t, b)
	})
}

func TestPublishUnderALockThatAnObserverWantsDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			b  = newBus(0)
			r  record // its lock is the publisher's too
			mu = &r.mu
		)
		subscribe(t, b, r.observe)
		mu.Lock()
		publish(b, 10)
		mu.Unlock()
		assert.Equal(t, run(1, 10), r.events())
		closeBus(t, b)
	})
}

func TestTheZeroConfigCarriesEventsAsTheyAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := events.New(events.Config[int]{})
		permit := make(chan struct{})
		var got []int
		_, err := b.Subscribe(func(e *int) {
			<-permit
			got = append(got, *e)
		})
		require.NoError(t, err)
		b.Publish(0)
		synctest.Wait()
		for i := range events.DefaultCapacity + 10 {
			b.Publish(i + 1)
		}
		close(permit)
		synctest.Wait()
		b.Publish(-1)
		synctest.Wait()
		require.Len(t, got, events.DefaultCapacity+2, "the gap has no event of its own")
		assert.Equal(t, []int{0, 1}, got[:2])
		assert.Equal(t, []int{events.DefaultCapacity, -1}, got[events.DefaultCapacity:])
		require.NoError(t, b.Close(context.Background()))
	})
}

func TestANilObserverIsRefused(t *testing.T) {
	b := newBus(0)
	s, err := b.Subscribe(nil)
	require.ErrorIs(t, err, events.ErrNilObserver)
	assert.Zero(t, s)
	assert.False(t, b.Active())
	closeBus(t, b)
}

func TestTokensAreDistinctAndNameThemselves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBus(0)
		first, second := subscribe(t, b, func(*event) {}), subscribe(t, b, func(*event) {})
		assert.NotEqual(t, first, second)
		assert.Equal(t, "subscription 2", second.String())
		assert.Equal(t, "no subscription", events.Subscription{}.String())
		closeBus(t, b)
	})
}
