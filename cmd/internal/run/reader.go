package run

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/JairusSW/pool/cmd/internal/ordered"
	"github.com/JairusSW/pool/cmd/internal/record"
)

// input is a record on its way to an answer.
type input struct {
	ticket ordered.Ticket
	bytes  *[]byte // from buffers
	length int64   // in the stream, the separator included
}

// feed reads the records and has the lanes get them answered. When every record has its answer it drains the pool, which ends
// Supervise.
func (j *job) feed() {
	reader := &reader{job: j, inputs: make(chan input), ended: make(chan struct{})}
	go reader.run()
	var others sync.WaitGroup
	others.Go(reader.closeAtEnd)
	for range j.opts.lanes() {
		others.Go(func() { j.lane(reader.inputs) })
	}
	others.Wait()
	if j.working.Err() == nil {
		_ = j.service.Drain(j.pool) // its error: the pool is gone, and Supervise has said so
	}
}

// reader hands the records of the input to the lanes, in order.
type reader struct {
	*job
	inputs chan input
	ended  chan struct{} // closed when run has returned

	giving sync.Mutex // held while a record is on its way to a lane
	closed bool       // guarded by giving: inputs is closed
}

// closeAtEnd ends the lanes when nothing more comes. It doesn't wait for a read that nobody needs, but for the record that is on
// its way.
func (r *reader) closeAtEnd() {
	select {
	case <-r.ended:
	case <-r.reading.Done():
	}
	r.giving.Lock()
	defer r.giving.Unlock()
	r.closed = true
	close(r.inputs)
}

func (r *reader) run() {
	defer close(r.ended)
	records := record.NewReader(r.opts.Input, r.opts.Separator, int(r.opts.MaxLine))
	var position int64
	for {
		buf := getBuffer()
		bytes, err := records.Next((*buf)[:0])
		*buf = bytes
		switch {
		case errors.Is(err, io.EOF):
			return
		case err != nil && !errors.Is(err, record.ErrTooLong):
			r.readFailed(err)
			return
		}
		length := records.Bytes() - position
		position += length
		if !r.give(buf, err, length) {
			return
		}
	}
}

// give waits for room and for a lane, and hands over the record, or what is wrong with it. It reports whether to go on.
func (r *reader) give(buf *[]byte, failed error, length int64) bool {
	r.giving.Lock()
	defer r.giving.Unlock()
	if r.closed {
		return false
	}
	ticket, err := r.queue.Admit(r.reading, len(*buf))
	if err != nil {
		return false
	}
	r.counts.read.Add(1)
	r.counts.bytesIn.Add(length)
	in := input{ticket: ticket, bytes: buf, length: length}
	if failed != nil {
		putBuffer(buf)
		r.settle(in, outcome{err: failed})
		return true
	}
	select {
	case r.inputs <- in:
		return true
	case <-r.working.Done():
		r.settle(in, outcome{left: true})
		return false
	}
}

// readFailed ends the reading; what was read is finished.
func (r *reader) readFailed(err error) {
	err = fmt.Errorf("%w: %w", ErrInput, err)
	r.counts.inputError.Store(&err)
}

// maxPooled bounds the buffers that are kept for reuse (bytes each).
const maxPooled = 64 << 10

var buffers = sync.Pool{New: func() any { return new([]byte) }}

func getBuffer() *[]byte { return buffers.Get().(*[]byte) }

func putBuffer(buf *[]byte) {
	if cap(*buf) <= maxPooled {
		buffers.Put(buf)
	}
}
