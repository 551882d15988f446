package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/JairusSW/pool/cmd/internal/console"
	"github.com/JairusSW/pool/cmd/internal/run"
)

// flushTime is how long the command waits at its end for an output that doesn't take what is finished.
const flushTime = 500 * time.Millisecond

// supervised does the run. The first interrupt ends the reading, the second one the run, at once. A closed pipe is an error of the
// write, not a signal.
func supervised(r *run.Run, out *console.Console) run.Report {
	signal.Ignore(syscall.SIGPIPE)
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(interrupts)
	done := make(chan run.Report, 1)
	go func() { done <- r.Do() }()
	for asked := false; ; asked = true {
		select {
		case report := <-done:
			return report
		case <-interrupts:
		}
		if asked {
			return abandoned(r, out)
		}
		if r.Interrupt() {
			out.Line("pool: interrupted: finishing what was read; once more ends it at once")
		} else {
			out.Line("pool: interrupted: the guest has not called pool.serve yet, so nothing is to be finished: ending it")
		}
	}
}

// abandoned ends the run though its guests may go on: the process ends them.
func abandoned(r *run.Run, out *console.Console) run.Report {
	ctx, cancel := context.WithTimeout(context.Background(), flushTime)
	defer cancel()
	report := r.Abandon(ctx)
	out.Stop()
	return report
}
