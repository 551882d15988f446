package run

import (
	"errors"

	"github.com/JairusSW/pool"
)

// lane gets one record after the other answered, until no more come.
func (j *job) lane(inputs <-chan input) {
	for in := range inputs {
		o := j.call(in.ticket.Number, *in.bytes)
		putBuffer(in.bytes)
		if !j.seized(in.ticket.Number) {
			j.settle(in, o)
		}
	}
}

// call waits for a worker's answer to the record. The pool copies the record before any worker has it.
func (j *job) call(number uint64, record []byte) outcome {
	task := pool.Task{Tag: number, Payload: record}
	if j.opts.Strategy == pool.ConsistentHash {
		task.Key = hash(record)
	}
	reply, err := j.service.Call(j.working, j.pool, task)
	if err != nil {
		j.answers.Forget(number)
		return j.failure(err)
	}
	kept, returned := j.answers.Kept(number)
	if !returned {
		return outcome{reply: reply}
	}
	// The worker returned with the record in hand: for the pool the record is done, with an answer or without.
	return outcome{reply: kept.Reply, err: kept.Err, worker: kept.Worker, unanswered: kept.Err != nil}
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
		return outcome{err: j.cause(task), worker: task.Worker}
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

// cause is why a record failed, in the command's words.
func (j *job) cause(task *pool.TaskError) error {
	err := task.Err
	switch {
	case task.Kind == pool.ErrTaskTimeout:
		err = &TimeoutError{After: j.opts.TaskTimeout}
	case err == nil:
		err = task.Kind
	}
	if task.Attempt > 1 {
		err = &AttemptError{Attempt: task.Attempt, Err: err}
	}
	return err
}

// settle counts a record that has come to its end and passes the outcome on to the writer.
func (j *job) settle(in input, o outcome) {
	switch {
	case o.left:
	case o.err != nil:
		j.counts.ended.failed.Add(1)
	default:
		j.counts.ended.done.Add(1)
	}
	if !o.left {
		j.counts.bytesDone.Add(in.length)
	}
	j.queue.Settle(in.ticket, len(o.reply), o)
}

// seized reports whether Abandon has named the record already.
func (j *job) seized(number uint64) bool { return j.abandoned.Load() && j.answers.Seized(number) }

// hash is FNV-1a (Fowler, Noll, Vo), 64 bits: the key of a record's bytes for consistent hashing.
func hash(record []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range record {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h
}
