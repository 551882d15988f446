package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/JairusSW/pool"
	"github.com/alecthomas/kong"
)

// commandLine is what the command understands.
type commandLine struct {
	Run     runCommand     `cmd:"" help:"Run a guest over the records of a stream."`
	Inspect inspectCommand `cmd:"" help:"Show a guest's imports, exports, memory and possible workers, and what would stop it."`
	Version versionCommand `cmd:"" help:"Show the versions."`

	ShowVersion kong.VersionFlag `name:"version" help:"Show the versions."`
}

// command is one of them.
type command interface {
	check() error
	run(Streams) int
}

const description = `Run a WebAssembly guest over a stream of records, in parallel and supervised.

Exit status: 0 all is well; 1 some records failed, each named on standard error; 2 usage, or a guest, an input or an output that
can't be used; 130 interrupted; 141 whoever read the output has gone.

The first Ctrl-C (SIGINT) or SIGTERM ends the reading: what was read is finished, written and reported. The second one ends the run
at once: what is finished is written, and the records that workers have in hand are named.`

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
		kong.Vars{
			"workers":     strconv.FormatUint(uint64(pool.OptimalWorkers()), 10),
			"version":     versions(),
			"mostWorkers": strconv.FormatUint(uint64(mostWorkers), 10),
		},
	)
	if err != nil {
		panic(err) // the command line's own description is wrong
	}
	args, err = repaired(parser.Model, args)
	if err != nil {
		return usage(streams, args[0], err)
	}
	parsed, err := parser.Parse(args)
	switch {
	case exited: // help was shown
		return StatusOK
	case err != nil:
		return usage(streams, helpFor(err), err)
	}
	selected := parsed.Selected()
	chosen := selected.Target.Addr().Interface().(command)
	if err := chosen.check(); err != nil {
		return usage(streams, selected.Name, err)
	}
	return chosen.run(streams)
}

// helpFor names the command that the parser had come to.
func helpFor(err error) string {
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil && parse.Context.Selected() != nil {
		return parse.Context.Selected().Name
	}
	return ""
}

// usage says what is wrong with the command line, and whose help says more.
func usage(streams Streams, command string, err error) int {
	help := strings.Join(strings.Fields("pool "+command+" --help"), " ")
	text := err.Error()
	if text == `expected "<guest>"` {
		text = "no guest is named: pool " + command + " GUEST.wasm"
	}
	fmt.Fprintf(streams.Stderr, "pool: %s\npool: see %s\n", oneLine(text), help)
	return StatusUnable
}
