// Command call has guests count primes, and doesn't wait for those that take too long.
//
//	go run ./examples/call
//
// A caller's deadline ends the caller's wait. It doesn't end the task: that stays in the ledger, and its worker stays busy with
// it, until TaskTimeout stops the guest in the middle of its loop. A fresh worker takes its place.
package main

import (
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/examples/internal/program"
)

//go:embed primes.wasm
var guest []byte

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	return program.Program{
		Guest:   guest,
		Options: pool.PoolOptions{MinWorkers: 1, TaskTimeout: 300 * time.Millisecond},
		Use: func(ctx context.Context, s pool.Service, id pool.PoolID) error {
			for _, n := range []uint32{10, 1000, 10_000} {
				count, err := primesBelow(ctx, s, id, n)
				if err != nil {
					return err
				}
				fmt.Fprintf(out, "%d primes below %d\n", count, n)
			}
			const far = 4_000_000_000 // hours away
			impatient, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
			defer cancel()
			_, err := primesBelow(impatient, s, id, far)
			report(out, "the impatient caller", err)
			_, err = primesBelow(ctx, s, id, far)
			report(out, "the patient caller", err)
			count, err := primesBelow(ctx, s, id, 100)
			fmt.Fprintf(out, "%d primes below 100, counted by a fresh worker\n", count)
			return err
		},
	}.Run(ctx)
}

// primesBelow asks a guest.
func primesBelow(ctx context.Context, s pool.Service, id pool.PoolID, n uint32) (uint32, error) {
	result, err := s.Call(ctx, id, pool.Task{Tag: uint64(n), Payload: binary.LittleEndian.AppendUint32(nil, n)})
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(result), nil
}

// report says what a Call that failed tells about its task.
func report(out io.Writer, who string, err error) {
	var ended *pool.TaskError
	switch {
	case !errors.As(err, &ended): // a bare error: nothing was submitted
		fmt.Fprintf(out, "%s: not accepted: %v\n", who, err)
	case ended.Pending:
		fmt.Fprintf(out, "%s stopped waiting for task %d: %v\n", who, ended.Tag, ended.Kind)
	default:
		fmt.Fprintf(out, "%s: task %d is over: %v\n", who, ended.Tag, ended.Kind)
	}
}
