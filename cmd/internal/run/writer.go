package run

import (
	"fmt"
	"io"

	"github.com/JairusSW/pool"
)

// outcome is how a record ended.
type outcome struct {
	reply  []byte
	err    error         // the record failed
	worker pool.WorkerID // that had it in hand then; 0: none
	left   bool          // the record was not run, because the run ended
}

// writer prints outcomes: replies to the output, in writes that end with a whole one, and failures to the console.
type writer struct {
	out       io.Writer
	console   Console
	separator byte
	unit      string // what a record is called
	buf       []byte
}

// bufferSize is how much is gathered before it is written (bytes).
const bufferSize = 64 << 10

// Emit implements ordered.Sink.
func (w *writer) Emit(number uint64, o outcome) error {
	switch {
	case o.left:
		return nil
	case o.err != nil:
		w.console.Line(about(w.unit, number, o.worker, o.err.Error()))
		return nil
	}
	w.buf = append(append(w.buf, o.reply...), w.separator)
	if len(w.buf) < bufferSize {
		return nil
	}
	return w.Flush()
}

// Flush implements ordered.Sink.
func (w *writer) Flush() error {
	if len(w.buf) == 0 {
		return nil
	}
	_, err := w.out.Write(w.buf)
	if w.buf = w.buf[:0]; cap(w.buf) > 4*bufferSize {
		w.buf = nil
	}
	return err
}

// write prints the outcomes until the queue has ended. An output that fails ends the run.
func (r *Run) write() {
	defer close(r.written)
	w := &writer{
		out: &counter{out: r.opts.Output, n: &r.counts.bytesOut}, console: r.opts.Console,
		separator: r.opts.Separator, unit: r.unit(),
	}
	if err := r.queue.Run(w); err != nil {
		r.fail(fmt.Errorf("%w: %w", ErrOutput, err))
	}
}

// unit is what a record is called in messages.
func (r *Run) unit() string {
	if r.opts.Separator == '\n' {
		return "line"
	}
	return "record"
}

// counter counts the bytes that were written.
type counter struct {
	out io.Writer
	n   interface{ Add(int64) int64 }
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.out.Write(p)
	c.n.Add(int64(n))
	return n, err
}
