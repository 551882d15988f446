package cli

import (
	"errors"
	"syscall"

	"github.com/JairusSW/pool/cmd/internal/run"
)

// Exit statuses of the command.
const (
	StatusOK          = 0   // every record has its reply
	StatusFailed      = 1   // some records failed, each named on standard error
	StatusUnable      = 2   // usage, or a guest, an input or an output that can't be used
	StatusInterrupted = 130 // 128 and SIGINT: interrupted, and what was read is finished
	StatusPipe        = 141 // 128 and SIGPIPE: whoever read the output has gone
)

// statusOf returns the exit status that says how the run ended.
func statusOf(r run.Report) int {
	switch {
	case errors.Is(r.Err, syscall.EPIPE):
		return StatusPipe
	case r.Err != nil && !errors.Is(r.Err, run.ErrInterrupted):
		return StatusUnable
	case r.Interrupted:
		return StatusInterrupted
	case r.Failed > 0:
		return StatusFailed
	}
	return StatusOK
}
