package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/JairusSW/pool/cmd/internal/console"
	"github.com/JairusSW/pool/cmd/internal/run"
	"github.com/wago-org/workers"
)

// runCommand is pool run.
type runCommand struct {
	Guest string `arg:"" placeholder:"GUEST.wasm" help:"The guest: a WebAssembly module that calls pool.serve (docs/guest-abi.md)."`

	Input     string    `placeholder:"FILE" help:"Read the records from FILE; - is standard input. Default: standard input."`
	Output    string    `placeholder:"FILE" help:"Write the replies to FILE; - is standard output. Default: standard output."`
	Separator separator `default:"newline" placeholder:"newline|nul" help:"What ends a record and a reply: newline or nul. Default: newline."`
	Unordered bool      `help:"Write replies as they come, not in the order of their records."`

	Workers       *number  `placeholder:"N" help:"Workers that run at once, at most ${mostWorkers}: the same as --min N --max N. Default: ${workers}, what this machine runs in parallel (GOMAXPROCS)."`
	Min           *number  `placeholder:"N" help:"Workers that run at least, from 0 on. Default: 1 with --max or --target."`
	Max           *number  `placeholder:"N" help:"Workers that run at most, as many as the load asks for. Default: ${workers}, or --min if that is more."`
	Target        *number  `placeholder:"N" help:"Records under way for each worker: more are what the load asks another worker for, at most --queue. Between --min and --max. Default: 1."`
	Strategy      strategy `default:"round-robin" placeholder:"NAME" help:"Which worker gets a record: round-robin, least-loaded, random, power-of-two, or consistent-hash of its bytes. Default: round-robin."`
	Overflow      overflow `default:"spill" placeholder:"NAME" help:"When that worker's mailbox is full: spill to another worker, or reject others and wait for it. Default: spill."`
	Restart       restart  `default:"on-failure" placeholder:"NAME" help:"Which workers are replaced as soon as they end: on-failure, always or never. The others are when records wait. Default: on-failure."`
	MaxRestarts   restarts `default:"unlimited" placeholder:"N" help:"Replacements within --restart-window after which the run ends: a number, or unlimited. Default: unlimited."`
	RestartWindow duration `default:"60s" placeholder:"DURATION" help:"The time in which they count, as in 500ms, 90s or 1h. Default: 60s."`
	Retries       number   `default:"0" placeholder:"N" help:"How often a record is given to another worker after one has ended with it in hand. Default: 0."`
	TaskTimeout   duration `default:"0s" placeholder:"DURATION" help:"How long a worker may have a record in hand: then the record fails (or is retried) and the worker is replaced. Default: 0s, for ever."`
	Queue         number   `default:"64" placeholder:"N" help:"Records that wait in one worker's mailbox, at most 65536. Default: 64."`

	MaxLine     size   `default:"1MiB" placeholder:"BYTES" help:"Longest record, and longest reply, at most 16MiB. A longer one fails by name. Default: 1MiB."`
	MemoryLimit size   `default:"64MiB" placeholder:"BYTES" help:"How far one worker's memory can grow, at most 4GiB. Default: 64MiB."`
	Start       string `default:"_start" placeholder:"NAME" help:"The exported function to call. Default: _start."`
	Config      string `placeholder:"JSON" help:"Configuration of the Pool plugin, as in {\"maxWorkersPerPool\": 8}. Default: ceilings with room for the workers."`

	Progress progress    `default:"auto" placeholder:"WHEN" help:"Show progress on standard error: always, never, or auto: when it is a terminal and nobody types the input. Default: auto."`
	Summary  summaryForm `placeholder:"FORM" help:"Say on standard error how the run went: none, text or json. Default: text, and none with --quiet."`
	Quiet    bool        `short:"q" help:"No progress and, unless --summary asks for it, no summary: only what fails is named."`

	band band `kong:"-"` // set by check
}

const (
	pageSize  = size(64 << 10)
	maxMemory = size(4 << 30)
)

