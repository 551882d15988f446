package run

import "io"

// NewLines returns what WASI guests write to, and its flush.
func NewLines(c Console) (w io.Writer, flush func()) {
	l := &lines{console: c}
	return l, l.flush
}
