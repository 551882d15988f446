package service

// Parked tasks wait in the pool for a mailbox: what a dead worker left, and new tasks behind those.

// park accepts e behind the tasks that are parked.
func (p *pool) park(w port, e *entry) error {
	if err := p.tryPark(e); err != nil {
		return err
	}
	p.pump(w)
	return nil
}

func (p *pool) tryPark(e *entry) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tryParkLocked(e)
}

func (p *pool) tryParkLocked(e *entry) error {
	switch {
	case p.closedLocked() != nil:
		return p.closedLocked()
	case !p.floorless() && p.live() == 0:
		return ErrPoolEmpty
	case e.waits && p.stalledLocked():
		return ErrPoolEmpty
	case int64(p.parked.len()) >= p.parkingPlaces():
		return ErrPoolBackpressure
	}
	e.own()
	e.counted, e.accepted = true, p.s.now()
	p.ledger.routed++
	p.parked.push(e)
	p.emit(Event{Kind: PoolTaskRouted, Tag: e.tag, Key: e.key}) // before anybody is woken for it
	p.countBacklogLocked()
	p.nudge() // a place that was given up may be asked for
	return nil
}

// floorless reports whether the pool may have no worker: then it parks tasks for those to come.
func (p *pool) floorless() bool { return p.opts.MinWorkers == 0 }

// parkingPlaces is how many new tasks can be parked: a mailbox for each worker the pool may have.
func (p *pool) parkingPlaces() int64 {
	return int64(p.opts.Worker.QueueCapacity) * int64(p.opts.MaxWorkers)
}

// takeInLocked parks what a worker left behind; there is always room for that.
func (p *pool) takeInLocked(left []entry) {
	p.parked.merge(left)
	p.countBacklogLocked()
}

func (p *pool) countBacklogLocked() {
	before := p.backlog()
	p.parkedN.Store(int64(p.parked.len())) // first: what moves from waiting to parked is never in neither
	p.waitN.Store(int64(p.waiting.len()))
	p.loadMoved(p.backlog() - before)
}

// backlog is the number of parked tasks and waiting submits. Without the lock it may be too large for a moment.
func (p *pool) backlog() int64 {
	waiting := p.waitN.Load()
	return waiting + p.parkedN.Load()
}

// freed is called when a worker has room again, without locks.
func (p *pool) freed() {
	if p.backlog() == 0 {
		return
	}
	_ = p.s.lease(func(w port) error { // refused: the runtime is going, and the pool with it
		p.pump(w)
		return nil
	})
}

// resized follows a change of who can be sent to: somebody who was taken back has room, somebody who was cordoned may be idle.
func (p *pool) resized(w port) {
	if p.backlog() > 0 {
		p.pump(w)
	}
	p.retireIdle(w)
}

// pump offers what waits to the workers: parked tasks first, the oldest first, then the submits that wait for room.
func (p *pool) pump(w port) {
	p.catchUp()
	p.mu.Lock()
	p.placeParkedLocked(w)
	if p.parked.len() == 0 {
		p.placeWaitingLocked(w)
	} else {
		p.parkWaitingLocked()
	}
	p.countBacklogLocked()
	sweep := p.draining && p.parked.len() == 0
	p.mu.Unlock()
	if sweep {
		p.retireIdle(w)
	}
}

func (p *pool) placeParkedLocked(w port) {
	for snap := p.snap.Load(); p.parked.len() > 0; {
		if _, v := p.place(w, snap, p.parked.at(0), true); v != accepted {
			return
		}
		p.parked.pop()
	}
}

// parkWaitingLocked parks those who wait as far as there is room, before any later submit can.
func (p *pool) parkWaitingLocked() {
	p.waiting.each(func(wt *waiter) bool {
		if p.tryParkLocked(&wt.entry) != nil {
			return false
		}
		p.waiting.remove(wt)
		wt.ready <- admission{}
		return true
	})
}

// dropParkedLocked ends every parked task in nobody's hand, and reports them in one event.
func (p *pool) dropParkedLocked(why Reason, kind, cause error) uint64 {
	return p.dropLocked(p.parked.drain(), 0, why, kind, cause)
}

// dropLocked counts entries as dropped and tells their callers; one event says how many, and whose mailbox they were in if they
// belonged to that worker.
func (p *pool) dropLocked(entries []entry, worker WorkerID, why Reason, kind, cause error) uint64 {
	if len(entries) == 0 {
		return 0
	}
	for i := range entries {
		entries[i].call.finish(outcome{kind: kind, cause: cause})
	}
	n := uint64(len(entries))
	p.ledger.dropped += n
	e := Event{Kind: PoolTaskDropped, Worker: worker, Count: n, Reason: why, Err: cause}
	if n == 1 {
		e.Tag, e.Key = entries[0].tag, entries[0].key
	}
	p.emit(e)
	p.countBacklogLocked()
	return n
}