// check says what is wrong with the flags together.
func (c *runCommand) check() error {
	if err := c.setBand(); err != nil {
		return err
	}
	if err := c.Queue.within("queue", 1, number(workers.MaxWorkerQueueCapacity)); err != nil {
		return err
	}
	if err := c.setTarget(); err != nil {
		return err
	}
	if err := c.RestartWindow.positive("restart-window"); err != nil {
		return err
	}
	if err := c.MaxLine.within("max-line", 1, size(run.MaxLine)); err != nil {
		return err
	}
	return c.MemoryLimit.within("memory-limit", pageSize, maxMemory)
}

// run does pool run.
func (c *runCommand) run(streams Streams) int {
	files, err := c.open(streams)
	if err != nil {
		return unable(streams.Stderr, err)
	}
	defer files.close()
	out := c.console(streams, files)
	options := c.options(files, out)
	report := supervised(run.New(options), out)
	if err := errors.Join(files.finish(report.Served), files.close()); report.Err == nil && err != nil {
		report.Err = fmt.Errorf("%w: %w", run.ErrOutput, err)
	}
	return c.conclude(out, report)
}

// console is where everything but the replies goes. Replies that go to the same terminal pass through it.
func (c *runCommand) console(streams Streams, f *files) *console.Console {
	terminal := isTerminal(streams.Stderr)
	show := c.Progress == "always" || c.Progress == "auto" && terminal && !isTerminal(f.input)
	shared := terminal && isTerminal(f.output)
	if c.Quiet || shared && c.Separator == 0 {
		show = false
	}
	out := console.New(console.Options{Stderr: streams.Stderr, Progress: show, Total: f.total})
	if shared {
		f.replies = out.Output(f.output)
	}
	return out
}

func (c *runCommand) options(f *files, out *console.Console) run.Options {
	o := run.Options{
		Name:  filepath.Base(c.Guest),
		Guest: f.guest,
		Start: c.Start,

		Min:           c.band.min,
		Max:           c.band.max,
		Target:        c.band.target,
		Strategy:      c.Strategy.Strategy,
		Overflow:      c.Overflow.OverflowPolicy,
		Restart:       c.Restart.RestartPolicy,
		MaxRestarts:   uint32(c.MaxRestarts),
		RestartWindow: time.Duration(c.RestartWindow),
		Retries:       uint32(c.Retries),
		TaskTimeout:   time.Duration(c.TaskTimeout),
		Queue:         uint32(c.Queue),
		MaxLine:       uint32(c.MaxLine),
		MemoryLimit:   uint64(c.MemoryLimit),

		Separator: '\n',
		Unordered: c.Unordered,
		Input:     f.input,
		Output:    f.replies,
		Console:   out,
	}
	if c.Separator == 0 {
		o.Separator = 0
	}
	if c.Config != "" {
		o.PoolConfig = json.RawMessage(c.Config)
	}
	return o
}

// conclude says how the run went and returns the exit status.
func (c *runCommand) conclude(out *console.Console, report run.Report) int {
	status := statusOf(report)
	if report.Err != nil && status == StatusUnable {
		for _, line := range complaint(report.Err) {
			out.Line(line)
		}
	}
	form := c.Summary
	if form == "" && !c.Quiet && status != StatusPipe && report.Served {
		form = summaryText
	}
	switch form {
	case summaryText:
		out.Line(textSummary(report, c.unit()))
	case summaryJSON:
		out.Line(jsonSummary(report, status))
	}
	return status
}

func (c *runCommand) unit() string {
	if c.Separator == 0 {
		return "record"
	}
	return "line"
}

// files are what a run reads and writes.
type files struct {
	guest         []byte
	input, output *os.File
	replies       io.Writer   // to output
	late          *lateOutput // the output, if it is a file that was named
	total         int64       // of the input (bytes); 0: not known
	opened        []*os.File
}

// close closes what was opened, once.
func (f *files) close() error {
	var first error
	for _, file := range f.opened {
		if err := file.Close(); err != nil && first == nil {
			first = err
		}
	}
	f.opened = nil
	return first
}
