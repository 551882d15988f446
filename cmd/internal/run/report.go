package run

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/JairusSW/pool"
)

// counts are what a run counts itself. All atomics.
type counts struct {
	read                atomic.Uint64
	done, failed        atomic.Uint64 // replies that are written, failures that are named
	tooLong, unanswered atomic.Uint64 // of the failed
	unwritten           atomic.Uint64 // replies that the output didn't take
	ended               struct{ done, failed atomic.Uint64 }
	bytesDone           atomic.Int64 // of the input, that the ended records took
	bytesIn, bytesOut   atomic.Int64
	inputError          atomic.Pointer[error]
}

// Report is how a run ended.
type Report struct {
	Read        uint64 // records
	Done        uint64 // records whose reply is written
	Failed      uint64 // records named on the console
	TooLong     uint64 // of the failed: never submitted
	Unanswered  uint64 // of the failed: their workers returned without an answer, which the pool counts as done
	Unwritten   uint64 // records with a reply that the output didn't take
	Left        uint64 // records that were read and not run, because the run ended
	BytesIn     int64
	BytesOut    int64
	Elapsed     time.Duration
	Served      bool           // the guest has called pool.serve
	Interrupted bool           // Interrupt or Abandon was called
	Pool        pool.PoolStats // at the end; zero if there was no pool, or the run was abandoned
	Err         error          // why the run could not be completed
}

func (r *Run) report(err error) Report {
	if input := r.counts.inputError.Load(); input != nil {
		err = errors.Join(err, *input)
	}
	report := Report{
		Read: r.counts.read.Load(), Done: r.counts.done.Load(), Failed: r.counts.failed.Load(),
		TooLong: r.counts.tooLong.Load(), Unanswered: r.counts.unanswered.Load(),
		BytesIn: r.counts.bytesIn.Load(), BytesOut: r.counts.bytesOut.Load(), Elapsed: time.Since(r.begin),
		Unwritten: r.counts.unwritten.Load(), Served: r.serving.Load(), Interrupted: r.interrupted.Load(), Err: err,
	}
	report.Left = report.Read - min(report.Read, report.Done+report.Failed+report.Unwritten)
	return report
}
