package rows

// The picture of --svg: what it costs to hand over a task, by the size of the pool.
//
// Ours, and Workers' Send: as P1. "channel per instance": a buffered Go channel for each worker, to which one producer sends in
// turn, and which are emptied off the clock. The others have no queue: a task is handed to a goroutine that is free. "ants":
// Submit to an ants pool of that size whose goroutines all wait for work. "goroutine each": a goroutine for each task, behind a
// semaphore of that size. So that the clock doesn't show, several such pools are given their tasks one after the other; the tasks
// wait until the clock has stopped.

import (
	"sync"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/bench/internal/direct"
	"github.com/JairusSW/pool/bench/internal/measure"
	"github.com/panjf2000/ants/v2"
)

// CurveSizes are the sizes of the picture (workers).
var CurveSizes = []int{1, 4, 16, 64, 256, 1024}

// Curves are the picture's curves: first so many of ours.
func Curves(g Guests) (columns []measure.Column, ours int) {
	for _, s := range strategies {
		if s.kind == pool.Random {
			continue // lies upon power of two
		}
		columns = append(columns, timed(hyphened(s.kind), func(b *measure.Bench, size int) (measure.Timed, error) {
			return submits(b, g, s.kind, uint32(size), filled)
		}))
	}
	ours = len(columns)
	return append(columns,
		timed("Workers' Send", func(b *measure.Bench, size int) (measure.Timed, error) { return sends(b, g, uint32(size)) }),
		timed("channel per instance", func(_ *measure.Bench, size int) (measure.Timed, error) { return channelSends(size), nil }),
		timed("ants", antsSubmits),
		timed("goroutine each", func(_ *measure.Bench, size int) (measure.Timed, error) { return goroutines(size), nil }),
	), ours
}

// channelSends is n tasks sent to channels in turn.
func channelSends(size int) measure.Timed {
	channels := make([]chan direct.Task, size)
	for i := range channels {
		channels[i] = make(chan direct.Task, filled/size+1)
	}
	put := func(_, n int) error {
		at := 0
		for tag := range n {
			channels[at] <- direct.Task{Tag: uint64(tag), Payload: smallPayload}
			if at++; at == len(channels) {
				at = 0
			}
		}
		return nil
	}
	empty := func() error {
		for _, c := range channels {
			for len(c) > 0 {
				<-c
			}
		}
		return nil
	}
	return func(n int) (time.Duration, error) { return filling(n, filled, put, empty) }
}

// handed is how many tasks are given on one turn of the clock, at least.
const handed = 1024

// pause lets goroutines that have done their task come back to where they wait for the next.
const pause = 200 * time.Microsecond

// handing gives n tasks, a turn's worth at a time, which wait for the end of the turn.
func handing(n, turn int, give func(turn int, task func())) time.Duration {
	var total time.Duration
	for ; n > 0; n -= turn {
		shut := make(chan struct{})
		var left sync.WaitGroup
		count := min(n, turn)
		left.Add(count)
		task := func() { <-shut; left.Done() }
		took, _ := measure.Clock(func() error { give(count, task); return nil })
		total += took
		close(shut)
		left.Wait()
		time.Sleep(pause)
	}
	return total
}

func antsSubmits(b *measure.Bench, size int) (measure.Timed, error) {
	pools := make([]*ants.Pool, max(1, handed/size))
	for i := range pools {
		p, err := ants.NewPool(size, ants.WithPreAlloc(true), ants.WithDisablePurge(true))
		if err != nil {
			return nil, err
		}
		b.OnClose(func() error { return p.ReleaseTimeout(leaving) })
		pools[i] = p
	}
	give := func(count int, task func()) {
		for i := range count {
			_ = pools[i/size].Submit(task) // fails for a pool that was released only
		}
	}
	return func(n int) (time.Duration, error) { return handing(n, size*len(pools), give), nil }, nil
}

func goroutines(size int) measure.Timed {
	permits := make([]chan struct{}, max(1, handed/size))
	for i := range permits {
		permits[i] = make(chan struct{}, size)
	}
	give := func(count int, task func()) {
		for i := range count {
			sem := permits[i/size]
			sem <- struct{}{}
			go func() { task(); <-sem }()
		}
	}
	return func(n int) (time.Duration, error) { return handing(n, size*len(permits), give), nil }
}
