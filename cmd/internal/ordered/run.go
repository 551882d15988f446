package ordered

// Run hands the results to sink until the queue has ended and nothing is left to emit. It returns the sink's first error, which
// ends the queue. Called once.
func (q *Queue[T]) Run(sink Sink[T]) error {
	var batch []entry[T]
	for {
		var last bool
		batch, last = q.take(batch[:0])
		err := emit(sink, batch)
		if err == nil && (last || q.idleAfter(batch)) {
			err = sink.Flush()
		}
		if err != nil {
			q.Abandon()
			return err
		}
		if last {
			return nil
		}
		clear(batch)
	}
}

func emit[T any](sink Sink[T], batch []entry[T]) error {
	for _, e := range batch {
		if err := sink.Emit(e.number, e.result); err != nil {
			return err
		}
	}
	return nil
}

// take waits for results and appends all that are ready to batch; last: there will be no more.
func (q *Queue[T]) take(batch []entry[T]) (_ []entry[T], last bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.readyLocked() && !q.overLocked() {
		q.ready.Wait()
	}
	if !q.inOrder {
		batch = append(batch, q.settled...)
		clear(q.settled)
		q.settled = q.settled[:0]
		return batch, q.abandon || q.ended && q.held == len(batch)
	}
	for q.readyLocked() || q.abandon && q.emitted < q.admitted {
		q.emitted++
		if e := q.slot(q.emitted); e.number == q.emitted {
			batch = append(batch, *e)
			*e = entry[T]{}
		}
	}
	return batch, q.abandon || q.ended && q.held == len(batch)
}

func (q *Queue[T]) overLocked() bool { return q.abandon || q.ended && q.held == 0 }

// idleAfter gives the places of the emitted batch back and reports whether no further result is ready.
func (q *Queue[T]) idleAfter(batch []entry[T]) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, e := range batch {
		q.bytes -= e.size
	}
	q.held -= len(batch)
	q.room.Signal()
	return !q.readyLocked()
}
