// Command shutdown serves until it is told to stop, finishes what it has accepted, and says what became of it.
//
//	go build -o bin/ ./examples/shutdown && bin/shutdown
//
// (Under go run only Ctrl-C reaches it.) Ctrl-C or SIGTERM ends the serving. The pool is drained: nothing new, and what is queued is worked off. When that takes too
// long, Destroy ends it: what is in hand has failed then, and what was queued was dropped, and both are counted. The runtime's
// close, last, takes down whatever there still is. A second signal ends the process at once.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/examples/internal/program"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // the second signal is Go's own again
	if err := run(ctx, os.Stdout, 50*time.Millisecond, 5*time.Second); err != nil {
		log.Fatal(err)
	}
}

// run serves until serving ends. A task takes as long as work; the drain may take as long as patience.
func run(serving context.Context, out io.Writer, work, patience time.Duration) error {
	err := program.Program{
		Guest:   program.Echo,
		Options: pool.PoolOptions{MinWorkers: 2, Worker: pool.WorkerOptions{QueueCapacity: 2}},
		Busy: func(ctx context.Context, _ pool.Task) {
			select {
			case <-time.After(work):
			case <-ctx.Done():
			}
		},
		Use: func(ctx context.Context, s pool.Service, id pool.PoolID) error {
			final := make(chan pool.PoolStats, 1)
			if _, err := s.ObserveEvents(func(e *pool.PoolEvent) {
				if e.Final != nil {
					final <- *e.Final
				}
			}); err != nil {
				return err
			}
			fmt.Fprintln(out, "serving; Ctrl-C ends it")
			accepted, err := serve(serving, s, id)
			if serving.Err() == nil {
				return err // it ended for another reason
			}
			err = finish(ctx, out, s, id, patience)
			stats := <-final
			fmt.Fprintf(out, "accepted %d: %d done, %d failed, %d dropped\n", accepted, stats.Done, stats.FailedTasks, stats.Dropped)
			return err
		},
	}.Run(context.Background()) // not the context that the signal ends: that would stop the owner
	if err == nil {
		fmt.Fprintln(out, "closed")
	}
	return err
}

// serve gives tasks to the pool, as fast as it takes them, until ctx ends.
func serve(ctx context.Context, s pool.Service, id pool.PoolID) (accepted uint64, err error) {
	for {
		if _, err := s.SubmitWait(ctx, id, pool.Task{Tag: accepted + 1}); err != nil {
			return accepted, err
		}
		accepted++
	}
}

// finish drains the pool while that takes no longer than patience, and ends it.
func finish(ctx context.Context, out io.Writer, s pool.Service, id pool.PoolID, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	fmt.Fprintln(out, "stopping")
	switch err := s.DrainWait(ctx, id); {
	case err == nil:
		fmt.Fprintln(out, "drained")
	case errors.Is(err, pool.ErrPoolNotDrained):
		fmt.Fprintln(out, "not drained in time")
	default: // as ErrTasksDropped: the last worker ended with tasks that nobody is left for
		fmt.Fprintln(out, err)
	}
	return s.Destroy(id)
}
