package run

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"syscall"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/cmd/internal/record"
)

// outcome is how a record ended.
type outcome struct {
	reply  []byte
	err    error         // the record failed
	worker pool.WorkerID // that had it in hand then; 0: none
	left   bool          // the record was not run, because the run ended

	unanswered bool // of a failure: the worker returned without an answer
}

// writer prints outcomes and counts them: replies go to the output, in writes that end with a whole one, and failures to the
// console. A reply counts as done once it is written. Behind an error of the output nothing is written.
type writer struct {
	run  *Run
	out  io.Writer
	unit string // what a record is called
	buf  []byte
	ends []int // of the replies in buf
	err  error // the output's
}

// bufferSize is how much is gathered before it is written (bytes).
const bufferSize = 64 << 10

// Emit implements ordered.Sink.
func (w *writer) Emit(number uint64, o outcome) error {
	switch {
	case o.left:
	case o.err != nil:
		w.failed(number, o)
	case w.err != nil:
		w.run.counts.unwritten.Add(1)
	default:
		w.buf = append(append(w.buf, o.reply...), w.run.opts.Separator)
		w.ends = append(w.ends, len(w.buf))
		if len(w.buf) >= bufferSize {
			return w.Flush()
		}
	}
	return nil
}

// failed names a record that failed, unless nobody reads any more what this run says.
func (w *writer) failed(number uint64, o outcome) {
	counts := &w.run.counts
	counts.failed.Add(1)
	if o.unanswered {
		counts.unanswered.Add(1)
	}
	if errors.Is(o.err, record.ErrTooLong) {
		counts.tooLong.Add(1)
	}
	if !errors.Is(w.err, syscall.EPIPE) {
		w.run.opts.Console.Line(about(w.unit, number, o.worker, o.err.Error()))
	}
}

// Flush implements ordered.Sink. An output that fails ends the run; what it took is counted.
func (w *writer) Flush() error {
	if len(w.buf) == 0 {
		return nil
	}
	n, err := w.out.Write(w.buf)
	written := len(w.ends)
	if err != nil {
		written, _ = slices.BinarySearch(w.ends, n+1)
		w.err = err
		w.run.fail(fmt.Errorf("%w: %w", ErrOutput, err))
	}
	w.run.counts.bytesOut.Add(int64(n))
	w.run.counts.done.Add(uint64(written))
	w.run.counts.unwritten.Add(uint64(len(w.ends) - written))
	w.ends = w.ends[:0]
	if w.buf = w.buf[:0]; cap(w.buf) > 4*bufferSize {
		w.buf = nil
	}
	return nil
}

// write prints the outcomes until the queue has ended.
func (r *Run) write() {
	defer close(r.written)
	_ = r.queue.Run(&writer{run: r, out: r.opts.Output, unit: r.unit()}) // the writer keeps its errors to itself
}

// unit is what a record is called in messages.
func (r *Run) unit() string {
	if r.opts.Separator == '\n' {
		return "line"
	}
	return "record"
}
