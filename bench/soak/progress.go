package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/JairusSW/pool/bench/internal/soak"
	"golang.org/x/term"
)

// plainEvery is the time between two lines where there is no terminal.
const plainEvery = 10 * time.Second

// progress says how far a run is: on a terminal in one line that is written over and goes away, elsewhere in a line now and then.
//
// Not safe for concurrent use.
type progress struct {
	out      io.Writer
	terminal bool
	lasts    time.Duration
	next     time.Duration // when the next plain line is due
	shown    bool
}

func newProgress(stderr io.Writer, lasts time.Duration) *progress {
	p := &progress{out: stderr, lasts: lasts, next: plainEvery}
	if f, ok := stderr.(*os.File); ok {
		p.terminal = term.IsTerminal(int(f.Fd()))
	}
	return p
}

// eraseLine goes to the line's begin and erases the line.
const eraseLine = "\r\x1b[K"

func (p *progress) show(now soak.Progress) {
	line := p.line(now)
	switch {
	case p.terminal:
		_, _ = io.WriteString(p.out, eraseLine+line) // nothing depends on it
		p.shown = true
	case now.Elapsed >= p.next:
		_, _ = io.WriteString(p.out, line+"\n")
		p.next = now.Elapsed.Truncate(plainEvery) + plainEvery
	}
}

func (p *progress) line(now soak.Progress) string {
	t := now.Totals
	return fmt.Sprintf("%v of %v: %d runtimes, %d pools, %d submits, %d attempts by guests, %d kills, %d samples",
		now.Elapsed.Truncate(time.Second), p.lasts, t.Sum("runtimes")-t.Count("runtimes", "beside another"),
		t.Count("pools", "created"), t.Sum("submits"), t.Sum("acts"), t.Sum("kills"), t.Count("audit", "samples"))
}

func (p *progress) clear() {
	if p.shown {
		_, _ = io.WriteString(p.out, eraseLine)
		p.shown = false
	}
}
