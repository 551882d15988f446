// Command bench measures what Pool costs beside what a user would pick instead, both in the same run and in turn:
//
//	go run ./bench
//
// prints a line for each row: its figure as the median of its rounds with the middle half of them, what it is to reach, whether
// it does, the absolute figures of both sides, and of some rows, what the figure would be without this project: a row that is short
// because of that is called bounded. internal/rows has a file for each row, which begins with how it is measured;
// internal/measure is the harness. What it does with an unclean machine is what every benchmark does: run it on an idle one.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	status, err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
	os.Exit(status)
}
