package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/pprof"

	"github.com/JairusSW/pool/bench/internal/measure"
	"github.com/JairusSW/pool/bench/internal/picture"
	"github.com/JairusSW/pool/bench/internal/report"
	"github.com/JairusSW/pool/bench/internal/rows"
)

// The exit statuses.
const (
	statusOK    = 0
	statusShort = 1 // a row is short, under --check, or something failed
	statusUsage = 2
)

// run is the whole command.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (status int, err error) {
	o, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return statusOK, err
	case err != nil:
		return statusUsage, err
	}
	chosen, err := selected(rows.All(guests()), o.names)
	if err != nil {
		return statusUsage, err
	}
	s := &session{options: o, stdout: stdout, progress: newProgress(stderr), machine: report.Here(o.command)}
	defer s.progress.clear()
	if o.list {
		return statusOK, s.list(chosen)
	}
	if err := s.do(ctx, chosen); err != nil || o.check && s.short() {
		return statusShort, err
	}
	return statusOK, nil
}

// do measures and writes. Its files are made first: a name that can't be is found out before minutes have gone.
func (s *session) do(ctx context.Context, chosen []*measure.Row) (err error) {
	for _, out := range []struct {
		name string
		file **os.File
	}{{s.json, &s.jsonFile}, {s.svg, &s.svgFile}, {s.profile, &s.profileFile}} {
		if out.name == "" {
			continue
		}
		if *out.file, err = os.Create(out.name); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, (*out.file).Close()) }()
	}
	if s.profileFile != nil {
		if err := pprof.StartCPUProfile(s.profileFile); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	if err := s.measure(ctx, chosen); err != nil {
		return err
	}
	return s.write()
}

// session is one run of the command.
type session struct {
	options
	stdout   io.Writer
	progress *progress
	machine  report.Machine
	figures  report.Figures
	ours     int // how many of the curves are ours

	jsonFile, svgFile, profileFile *os.File // nil: not asked for
}

func (s *session) list(chosen []*measure.Row) error {
	for _, row := range chosen {
		if _, err := fmt.Fprintf(s.stdout, "%-*s  %s\n", widest(chosen), row.Name, row.What); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) measure(ctx context.Context, chosen []*measure.Row) error {
	if !s.markdown {
		if _, err := fmt.Fprintln(s.stdout, s.machine); err != nil {
			return err
		}
	}
	if s.measuresRows {
		if err := s.measureRows(ctx, chosen); err != nil {
			return err
		}
	}
	if s.scale {
		table, err := measure.MeasureTable(ctx, s.tableEffort, sizes(rows.ScaleSizes, s.quick), rows.ScaleColumns(guests()), s.progress.show)
		if err != nil {
			return err
		}
		if err := s.keep(&s.figures.Scale, table); err != nil {
			return err
		}
	}
	if s.measuresCurves {
		columns, ours := rows.Curves(guests())
		table, err := measure.MeasureTable(ctx, s.tableEffort, sizes(rows.CurveSizes, s.quick), columns, s.progress.show)
		s.ours = ours
		if err != nil {
			return err
		}
		return s.keep(&s.figures.Curves, table)
	}
	return nil
}

// sizes are all, or the first few for a quick look.
func sizes(all []int, quick bool) []int {
	if quick {
		return all[:3]
	}
	return all
}

// measureRows measures every row, and then again what is undecided: in another minute the machine may have more for us, or less.
func (s *session) measureRows(ctx context.Context, chosen []*measure.Row) error {
	width := widest(chosen)
	for i, row := range chosen {
		result, err := s.measureRow(ctx, row, fmt.Sprintf("%d/%d", i+1, len(chosen)))
		if err != nil {
			return err
		}
		s.figures.Rows = append(s.figures.Rows, result)
		if err := s.print(report.Line(result, width) + "\n"); err != nil {
			return err
		}
	}
	for range s.effort.Again {
		if err := s.measureUndecided(ctx, width); err != nil {
			return err
		}
	}
	return nil
}

// measureUndecided measures the rows that are undecided once more.
func (s *session) measureUndecided(ctx context.Context, width int) error {
	titled := false
	for i, before := range s.figures.Rows {
		if !before.Undecided() {
			continue
		}
		if !titled {
			titled = true
			if err := s.print("measured again, because rounds disagree on the verdict; all rounds count:\n"); err != nil {
				return err
			}
		}
		more, err := s.measureRow(ctx, before.Row, "again")
		if err != nil {
			return err
		}
		s.figures.Rows[i] = before.With(more)
		if err := s.print(report.Line(s.figures.Rows[i], width) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) measureRow(ctx context.Context, row *measure.Row, which string) (measure.Result, error) {
	return measure.Run(ctx, row, s.effort, func(round int) {
		s.progress.show(fmt.Sprintf("%s  %s  round %d/%d", which, row.Name, round, s.effort.Rounds))
	})
}

// widest is the length of the longest name.
func widest(chosen []*measure.Row) (width int) {
	for _, row := range chosen {
		width = max(width, len(row.Name))
	}
	return width
}

func (s *session) keep(into **measure.Table, t measure.Table) error {
	*into = &t
	return s.print("\n" + report.Text(&t))
}

// print writes what comes as it comes, unless everything is written at the end.
func (s *session) print(text string) error {
	if s.markdown {
		return nil
	}
	s.progress.clear()
	_, err := io.WriteString(s.stdout, text)
	return err
}

func (s *session) short() bool {
	for _, r := range s.figures.Rows {
		if r.Verdict == measure.Short {
			return true
		}
	}
	return false
}

// write writes what the flags ask for at the end.
func (s *session) write() error {
	s.progress.clear()
	if s.markdown {
		if err := report.Markdown(s.stdout, s.machine, s.figures); err != nil {
			return err
		}
	}
	if s.jsonFile != nil {
		if err := report.JSON(s.jsonFile, s.machine, s.figures); err != nil {
			return err
		}
	}
	if s.svgFile == nil {
		return nil
	}
	return picture.Picture{
		Title: "What it costs to hand over a task of 16 bytes", Subtitle: s.machine.String(), Table: s.figures.Curves, Ours: s.ours,
	}.SVG(s.svgFile)
}
