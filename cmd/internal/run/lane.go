package run

import (
	"errors"

	"github.com/JairusSW/pool"
	"github.com/JairusSW/pool/cmd/internal/ordered"
)

// lane gets one record after the other answered, until no more come.
func (j *job) lane(inputs <-chan input) {
	for in := range inputs {
		o := j.call(in.ticket.Number, *in.bytes)
		putBuffer(in.bytes)
		j.settle(in.ticket, o)
	}
}

// call waits for a worker's answer to the record. The pool copies the record before any worker has it.
func (j *job) call(number uint64, record []byte) outcome {
	task := pool.Task{Tag: number, Payload: record}
	if j.opts.Strategy == pool.ConsistentHash {
		task.Key = hash(record)
	}
	reply, err := j.service.Call(j.working, j.pool, task)
	kept, returned := j.answers.Kept(number)
	switch {
	case err != nil:
		return j.failure(err)
	case !returned:
		return outcome{reply: reply}
	case kept.Err != nil: // the worker returned with the record in hand, for the pool the record is done
		j.counts.unanswered.Add(1)
	}
	return outcome{reply: kept.Reply, err: kept.Err, worker: kept.Worker}
}

// failure sorts the errors of a call: those of the record, and those that mean that the record was not run.
func (j *job) failure(err error) outcome {
	var task *pool.TaskError
	if !errors.As(err, &task) {
		j.refused(err)
		return outcome{left: true}
	}
	switch task.Kind {
	case pool.ErrTaskFailed, pool.ErrTaskTimeout, pool.ErrTasksDropped:
		cause := task.Err
		if cause == nil {
			cause = task.Kind
		}
		return outcome{err: cause, worker: task.Worker}
	}
	j.refused(err)
	return outcome{left: true}
}

// refused ends the run for an error that is about the pool and not about a record, unless it has ended. A halt is reported by
// the observer of events, with its cause.
func (j *job) refused(err error) {
	if errors.Is(err, pool.ErrPoolHalted) {
		j.checkHalt()
	}
	j.fail(err)
}

// settle counts the outcome of a record and passes it on to the writer.
func (j *job) settle(ticket ordered.Ticket, o outcome) {
	switch {
	case o.left:
	case o.err != nil:
		j.counts.failed.Add(1)
	default:
		j.counts.done.Add(1)
	}
	j.queue.Settle(ticket, len(o.reply), o)
}

// hash is FNV-1a (Fowler, Noll, Vo), 64 bits: the key of a record's bytes for consistent hashing.
func hash(record []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range record {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h
}
