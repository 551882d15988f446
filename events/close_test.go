package events_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/JairusSW/pool/events"
)

func TestCloseEndsEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, r := newBus(0), new(record)
		s := subscribe(t, b, r.observe)
		publish(b, 3)
		require.Len(t, r.events(), 3)
		closeBus(t, b)
		publish(b, 3)
		assert.Len(t, r.events(), 3)
		assert.False(t, b.Active())
		assert.NoError(t, b.Unsubscribe(s))
		_, err := b.Subscribe(r.observe)
		assert.ErrorIs(t, err, events.ErrClosed)
		closeBus(t, b)
	})
}

func TestCloseThrowsAwayWhatIsQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, g := newBus(0), newGated()
		subscribe(t, b, g.observe)
		publish(b, 10)
		synctest.Wait()
		time.AfterFunc(time.Millisecond, g.open)
		closeBus(t, b)
		assert.Equal(t, run(1, 1), g.events())
	})
}

func TestCloseNamesStuckCallbacksWhenItsTimeIsUp(t *testing.T) {
	never := func() (context.Context, context.CancelFunc) { return context.WithCancel(context.Background()) }
	after := func(d time.Duration) func() (context.Context, context.CancelFunc) {
		return func() (context.Context, context.CancelFunc) { return context.WithTimeout(context.Background(), d) }
	}
	cancelled := func() (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		return ctx, cancel
	}
	tests := []struct {
		name  string
		ctx   func() (context.Context, context.CancelFunc)
		takes time.Duration
		cause error
	}{
		{"1 s without a deadline", never, time.Second, context.DeadlineExceeded},
		{"a shorter deadline", after(time.Millisecond), time.Millisecond, context.DeadlineExceeded},
		{"a longer deadline", after(time.Minute), time.Minute, context.DeadlineExceeded},
		{"a context that has ended", cancelled, 0, context.Canceled},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, g := newBus(0), newGated()
				subscribe(t, b, func(*event) {})
				stuck := subscribe(t, b, g.observe)
				publish(b, 2)
				synctest.Wait()

				ctx, cancel := test.ctx()
				defer cancel()
				start := time.Now()
				err := b.Close(ctx)
				assert.Equal(t, test.takes, time.Since(start))
				require.ErrorIs(t, err, events.ErrCallbackStuck)
				assert.ErrorIs(t, err, test.cause)
				var one *events.StuckError
				require.ErrorAs(t, err, &one)
				assert.Equal(t, stuck, one.Subscription)
				assert.Contains(t, one.Func, "gated")
				assert.Contains(t, one.Error(), one.Func)
				assert.Len(t, err.(interface{ Unwrap() []error }).Unwrap(), 1, "only the stuck one")

				g.open()
				closeBus(t, b)
				assert.Equal(t, run(1, 1), g.events())
			})
		})
	}
}

func TestCloseWithAnEndedContextStillEndsWhatIsIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBus(0)
		for range 10 {
			subscribe(t, b, func(*event) {})
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		assert.NoError(t, b.Close(ctx))
	})
}

func TestCloseWaitsForACallbackWhoseSubscriptionHadEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			b, g = newBus(0), newGated()
			s    events.Subscription
		)
		s = subscribe(t, b, func(e *event) {
			assert.ErrorIs(t, b.Unsubscribe(s), events.ErrInsideCallback)
			g.observe(e)
		})
		publish(b, 1)
		synctest.Wait()
		require.ErrorIs(t, b.Close(context.Background()), events.ErrCallbackStuck)
		g.open()
		closeBus(t, b)
	})
}

func TestUnsubscribeAfterCloseIsStillABarrier(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, g := newBus(0), newGated()
		s := subscribe(t, b, g.observe)
		publish(b, 1)
		synctest.Wait()
		require.ErrorIs(t, b.Close(context.Background()), events.ErrCallbackStuck)
		returned := make(chan error, 1)
		go func() { returned <- b.Unsubscribe(s) }()
		synctest.Wait()
		require.Empty(t, returned)
		g.open()
		assert.NoError(t, <-returned)
	})
}

func TestCloseFromInsideACallbackWaitsForTheOthersOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			b        = newBus(0)
			self     events.Subscription
			slow     = newGated()
			returned = make(chan error, 1)
		)
		subscribe(t, b, slow.observe)
		publish(b, 1)
		synctest.Wait() // the slow callback is in flight
		self = subscribe(t, b, func(*event) { returned <- b.Close(context.Background()) })
		publish(b, 2)
		synctest.Wait()
		require.Empty(t, returned, "it waits for the slow one")
		slow.open()
		err := <-returned
		var stuck *events.StuckError
		require.ErrorAs(t, err, &stuck)
		assert.Equal(t, self, stuck.Subscription)
		assert.ErrorIs(t, err, events.ErrInsideCallback)
		assert.Len(t, err.(interface{ Unwrap() []error }).Unwrap(), 1)
		closeBus(t, b)
	})
}

func TestCallbacksThatWaitForEachOtherInCloseAndUnsubscribeDoNotUseUpItsTime(t *testing.T) {
	tests := map[string]func(b *bus, other events.Subscription) error{
		"both close":                   func(b *bus, _ events.Subscription) error { return b.Close(context.Background()) },
		"one closes, one unsubscribes": func(b *bus, other events.Subscription) error { return b.Unsubscribe(other) },
	}
	for name, second := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var (
					b       = newBus(0)
					begin   = make(chan struct{})
					results = make(chan error, 2)
					first   events.Subscription
				)
				first = subscribe(t, b, func(*event) {
					<-begin
					results <- b.Close(context.Background())
				})
				subscribe(t, b, func(*event) {
					<-begin
					results <- second(b, first)
				})
				publish(b, 1)
				synctest.Wait()
				start := time.Now()
				close(begin)
				assert.ErrorIs(t, errors.Join(<-results, <-results), events.ErrInsideCallback)
				assert.Zero(t, time.Since(start))
				closeBus(t, b)
			})
		})
	}
}

func TestAWaitThatCloseGaveUpIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			b           = newBus(0)
			closer      events.Subscription
			g           = newGated()
			begin, done = make(chan struct{}), make(chan struct{})
			returned    = make(chan error, 1)
		)
		closer = subscribe(t, b, func(e *event) {
			<-begin
			assert.ErrorIs(t, b.Close(context.Background()), context.DeadlineExceeded)
			close(done)
			g.observe(e)
		})
		subscribe(t, b, func(*event) {
			<-done
			returned <- b.Unsubscribe(closer)
		})
		publish(b, 1)
		synctest.Wait()
		close(begin)
		<-done
		synctest.Wait()
		require.Empty(t, returned, "the closer waits for nobody any more, and can be waited for")
		g.open()
		assert.NoError(t, <-returned)
		closeBus(t, b)
	})
}

func TestConcurrentClosesAllWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, g := newBus(0), newGated()
		subscribe(t, b, g.observe)
		publish(b, 1)
		synctest.Wait()
		returned := make(chan error, 3)
		for range cap(returned) {
			go func() { returned <- b.Close(context.Background()) }()
		}
		synctest.Wait()
		require.Empty(t, returned)
		g.open()
		for range cap(returned) {
			assert.NoError(t, <-returned)
		}
	})
}
