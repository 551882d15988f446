// Command events logs what happens to a pool: a crash loop that halts it, and how it is brought back.
//
//	go run ./examples/events
//
// An observer runs on a goroutine of its own, behind a queue of its own: however slowly it writes, no submit waits for it.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"strings"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/examples/internal/program"
)

//go:embed flaky.wasm
var guest []byte

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	logger := slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
	return program.Program{
		Guest:   guest,
		Options: pool.PoolOptions{MaxRestarts: 2}, // the third failure in a minute is one too many
		Use: func(ctx context.Context, s pool.Service, id pool.PoolID) error {
			over := make(chan struct{})
			if _, err := s.ObserveEvents(func(e *pool.PoolEvent) { observe(ctx, logger, e, over) }); err != nil {
				return err
			}
			for {
				_, err := s.Call(ctx, id, pool.Task{Payload: []byte("!")})
				if errors.Is(err, pool.ErrPoolHalted) { // nobody is left, and nobody will come
					break
				}
				if !errors.Is(err, pool.ErrTaskFailed) {
					return err
				}
			}
			if err := s.Rearm(id); err != nil { // the cause is mended: the supervisor may start workers again
				return err
			}
			answer, err := s.Call(ctx, id, pool.Task{Payload: []byte("fine")})
			err = errors.Join(err, s.DrainWait(ctx, id), s.Destroy(id))
			<-over // the observer has come to the end of its queue
			fmt.Fprintf(out, "after the rearming: %s\n", answer)
			return err
		},
	}.Run(ctx)
}

// observe logs what happens to pools and workers; single tasks are for a metric, not for a log.
func observe(ctx context.Context, logger *slog.Logger, e *pool.PoolEvent, over chan<- struct{}) {
	switch e.Kind {
	case pool.PoolTaskRouted, pool.PoolTaskRejected, pool.PoolTaskShed, pool.PoolTaskRedelivered:
		return
	}
	attributes := []slog.Attr{slog.Uint64("pool", uint64(e.Pool))}
	if e.Worker != 0 {
		attributes = append(attributes, slog.Uint64("worker", uint64(e.Worker)))
	}
	if e.Reason != pool.ReasonNone {
		attributes = append(attributes, slog.Any("reason", e.Reason))
	}
	if e.Err != nil {
		line, _, _ := strings.Cut(e.Err.Error(), "\n") // a trap's text goes on with the guest's stack
		attributes = append(attributes, slog.String("error", line))
	}
	logger.LogAttrs(ctx, level(e.Kind), e.Kind.String(), attributes...)
	if e.Final != nil { // the pool's last event
		logger.Info("in all", "done", e.Final.Done, "failed", e.Final.FailedTasks, "replaced", e.Final.Restarted)
		close(over)
	}
}

func level(kind pool.PoolEventKind) slog.Level {
	switch kind {
	case pool.PoolHalted, pool.PoolEventsLost:
		return slog.LevelError
	case pool.PoolTaskFailed, pool.PoolTaskDropped, pool.PoolLimited:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// withoutTime leaves out when it was, so that the log is the same each time.
func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}
