package run

import "io"

// NewLines returns what WASI guests write to.
func NewLines(c Console) io.Writer { return &lines{console: c} }
