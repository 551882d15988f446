package run

import (
	"cmp"
	"encoding/json"
	"io"
	"time"

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

	Min, Max uint32 // workers; Min may be 0 when Max is above it
	Target   uint32 // records under way for each worker when Max is above Min

	Strategy      pool.Strategy
	Overflow      pool.OverflowPolicy
	Restart       pool.RestartPolicy
	MaxRestarts   uint32
	RestartWindow time.Duration
	Retries       uint32
	TaskTimeout   time.Duration // 0: none

	Queue       uint32          // capacity of a worker's mailbox (records)
	MaxLine     uint32          // longest record and reply (bytes)
	MemoryLimit uint64          // of one instance (bytes)
	PoolConfig  json.RawMessage // of the Pool plugin; what it leaves out has room for Max workers

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
	BytesDone          int64  // of the input that the done and the failed took, separators included
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
	wanted := uint64(o.Max) * (uint64(o.Queue) + 1)
	return int(min(wanted, max(maxLanes, uint64(o.Max))))
}

// bytesUnderWay lets every worker have a record of the longest kind in hand, and its reply.
func (o Options) bytesUnderWay() int64 {
	return max(leastBytes, 2*int64(o.Max)*int64(o.MaxLine))
}

// mailboxBytes is what one worker's mailbox may hold.
func (o Options) mailboxBytes() uint32 {
	return min(max(workers.DefaultWorkerMaxQueueBytes, 2*o.MaxLine), workers.MaxWorkerQueueBytes)
}

func (o Options) pool() pool.PoolOptions {
	options := pool.PoolOptions{
		Strategy:      o.Strategy,
		Overflow:      o.Overflow,
		Restart:       o.Restart,
		MinWorkers:    o.Min,
		MaxWorkers:    o.Max,
		MaxRestarts:   o.MaxRestarts,
		RestartWindow: o.RestartWindow,
		Retries:       o.Retries,
		TaskTimeout:   o.TaskTimeout,
		Worker: pool.WorkerOptions{
			QueueCapacity: o.Queue, MaxPayloadBytes: o.MaxLine, MaxQueueBytes: o.mailboxBytes(),
		},
	}
	if o.Max > o.Min {
		options.TargetPerWorker = o.Target
	}
	if o.Min == 0 {
		options.MinWorkers = pool.NoWorkers
	}
	return options
}

// replacements is how many the pool starts within the window before it halts. Unlimited replacements still have a limit for
// workers that take nothing.
func (o Options) replacements() uint32 {
	if o.MaxRestarts == pool.UnlimitedRestarts {
		return pool.DefaultMaxRestarts
	}
	return o.MaxRestarts
}

// window is the time in which replacements count.
func (o Options) window() time.Duration { return cmp.Or(o.RestartWindow, pool.DefaultRestartWindow) }
