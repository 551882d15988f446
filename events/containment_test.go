package events_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/JairusSW/pool/events"
)

func TestAFailingCallbackCostsItsOwnEventOnly(t *testing.T) {
	always := func(*event) bool { return true }
	fifth := func(e *event) bool { return e.Seq == 5 }
	tests := []struct {
		name  string
		when  func(*event) bool
		fail  func()
		count uint64
		is    error
		value any
	}{
		{"panics always", always, func() { panic("boom") }, 20, events.ErrCallbackFailed, "boom"},
		{"panics once", fifth, func() { panic("boom") }, 1, events.ErrCallbackFailed, "boom"},
		{"panics with an error", fifth, func() { panic(io.ErrUnexpectedEOF) }, 1, io.ErrUnexpectedEOF, io.ErrUnexpectedEOF},
		{"panics with nil", fifth, func() { panic(nil) }, 1, new(runtime.PanicNilError), new(runtime.PanicNilError)},
		{"ends its goroutine always", always, runtime.Goexit, 20, events.ErrCallbackFailed, nil},
		{"ends its goroutine once", fifth, runtime.Goexit, 1, events.ErrCallbackFailed, nil},
		{"panics and then ends its goroutine", fifth, func() {
			defer runtime.Goexit()
			panic("boom")
		}, 1, events.ErrCallbackFailed, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, before, seen, after := newBus(0), new(record), new(record), new(record)
				subscribe(t, b, before.observe)
				bad := subscribe(t, b, func(e *event) {
					seen.observe(e)
					if test.when(e) {
						test.fail()
					}
				})
				subscribe(t, b, after.observe)
				publish(b, 20)
				for _, r := range []*record{before, seen, after} {
					assert.Equal(t, run(1, 20), r.events())
				}

				require.NoError(t, b.Unsubscribe(bad))
				err := b.Close(context.Background())
				require.ErrorIs(t, err, events.ErrCallbackFailed)
				var failure *events.CallbackError
				require.ErrorAs(t, err, &failure)
				assert.Equal(t, bad, failure.Subscription)
				assert.Equal(t, test.count, failure.Count)
				assert.Contains(t, failure.Func, "TestAFailingCallbackCostsItsOwnEventOnly")
				assert.Contains(t, failure.Stack, "TestAFailingCallbackCostsItsOwnEventOnly")
				assert.Contains(t, failure.Error(), failure.Func)
				if _, isNil := test.value.(*runtime.PanicNilError); isNil {
					assert.IsType(t, test.value, failure.Value)
				} else {
					assert.Equal(t, test.value, failure.Value)
					assert.ErrorIs(t, err, test.is)
				}
				assert.NoError(t, b.Close(context.Background()), "a failure is reported once")
			})
		})
	}
}

func TestAnObserverThatAlwaysFailsCanBeUnsubscribed(t *testing.T) {
	for name, fail := range map[string]func(){"panic": func() { panic("boom") }, "goexit": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, g := newBus(0), newGated()
				s := subscribe(t, b, func(e *event) {
					defer fail()
					g.observe(e)
				})
				publish(b, 10)
				synctest.Wait()
				returned := make(chan error, 1)
				go func() { returned <- b.Unsubscribe(s) }()
				synctest.Wait()
				require.Empty(t, returned, "the callback is in flight")
				g.open()
				require.NoError(t, <-returned)
				assert.Equal(t, run(1, 1), g.events())
				require.ErrorIs(t, b.Close(context.Background()), events.ErrCallbackFailed)
			})
		})
	}
}

func TestFailuresOfManySubscriptionsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBus(0)
		for range events.MaxFailures + 3 {
			subscribe(t, b, func(*event) { panic("boom") })
		}
		publish(b, 2)
		synctest.Wait()
		err := b.Close(context.Background())
		joined, ok := err.(interface{ Unwrap() []error })
		require.True(t, ok)
		detailed := 0
		for _, err := range joined.Unwrap() {
			require.ErrorIs(t, err, events.ErrCallbackFailed)
			var failure *events.CallbackError
			if errors.As(err, &failure) {
				detailed++
				assert.Equal(t, uint64(2), failure.Count)
			}
		}
		assert.Equal(t, events.MaxFailures, detailed)
		assert.Len(t, joined.Unwrap(), events.MaxFailures+1)
	})
}

func TestAPanicInLostIsContained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := events.New(events.Config[event]{Capacity: 1, Lost: func(uint64, uint64) event { panic("boom") }})
		g := newGated()
		_, err := b.Subscribe(g.observe)
		require.NoError(t, err)
		publish(b, 1)
		synctest.Wait()
		publish(b, 3)
		g.open()
		synctest.Wait()
		publish(b, 1)
		assert.Len(t, g.events(), 3)
		require.ErrorIs(t, b.Close(context.Background()), events.ErrCallbackFailed)
	})
}
