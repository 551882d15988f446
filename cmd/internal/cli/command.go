package cli

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/JairusSW/pool"
	"github.com/alecthomas/kong"
)

// commandLine is what the command understands.
type commandLine struct {
	Run     runCommand     `cmd:"" help:"Run a guest over the records of a stream."`
	Inspect inspectCommand `cmd:"" help:"Show a guest's imports, exports, memory and possible workers, and what would stop it."`
	Version versionCommand `cmd:"" help:"Show the versions."`
}

// command is one of them.
type command interface{ run(Streams) int }

const description = `Run a WebAssembly guest over a stream of records, in parallel and supervised.

Exit status: 0 all is well; 1 some records failed, each named on standard error; 2 usage, or a guest, an input or an output that
can't be used; 130 interrupted; 141 whoever read the output has gone.`

// Main runs the command with the arguments behind its name and returns the exit status.
func Main(args []string, streams Streams) int {
	if len(args) == 0 {
		_ = Main([]string{"--help"}, Streams{Stdin: streams.Stdin, Stdout: streams.Stderr, Stderr: streams.Stderr})
		return StatusUnable
	}
	var line commandLine
	exited := false
	parser, err := kong.New(&line,
		kong.Name("pool"), kong.Description(description),
		kong.Writers(streams.Stdout, streams.Stderr),
		kong.Exit(func(int) { exited = true }),
		kong.ConfigureHelp(kong.HelpOptions{WrapUpperBound: 120}),
		kong.Vars{"workers": strconv.FormatUint(uint64(pool.OptimalWorkers()), 10)},
	)
	if err != nil {
		panic(err) // the command line's own description is wrong
	}
	parsed, err := parser.Parse(args)
	switch {
	case exited: // help was shown
		return StatusOK
	case err != nil:
		return usage(streams, err)
	}
	return parsed.Selected().Target.Addr().Interface().(command).run(streams)
}

// usage says what is wrong with the command line.
func usage(streams Streams, err error) int {
	help := "pool --help"
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil && parse.Context.Selected() != nil {
		help = "pool " + parse.Context.Selected().Name + " --help"
	}
	fmt.Fprintf(streams.Stderr, "pool: %v\npool: see %s\n", err, help)
	return StatusUnable
}
