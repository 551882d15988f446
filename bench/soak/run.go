package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/JairusSW/pool/bench/internal/soak"
)

// The exit statuses.
const (
	statusOK    = 0
	statusFound = 1 // something must not be, or the soak itself failed
	statusUsage = 2
)

//go:embed testdata/guest.wasm
var guest []byte

// options are what the command line says.
type options struct {
	lasts time.Duration
	seed  uint64
}

// errUsage is wrapped by what the command line has wrong.
var errUsage = errors.New("see --help")

const usage = `usage: go run ./bench/soak [flags]

Runs everything at once and looks for anything that must not be.

`

func parse(args []string, stderr io.Writer) (o options, err error) {
	set := flag.NewFlagSet("soak", flag.ContinueOnError)
	set.SetOutput(stderr)
	set.Usage = func() {
		_, _ = io.WriteString(stderr, usage)
		set.PrintDefaults()
	}
	set.DurationVar(&o.lasts, "for", 10*time.Minute, "how long, as in 90s or 10m; the last round ends in order, which takes seconds")
	set.Uint64Var(&o.seed, "seed", 0, "what all dice come from; 0 is a `number` at random, which is printed")
	if err := set.Parse(args); err != nil {
		return options{}, err // told already
	}
	switch {
	case set.NArg() > 0:
		return options{}, fmt.Errorf("%q is no flag; %w", set.Arg(0), errUsage)
	case o.lasts <= 0:
		return options{}, fmt.Errorf("--for %v is no time to run for; %w", o.lasts, errUsage)
	}
	for o.seed == 0 {
		o.seed = uint64(rand.Uint32())
	}
	return o, nil
}

// run is the whole command.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (status int, err error) {
	o, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return statusOK, err
	case err != nil:
		return statusUsage, err
	}
	if _, err := fmt.Fprintf(stdout, "soak: %v, seed %d\n", o.lasts, o.seed); err != nil {
		return statusFound, err
	}
	p := newProgress(stderr, o.lasts)
	report, err := soak.Run(ctx, soak.Config{Guest: guest, For: o.lasts, Seed: o.seed, Progress: p.show})
	p.clear()
	if err != nil {
		return statusFound, err
	}
	if err := write(stdout, o, report, ctx.Err() != nil); err != nil {
		return statusFound, err
	}
	if len(report.Violations) == 0 {
		return statusOK, nil
	}
	return statusFound, writeViolations(stderr, o, report)
}
