package rows

// P6: a Call and its return, one worker, over a task through a Go channel and its answer through another.
//
// One caller on both sides, which waits for each answer before the next task; the trivial guest; 16 bytes. The pool's side is
// Call with a context that can end; the guest has no result to give, so a task is done when it asks for the next. The other
// side is a goroutine with an instance on plain wazero, which writes the task into the guest, calls it, and sends back what the
// guest returned; both channels have a buffer of one, which is faster here than none.

import (
	"context"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/direct"
	"github.com/JairusSW/pool/bench/internal/measure"
)

func roundTripRows(g Guests) []measure.Row {
	return []measure.Row{{
		Name: "P6 call", What: "Call over a channel round trip with a plain guest call", Unit: measure.Ratio, Aim: measure.AtMost(4),
		Sides: []measure.Side{{Name: "Call", Unit: measure.Nanoseconds}, {Name: "channels", Unit: measure.Nanoseconds}},
		Open: func(b *measure.Bench) (measure.Round, error) {
			call, err := oneCaller(b, g.Trivial, 1)
			if err != nil {
				return nil, err
			}
			channels, err := channelTrips(b, g.Trivial)
			if err != nil {
				return nil, err
			}
			return b.CostOver(call, channels)
		},
	}}
}

func oneCaller(b *measure.Bench, guest []byte, size uint32) (measure.Timed, error) {
	h, p, err := openPool(b, guest, pool.PoolOptions{MinWorkers: size, Worker: shallow})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(b.Context)
	b.OnClose(func() error { cancel(); return nil })
	task := pool.Task{Tag: 1, Payload: smallPayload}
	return func(n int) (took time.Duration, err error) {
		err = h.WithPools(func(s pool.Service) (err error) {
			took, err = measure.Clock(func() error {
				for range n {
					if _, err := s.Call(ctx, p.ID, task); err != nil {
						return err
					}
				}
				return nil
			})
			return err
		})
		return took, err
	}, nil
}

// answer is what comes back through a channel.
type answer struct {
	result uint32
	err    error
}

func channelTrips(b *measure.Bench, guest []byte) (measure.Timed, error) {
	e, err := openDirect(b, guest, direct.Plain)
	if err != nil {
		return nil, err
	}
	in, err := e.New(b.Context)
	if err != nil {
		return nil, err
	}
	tasks, answers := make(chan direct.Task, 1), make(chan answer, 1)
	go func() {
		defer close(answers)
		for task := range tasks {
			result, err := in.Do(b.Context, task.Payload)
			answers <- answer{result, err}
		}
	}()
	b.OnClose(func() error {
		close(tasks)
		<-answers
		return nil
	})
	return func(n int) (time.Duration, error) {
		return measure.Clock(func() error {
			for range n {
				tasks <- direct.Task{Tag: 1, Payload: smallPayload}
				if a := <-answers; a.err != nil {
					return a.err
				}
			}
			return nil
		})
	}, nil
}
