package workers_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	wago "github.com/wago-org/wago"

	"github.com/wago-org/workers"
)

// deep is the deepest mailbox for short messages.
var deep = workers.WorkerOptions{QueueCapacity: workers.MaxWorkerQueueCapacity, MaxQueueBytes: workers.MaxWorkerQueueBytes}

// paused returns a fixture whose one worker dispatches only what drain asks it to, inside one host call.
func paused(t testing.TB, observers int) (f *fixture, id workers.WorkerID, drain func(n int)) {
	work, done := make(chan int), make(chan struct{})
	f = newFixture(t, setup{step: func(f *fixture, caller wago.HostModule) int {
		for n := range work {
			for range n {
				if f.service.DispatchNext(f.ctx, caller) != nil {
					return returns
				}
			}
			done <- struct{}{}
		}
		return returns
	}})
	t.Cleanup(func() { close(work) })
	for range observers {
		_, err := f.service.ObserveMessages(func(*workers.MessageContext) error { return nil })
		require.NoError(t, err)
	}
	return f, f.spawn(t, deep), func(n int) {
		work <- n
		<-done
	}
}

// BenchmarkSend measures a send into a mailbox that is emptied off the clock.
func BenchmarkSend(b *testing.B) {
	for _, c := range []struct {
		name string
		size int
		send func(*workers.Workers, workers.WorkerID, []byte) error
	}{
		{"copy/16B", 16, func(s *workers.Workers, id workers.WorkerID, p []byte) error { return s.Send(id, 1, p) }},
		{"copy/1KiB", 1 << 10, func(s *workers.Workers, id workers.WorkerID, p []byte) error { return s.Send(id, 1, p) }},
		{"owned", 16, func(s *workers.Workers, id workers.WorkerID, p []byte) error { return s.SendOwned(id, 1, p) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			f, id, drain := paused(b, 1)
			payload := make([]byte, c.size)
			b.ReportAllocs()
			queued := 0
			for b.Loop() {
				if queued == 10_000 {
					b.StopTimer()
					drain(queued)
					queued = 0
					b.StartTimer()
				}
				if err := c.send(f.service, id, payload); err != nil {
					b.Fatal(err)
				}
				queued++
			}
			drain(queued)
		})
	}
}

// BenchmarkSendRefused measures what a full mailbox costs the sender.
func BenchmarkSendRefused(b *testing.B) {
	f := newFixture(b, setup{step: func(f *fixture, _ wago.HostModule) int {
		<-f.ctx.Done()
		return returns
	}})
	id := f.spawn(b, workers.WorkerOptions{QueueCapacity: 1})
	payload := make([]byte, 1<<10)
	require.NoError(b, f.service.Send(id, 1, payload))
	b.ReportAllocs()
	for b.Loop() {
		if f.service.Send(id, 1, payload) != workers.ErrWorkerQueueFull {
			b.Fatal("not full")
		}
	}
}

// BenchmarkDispatch measures a dispatch that finds a message, inside one host call.
func BenchmarkDispatch(b *testing.B) {
	f, id, drain := paused(b, 1)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		for range 1_000 {
			if err := f.service.SendOwned(id, 1, nil); err != nil {
				b.Fatal(err)
			}
		}
		b.StartTimer()
		drain(1_000)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1_000, "ns/message")
}

// BenchmarkPipeline measures messages through a guest that makes a host call for each.
func BenchmarkPipeline(b *testing.B) {
	got := make(chan struct{}, 1<<16)
	f := newFixture(b, setup{step: func(f *fixture, caller wago.HostModule) int {
		if f.service.DispatchNext(f.ctx, caller) != nil {
			return returns
		}
		return again
	}})
	_, err := f.service.ObserveMessages(func(*workers.MessageContext) error {
		got <- struct{}{}
		return nil
	})
	require.NoError(b, err)
	id := f.spawn(b, deep)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		for f.service.SendOwned(id, 1, nil) != nil {
			<-got
			n--
		}
		n++
	}
	for ; n > 0; n-- {
		<-got
	}
}

// BenchmarkRoundTrip measures a message to a worker that waits, and the answer.
func BenchmarkRoundTrip(b *testing.B) {
	got := make(chan struct{})
	f := newFixture(b, setup{})
	_, err := f.service.ObserveMessages(func(*workers.MessageContext) error {
		got <- struct{}{}
		return nil
	})
	require.NoError(b, err)
	id := f.spawn(b, deep)
	b.ReportAllocs()
	for b.Loop() {
		_ = f.service.SendOwned(id, 1, nil)
		<-got
	}
}

// BenchmarkSpawn measures a worker's whole life, beside a bare instantiation of the same guest.
func BenchmarkSpawn(b *testing.B) {
	b.Run("worker", func(b *testing.B) {
		f := newFixture(b, setup{step: func(*fixture, wago.HostModule) int { return returns }})
		gone := make(chan struct{}, 1)
		_, err := f.service.ObserveExits(func(*workers.WorkerExitContext) { gone <- struct{}{} })
		require.NoError(b, err)
		require.NoError(b, f.call(f.owner, func(caller wago.HostModule) {
			for b.Loop() {
				if _, err := f.service.Spawn(caller, entry, workers.WorkerOptions{}); err != nil {
					b.Error(err)
					return
				}
				<-gone
			}
		}))
	})
	b.Run("instance", func(b *testing.B) {
		f := newFixture(b, setup{})
		for b.Loop() {
			instance, err := f.runtime.Instantiate(context.Background(), f.module)
			if err != nil {
				b.Fatal(err)
			}
			_ = instance.Close()
		}
	})
}
