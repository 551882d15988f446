package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/JairusSW/pool/bench/internal/soak"
)

// families are what a run counts, in the order in which it is told.
var families = []struct{ name, title string }{
	{"runtimes", "runtimes, by their end"},
	{"owners", "owners"},
	{"pools", "pools"},
	{"refusals", "why Create failed"},
	{"ends", "pools at their end"},
	{"strategies", "pools created, by strategy"},
	{"submits", "submits"},
	{"answers", "answers to submits"},
	{"calls", "calls that were accepted"},
	{"tasks", "tasks, by the pools' last Stats"},
	{"acts", "what guests did with tasks"},
	{"workers", "workers"},
	{"exits", "ends of workers, as an observer below Pool saw them"},
	{"messages", "messages, below Pool"},
	{"kills", "kills"},
	{"supervised", "calls of Supervise"},
	{"mischief", "mischief"},
	{"observers", "observers that misbehave"},
	{"callbacks", "what they did"},
	{"events", "events, as a witness saw them"},
	{"audit", "samples of Stats"},
	{"instances", "instances"},
}

// write tells what a run did.
func write(out io.Writer, o options, r soak.Report, interrupted bool) error {
	var text strings.Builder
	early := ""
	if interrupted {
		early = ", interrupted"
	}
	fmt.Fprintf(&text, "ran for %v%s: %d rounds\n", r.Elapsed.Round(time.Second), early, r.Rounds)
	for _, family := range families {
		lines := r.Totals.Family(family.name)
		if len(lines) == 0 {
			continue
		}
		fmt.Fprintf(&text, "\n%s\n", family.title)
		for _, line := range lines {
			fmt.Fprintf(&text, "%12d  %s\n", line.Count, line.Name)
		}
	}
	fmt.Fprintf(&text, "\nat most %d instances at a time; a Call outlived its context by at most %v\n\n", r.Instances,
		r.Overrun.Round(time.Microsecond))
	writeResources(&text, r)
	if len(r.Violations) == 0 {
		fmt.Fprintf(&text, "\nall of it holds; to repeat it: %s\n", again(o))
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// writeResources tells what the process had, and what it may have at the end.
func writeResources(text *strings.Builder, r soak.Report) {
	if r.End == (soak.Resources{}) {
		return // what runs was left behind
	}
	fmt.Fprintf(text, "%-12s %10s %14s %10s\n", "", "at first", "after warm-up", "at the end")
	row := func(name string, start, warm, end int64) {
		fmt.Fprintf(text, "%-12s %10s %14s %10s\n", name, number(start, true), number(warm, r.Compared), number(end, true))
	}
	row("goroutines", int64(r.Start.Goroutines), int64(r.Warm.Goroutines), int64(r.End.Goroutines))
	row("descriptors", int64(r.Start.Descriptors), int64(r.Warm.Descriptors), int64(r.End.Descriptors))
	row("memory, MiB", r.Start.Resident>>20, r.Warm.Resident>>20, r.End.Resident>>20)
	row("mappings", int64(r.Start.Mappings), int64(r.Warm.Mappings), int64(r.End.Mappings))
	if !r.Compared {
		text.WriteString("memory and mappings were compared with nothing: a run that is short, or has the race detector, is never warm\n")
	}
}

// number is a figure, or a dash for one that isn't there.
func number(n int64, there bool) string {
	if !there || n < 0 {
		return "–"
	}
	return fmt.Sprint(n)
}

// again is the command that does the same once more.
func again(o options) string {
	return fmt.Sprintf("go run ./bench/soak --for %v --seed %d", o.lasts, o.seed)
}

// writeViolations tells what must not be, and returns the error that names the seed.
func writeViolations(out io.Writer, o options, r soak.Report) error {
	for n, violation := range r.Violations {
		if _, err := fmt.Fprintf(out, "\nviolation %d: %v\n", n+1, violation); err != nil {
			return err
		}
	}
	if r.Stacks != nil {
		if _, err := fmt.Fprintf(out, "\nwhat every goroutine does:\n\n%s\n", r.Stacks); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: seed %d; to repeat it: %s", errFound, o.seed, again(o))
}

var errFound = errors.New("something must not be")
