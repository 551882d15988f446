package service

// Broadcast implements Service.
func (s *Pools) Broadcast(id ID, tag uint64, payload []byte) (int, error) {
	p, err := s.find(id)
	if err != nil {
		return 0, err
	}
	task := Task{Tag: tag, Key: tag, Payload: payload}
	if err := p.snap.Load().admit; err != nil {
		return 0, err
	}
	if uint64(len(payload)) > uint64(p.opts.Worker.MaxPayloadBytes) {
		return 0, p.answer(&task, ErrPayloadTooLarge)
	}
	took := 0
	err = s.lease(func(w port) error {
		var err error
		took, err = p.broadcast(w, &task)
		return err
	})
	if err == ErrPoolEmpty {
		p.reject(&task, ReasonEmpty, err)
	}
	return took, err
}

// broadcast offers a leg to every worker that can be sent to. Legs that found no room are counted and named one by one.
func (p *pool) broadcast(w port, task *Task) (took int, err error) {
	snap := p.snap.Load()
	if snap.admit != nil {
		return 0, snap.admit
	}
	e := p.newEntry(task, nil)
	e.leg = true
	err = ErrPoolEmpty
	for _, m := range snap.members {
		switch m.offer(w, snap, e) {
		case accepted:
			took++
			err = nil
		case full:
			p.missed(task, m)
			err = nil
		case shut: // those before it keep their legs
			if took == 0 {
				return 0, p.snap.Load().admit
			}
		}
	}
	if err == nil {
		p.doorMu.Lock()
		p.door.submitted++
		p.doorMu.Unlock()
	}
	return took, err
}

// missed counts and names a worker that a broadcast did not reach.
func (p *pool) missed(task *Task, m *member) {
	p.doorMu.Lock()
	defer p.doorMu.Unlock()
	p.door.rejected++
	p.emit(Event{
		Kind: PoolTaskRejected, Worker: m.id, Tag: task.Tag, Key: task.Key, Reason: ReasonFull, Err: ErrPoolBackpressure,
	})
}
