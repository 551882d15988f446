package events_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/JairusSW/pool/events"
)

// payload is about the size of an event of a pool.
type payload struct {
	seq uint64
	_   [192]byte
}

// BenchmarkPublish is the price of an event for its publisher.
func BenchmarkPublish(b *testing.B) {
	for _, observers := range []int{0, 1, 4} {
		b.Run(fmt.Sprintf("observers=%d", observers), func(b *testing.B) {
			bus := benchBus(b, observers, func(*payload) {})
			b.ReportAllocs()
			for b.Loop() {
				bus.Publish(payload{})
			}
		})
	}
}

// BenchmarkPublishParallel is the same for publishers on all cores.
func BenchmarkPublishParallel(b *testing.B) {
	for _, observers := range []int{0, 1} {
		b.Run(fmt.Sprintf("observers=%d", observers), func(b *testing.B) {
			bus := benchBus(b, observers, func(*payload) {})
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					bus.Publish(payload{})
				}
			})
		})
	}
}

// BenchmarkDeliver is the price of an event from Publish to the last observer, none of them lost.
func BenchmarkDeliver(b *testing.B) {
	for _, observers := range []int{1, 4} {
		b.Run(fmt.Sprintf("observers=%d", observers), func(b *testing.B) {
			const window = events.DefaultCapacity / 2
			var delivered atomic.Int64
			room := make(chan struct{}, 1)
			bus := benchBus(b, observers, func(*payload) {
				if delivered.Add(1)%int64(window*observers) == 0 {
					room <- struct{}{}
				}
			})
			b.ReportAllocs()
			for n := 1; b.Loop(); n++ {
				bus.Publish(payload{})
				if n%window == 0 {
					<-room
				}
			}
		})
	}
}

// BenchmarkSubscribe is the price of a subscription, begun and ended.
func BenchmarkSubscribe(b *testing.B) {
	bus := benchBus(b, 0, nil)
	b.ReportAllocs()
	for b.Loop() {
		s, err := bus.Subscribe(func(*payload) {})
		if err != nil {
			b.Fatal(err)
		}
		if err := bus.Unsubscribe(s); err != nil {
			b.Fatal(err)
		}
	}
}

func benchBus(b *testing.B, observers int, fn func(*payload)) *events.Bus[payload] {
	bus := events.New(events.Config[payload]{
		Stamp: func(e *payload, seq uint64) { e.seq = seq },
		Lost:  func(_, lastSeq uint64) payload { return payload{seq: lastSeq} },
	})
	for range observers {
		if _, err := bus.Subscribe(fn); err != nil {
			b.Fatal(err)
		}
	}
	b.Cleanup(func() {
		if err := bus.Close(b.Context()); err != nil {
			b.Error(err)
		}
	})
	return bus
}
