// Command elastic draws the size of a pool while a burst of tasks goes through it.
//
//	go run ./examples/elastic
//
// TargetPerWorker makes the pool elastic: it wants a worker for each four tasks that are queued or running. It grows at once,
// and shrinks when a lower size has held for ScaleDownDelay. The workers spend their time waiting, as for a disk or a network,
// so there may be more of them than there are processors: runnableWorkers, which elastic pools share, says how many.
//
// What lies in a worker's mailbox stays with that worker. So the mailboxes are small, and callers wait in front of them, where
// a worker that has just been started finds something to do.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/examples/internal/program"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	return program.Program{
		Guest:    program.Echo,
		Settings: `{"runnableWorkers": 8}`,
		Options: pool.PoolOptions{
			MinWorkers: 1, MaxWorkers: 8, TargetPerWorker: 4, ScaleDownDelay: 200 * time.Millisecond,
			Strategy: pool.LeastLoaded, Worker: pool.WorkerOptions{QueueCapacity: 1},
		},
		Busy: func(ctx context.Context, _ pool.Task) { // each task takes 33 ms
			select {
			case <-time.After(33 * time.Millisecond):
			case <-ctx.Done():
			}
		},
		Use: func(ctx context.Context, s pool.Service, id pool.PoolID) error {
			var callers sync.WaitGroup
			defer callers.Wait()
			tick := time.NewTicker(step)
			defer tick.Stop()
			for at := step; at <= 20*step; at += step {
				for range arriving(at) {
					callers.Go(func() { _, _ = s.Call(ctx, id, pool.Task{}) })
				}
				<-tick.C
				if err := draw(out, s, id, at); err != nil {
					return err
				}
			}
			return nil
		},
	}.Run(ctx)
}

// step is the time between two lines of the picture.
const step = 40 * time.Millisecond

// arriving is how many callers come: one at each step, and a crowd at the fourth.
func arriving(at time.Duration) int {
	if at == 4*step {
		return 100
	}
	return 1
}

func draw(out io.Writer, s pool.Service, id pool.PoolID, at time.Duration) error {
	stats, err := s.Stats(id)
	_, failed := fmt.Fprintf(out, "%4d ms %-8s %d done\n", at.Milliseconds(), strings.Repeat("#", int(stats.Live)), stats.Done)
	return errors.Join(err, failed)
}
