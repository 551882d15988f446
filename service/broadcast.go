package service

// Broadcast implements Service.
func (s *Pools) Broadcast(id ID, tag uint64, payload []byte) (int, error) {
	p, err := s.find(id)
	if err != nil {
		return 0, err
	}
	task := Task{Tag: tag, Key: tag, Payload: payload}
	if err := p.takes(&task); err != nil {
		return 0, p.answer(&task, err)
	}
	took := 0
	err = s.lease(func(w port) error {
		e := newEntry(&task, nil)
		legs, err := p.broadcast(w, &e)
		if err != nil {
			return err
		}
		took = legs.took
		p.reportLegs(&task, legs)
		return nil
	})
	return took, p.answer(&task, err)
}

// legs is what became of a broadcast: how many workers took it, and who had no room.
type legs struct {
	took   int
	missed []*member
}

// broadcast offers a leg to every worker that can be sent to.
func (p *pool) broadcast(w port, e *entry) (result legs, err error) {
	p.catchUp()
	snap := p.snap.Load()
	if snap.closed != nil {
		return result, snap.closed
	}
	e.leg = true
	for _, m := range snap.members {
		switch m.offer(w, snap, e) {
		case accepted:
			result.took++
		case full:
			result.missed = append(result.missed, m)
		case shut: // legs that are in a mailbox by now stay there
			if result.took == 0 {
				return result, p.snap.Load().closed
			}
		}
	}
	if result.took+len(result.missed) == 0 {
		return result, ErrPoolEmpty
	}
	return result, nil
}

// reportLegs counts the call, and counts and names the workers that it did not reach. They are counted first: once their events
// are out the pool may end.
func (p *pool) reportLegs(task *Task, result legs) {
	p.countLegs(result)
	for _, m := range result.missed {
		m.missed(task)
	}
}

// countLegs counts the call and the workers that it did not reach, unless the final ledger is closed: then no worker is left to name.
func (p *pool) countLegs(result legs) {
	p.doorMu.Lock()
	defer p.doorMu.Unlock()
	if p.door.closed {
		return
	}
	p.door.submitted++
	p.door.rejected += uint64(len(result.missed))
}

// missed names m as a worker that a broadcast did not reach, unless it has been reported gone.
func (m *member) missed(task *Task) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.state != memberGone {
		m.pool.emit(Event{
			Kind: PoolTaskRejected, Worker: m.id, Tag: task.Tag, Key: task.Key, Reason: ReasonFull, Err: ErrPoolBackpressure,
		})
	}
}

// acceptBroadcast is a submit to a pool whose strategy is Broadcast: accepted when at least one worker took it.
func (p *pool) acceptBroadcast(w port, e *entry) error {
	result, err := p.broadcast(w, e)
	switch {
	case err != nil:
		return err
	case result.took == 0:
		return ErrPoolBackpressure
	}
	p.reportLegs(&Task{Tag: e.tag, Key: e.key}, result)
	return nil
}
