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

// maxPartialLine bounds what is kept of a line without end (bytes).
const maxPartialLine = 8 << 10

// lines prints what WASI guests write, line by line. Safe for concurrent use.
type lines struct {
	console Console // set once

	mu   sync.Mutex
	part []byte // guarded by mu: a line that has not ended
}

// Write implements io.Writer.
func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.part = append(l.part, p...)
	for {
		end := bytes.IndexByte(l.part, '\n')
		if end < 0 && len(l.part) < maxPartialLine {
			return len(p), nil
		}
		line, rest := l.part, l.part[len(l.part):]
		if end >= 0 {
			line, rest = l.part[:end], l.part[end+1:]
		}
		l.console.Line(about("", 0, 0, string(line)))
		l.part = append(l.part[:0], rest...)
	}
}
