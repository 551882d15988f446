package fakeworkers

import (
	"cmp"
	"fmt"

	"github.com/wago-org/workers"
)

// normalize returns the options with defaults filled in.
func normalize(o workers.WorkerOptions) (workers.WorkerOptions, error) {
	o.QueueCapacity = cmp.Or(o.QueueCapacity, workers.DefaultWorkerQueueCapacity)
	o.MaxPayloadBytes = cmp.Or(o.MaxPayloadBytes, workers.DefaultWorkerMaxPayloadBytes)
	o.MaxQueueBytes = cmp.Or(o.MaxQueueBytes, workers.DefaultWorkerMaxQueueBytes)
	if o.QueueCapacity > workers.MaxWorkerQueueCapacity || o.MaxPayloadBytes > workers.MaxWorkerPayloadBytes ||
		o.MaxQueueBytes > workers.MaxWorkerQueueBytes || o.MaxQueueBytes < o.MaxPayloadBytes {
		return o, fmt.Errorf("%w: %+v", workers.ErrInvalidWorkerOptions, o)
	}
	return o, nil
}

// quota counts what workers are charged with until their exit observers have run. Not safe for concurrent use; its owner
// guards it.
type quota struct {
	limits workers.WorkerLimits
	mute   bool // refusals don't say which ceiling
	live   uint32
	bytes  uint64
}

func newQuota(limits workers.WorkerLimits, mute bool) quota {
	limits.MaxLiveWorkers = cmp.Or(limits.MaxLiveWorkers, workers.DefaultMaxLiveWorkers)
	limits.MaxQueueBytes = cmp.Or(limits.MaxQueueBytes, workers.DefaultMaxServiceQueueBytes)
	return quota{limits: limits, mute: mute}
}

func (q *quota) reserve(queueBytes uint32) error {
	if q.live >= q.limits.MaxLiveWorkers {
		return q.refusal("maxLiveWorkers", uint64(q.limits.MaxLiveWorkers), uint64(q.live)+1)
	}
	if wanted := q.bytes + uint64(queueBytes); wanted > q.limits.MaxQueueBytes {
		return q.refusal("maxQueueBytes", q.limits.MaxQueueBytes, wanted)
	}
	q.live++
	q.bytes += uint64(queueBytes)
	return nil
}

func (q *quota) release(queueBytes uint32) {
	q.live--
	q.bytes -= uint64(queueBytes)
}

func (q *quota) refusal(setting string, limit, wanted uint64) error {
	if q.mute {
		return fmt.Errorf("%w: %s", workers.ErrWorkerQuotaExceeded, setting)
	}
	return &workers.QuotaError{Setting: setting, Limit: limit, Wanted: wanted}
}
