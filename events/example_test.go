package events_test

import (
	"context"
	"fmt"

	"github.com/JairusSW/pool/events"
)

type note struct {
	seq  uint64
	text string
}

func ExampleBus_Subscribe() {
	bus := events.New(events.Config[note]{
		Stamp: func(n *note, seq uint64) { n.seq = seq },
	})
	done := make(chan struct{})
	subscription, err := bus.Subscribe(func(n *note) {
		fmt.Println(n.seq, n.text)
		if n.text == "bye" {
			close(done)
		}
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	bus.Publish(note{text: "hello"})
	bus.Publish(note{text: "bye"})
	<-done
	fmt.Println("unsubscribed:", bus.Unsubscribe(subscription))
	fmt.Println("closed:", bus.Close(context.Background()))
	// Output:
	// 1 hello
	// 2 bye
	// unsubscribed: <nil>
	// closed: <nil>
}

// An observer that doesn't keep up is told what it missed, and where.
func ExampleConfig_lost() {
	bus := events.New(events.Config[note]{
		Capacity: 2,
		Stamp:    func(n *note, seq uint64) { n.seq = seq },
		Lost: func(count, lastSeq uint64) note {
			return note{seq: lastSeq, text: fmt.Sprintf("(%d lost)", count)}
		},
	})
	busy, release, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	_, err := bus.Subscribe(func(n *note) {
		if n.seq == 1 {
			close(busy)
			<-release
		}
		fmt.Println(n.seq, n.text)
		if n.seq == 6 {
			close(done)
		}
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	bus.Publish(note{text: "a"})
	<-busy
	for _, text := range []string{"b", "c", "d", "e", "f"} {
		bus.Publish(note{text: text})
	}
	close(release)
	<-done
	fmt.Println("closed:", bus.Close(context.Background()))
	// Output:
	// 1 a
	// 2 b
	// 3 c
	// 6 (3 lost)
	// closed: <nil>
}
