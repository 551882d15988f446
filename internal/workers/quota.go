package workers

// quota counts what live workers are charged with. Not safe for concurrent use; its owner guards it.
type quota struct {
	limits WorkerLimits
	live   uint32
	bytes  uint64
}

// reserve charges one worker or says, in a *QuotaError, which ceiling is in the way.
func (q *quota) reserve(queueBytes uint32) error {
	if q.live >= q.limits.MaxLiveWorkers {
		return &QuotaError{Setting: fieldLiveWorkers, Limit: uint64(q.limits.MaxLiveWorkers), Wanted: uint64(q.live) + 1}
	}
	if wanted := q.bytes + uint64(queueBytes); wanted > q.limits.MaxQueueBytes {
		return &QuotaError{Setting: fieldQueueBytes, Limit: q.limits.MaxQueueBytes, Wanted: wanted}
	}
	q.live++
	q.bytes += uint64(queueBytes)
	return nil
}

// release gives back what reserve charged.
func (q *quota) release(queueBytes uint32) {
	q.live--
	q.bytes -= uint64(queueBytes)
}
