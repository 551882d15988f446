// Command soak runs everything at once, for as long as it is told, and looks for anything that must not be:
//
//	go run ./bench/soak --for 10m --seed 1
//
// Real guests trap, exit, spin, exhaust stack and memory, return at once and submit to their own pool; observers block, panic,
// leave and destroy; pools are scaled, drained, destroyed, and lose their creators and runtimes; all at once. Ledgers are checked
// throughout, and at the end what the process still holds. It prints what it did, and the seed, with which it does the same
// again. Package internal/soak says how.
//
// An interrupt ends it early, with its checks done. The exit status is 1 when something was found that must not be.
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
	context.AfterFunc(ctx, stop) // a second interrupt ends the process
	status, err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "soak:", err)
	}
	os.Exit(status)
}
