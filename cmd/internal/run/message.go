package run

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/JairusSW/pool"
)

// about writes a message about a record in one line: which, who had it, and what is to be said. Zero leaves a part out.
func about(unit string, number uint64, worker pool.WorkerID, text string) string {
	var b strings.Builder
	b.WriteString("pool: ")
	if number > 0 {
		fmt.Fprintf(&b, "%s %d: ", unit, number)
	}
	if worker > 0 {
		fmt.Fprintf(&b, "worker %d: ", worker)
	}
	b.WriteString(printable(text))
	return b.String()
}

// printable writes what a terminal would obey, and what is not UTF-8, as Go escapes: the text comes from guests.
func printable(text string) string {
	quoted := strconv.Quote(text)
	quoted = quoted[1 : len(quoted)-1]
	return strings.ReplaceAll(strings.ReplaceAll(quoted, `\"`, `"`), `\\`, `\`)
}

// maxLine bounds what is printed of guests as one line, and what is kept of one that has not ended (bytes): guests can write all
// their memory at once.
const maxLine = 8 << 10

// lines prints what WASI guests write, line by line; flush prints the last one, if it has no end. Safe for concurrent use.
type lines struct {
	console Console // set once

	mu   sync.Mutex
	part []byte // guarded by mu: a line that has not ended
}

// Write implements io.Writer.
func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for rest := p; len(rest) > 0; {
		piece := rest[:min(len(rest), maxLine-len(l.part))]
		end := bytes.IndexByte(piece, '\n')
		if end >= 0 {
			piece, rest = piece[:end], rest[end+1:]
		} else {
			rest = rest[len(piece):]
		}
		l.part = append(l.part, piece...)
		if end >= 0 || len(l.part) == maxLine {
			l.printLocked()
		}
	}
	return len(p), nil
}

// flush prints a line that has not ended. The run calls it when its guests have ended, or are left alone.
func (l *lines) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.part) > 0 {
		l.printLocked()
	}
}

func (l *lines) printLocked() {
	l.console.Line(about("", 0, 0, string(l.part)))
	l.part = l.part[:0]
}
