package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/JairusSW/pool/bench/internal/measure"
)

// options are what the command line says.
type options struct {
	json, svg      string // files; empty: none
	profile        string // file for a CPU profile; empty: none
	markdown       bool
	quick          bool
	check          bool
	scale          bool
	names          []string // of rows; empty: all
	list           bool
	effort         measure.Effort
	tableEffort    measure.Effort
	command        string // as it would be typed again
	measuresRows   bool
	measuresCurves bool
}

// errUsage is wrapped by what the command line has wrong.
var errUsage = errors.New("see --help")

const usage = `usage: go run ./bench [flags]

Measures every row and prints it. With --scale or --svg, only what these measure, and the rows that --row names.

`

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	set := flag.NewFlagSet("bench", flag.ContinueOnError)
	set.SetOutput(stderr)
	set.Usage = func() {
		_, _ = io.WriteString(stderr, usage)
		set.PrintDefaults()
	}
	set.StringVar(&o.json, "json", "", "write everything that was measured to this `file`")
	set.StringVar(&o.svg, "svg", "", "measure what handing over a task costs by pool size, and draw it into this `file`")
	set.StringVar(&o.profile, "profile", "", "write a CPU profile of everything that is measured to this `file`")
	set.BoolVar(&o.scale, "scale", false, "measure the table of costs by pool size")
	set.BoolVar(&o.markdown, "markdown", false, "print tables in Markdown at the end, instead of lines as they come")
	set.BoolVar(&o.quick, "quick", false, "few short rounds: says whether everything works, and roughly where the figures are")
	set.BoolVar(&o.check, "check", false, "exit with status 1 if a row is short that needn't be")
	set.BoolVar(&o.list, "list", false, "print the names of the rows and what they are, and measure nothing")
	set.Func("row", "measure this `row`, or all that begin with these words; may be repeated; \"all\" is every row", func(name string) error {
		o.names = append(o.names, name)
		return nil
	})
	if err := set.Parse(args); err != nil {
		return options{}, err // told already
	}
	if set.NArg() > 0 {
		return options{}, fmt.Errorf("%q is no flag; %w", set.Arg(0), errUsage)
	}
	o.effort, o.tableEffort = measure.Full, measure.Tables
	if o.quick {
		o.effort, o.tableEffort = measure.Quick, measure.Quick
	}
	o.measuresCurves = o.svg != ""
	o.measuresRows = len(o.names) > 0 || !o.scale && !o.measuresCurves
	o.command = strings.Join(append([]string{"go run ./bench"}, args...), " ")
	return o, nil
}

// selected returns the rows that the names mean, in their own order.
func selected(all []measure.Row, names []string) ([]*measure.Row, error) {
	used := make([]bool, len(names))
	var chosen []*measure.Row
	for i := range all {
		wanted := len(names) == 0
		for j, name := range names {
			if name == "all" || means(name, all[i].Name) {
				wanted, used[j] = true, true
			}
		}
		if wanted {
			chosen = append(chosen, &all[i])
		}
	}
	for j, ok := range used {
		if !ok {
			return nil, fmt.Errorf("no row is called %q: --list names them; %w", names[j], errUsage)
		}
	}
	return chosen, nil
}

// means says whether a name means a row: the whole name or its first words, in any letter case.
func means(name, row string) bool {
	name, row = strings.ToLower(name), strings.ToLower(row)
	return row == name || strings.HasPrefix(row, name+" ")
}
