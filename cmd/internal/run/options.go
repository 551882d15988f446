package run

import (
	"encoding/json"
	"io"

	"github.com/JairusSW/pool"
	"github.com/wago-org/workers"
)

// MaxLine is the longest record, and reply, that can be asked for (bytes).
const MaxLine = workers.MaxWorkerPayloadBytes

// Options says what to run over what.
type Options struct {
	Name  string // the guest's
	Guest []byte // the module
	Start string // the export to call

	Workers     uint32
	Strategy    pool.Strategy
	Overflow    pool.OverflowPolicy
	Restart     pool.RestartPolicy
	MaxRestarts uint32
	Queue       uint32          // capacity of a worker's mailbox (records)
	MaxLine     uint32          // longest record and reply (bytes)
	MemoryLimit uint64          // of one instance (bytes)
	PoolConfig  json.RawMessage // of the Pool plugin; nil: with room for Workers

	Separator byte // between records, and between replies
	Unordered bool // replies as they come

	Input   io.Reader
	Output  io.Writer
	Console Console
}

// Console is where a run says what it has to say besides the replies. It has to be safe for concurrent use.
type Console interface {
	// Line prints one line.
	Line(text string)
	// Start shows progress until Stop; status may be called at any time between the two.
	Start(status func() Status)
	// Stop ends it and returns when status is called no more.
	Stop()
}

// Status is how far a run is.
type Status struct {
	Read, Done, Failed uint64 // records
	BytesIn            int64  // of the input so far
	Live, Wanted       uint32 // workers
	Restarts           uint64
	Queued             uint64 // records that wait for a worker
}

// Bounds of what is under way.
const (
	maxLanes   = 1 << 10
	maxInputs  = 16 << 10 // records between the reader and the output
	leastBytes = 32 << 20 // of records and replies between the two
)

// lanes is how many records wait for an answer at once: enough to fill every mailbox, within reason.
func (o Options) lanes() int {
	wanted := uint64(o.Workers) * (uint64(o.Queue) + 1)
	return int(min(wanted, max(maxLanes, uint64(o.Workers))))
}

// bytesUnderWay lets every worker have a record of the longest kind in hand, and its reply.
func (o Options) bytesUnderWay() int64 {
	return max(leastBytes, 2*int64(o.Workers)*int64(o.MaxLine))
}

// mailboxBytes is what one worker's mailbox may hold.
func (o Options) mailboxBytes() uint32 {
	return min(max(workers.DefaultWorkerMaxQueueBytes, 2*o.MaxLine), workers.MaxWorkerQueueBytes)
}

func (o Options) pool() pool.PoolOptions {
	return pool.PoolOptions{
		Strategy:    o.Strategy,
		Overflow:    o.Overflow,
		Restart:     o.Restart,
		MinWorkers:  o.Workers,
		MaxRestarts: o.MaxRestarts,
		Worker: pool.WorkerOptions{
			QueueCapacity: o.Queue, MaxPayloadBytes: o.MaxLine, MaxQueueBytes: o.mailboxBytes(),
		},
	}
}
