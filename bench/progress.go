package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// progress is one line on a terminal that is written over and goes away; nowhere else it is nothing.
//
// Not safe for concurrent use.
type progress struct {
	terminal io.Writer // nil: there is none
	shown    bool
}

func newProgress(stderr io.Writer) *progress {
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &progress{terminal: f}
	}
	return &progress{}
}

// eraseLine goes to the line's begin and erases the line.
const eraseLine = "\r\x1b[K"

func (p *progress) show(line string) {
	if p.terminal != nil {
		_, _ = io.WriteString(p.terminal, eraseLine+line) // nothing depends on it
		p.shown = true
	}
}

func (p *progress) clear() {
	if p.shown {
		_, _ = io.WriteString(p.terminal, eraseLine)
		p.shown = false
	}
}
