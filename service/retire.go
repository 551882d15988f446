package service

// How a worker that sizing or a drain has no use for leaves: when nothing is left for it to do. It is never interrupted.

// retire stops m softly when it is on its way out and idle. A draining pool keeps it while tasks are parked.
func (p *pool) retire(w port, m *member) {
	m.mu.Lock()
	leaving := m.leavingLocked() && (m.cordons != 0 || p.parkedN.Load() == 0)
	if leaving {
		m.state, m.retired = memberStopping, !w.retires()
		m.updateLocked()
	}
	m.mu.Unlock()
	if leaving {
		w.retire(m.id)
	}
}

// retireIdle retires every member that is on its way out and idle.
func (p *pool) retireIdle(w port) {
	snap := p.snap.Load()
	if p.crew[cordoned].Load() == 0 && snap.closed != ErrPoolDraining {
		return
	}
	for _, m := range snap.members {
		if m != nil {
			p.retire(w, m)
		}
	}
}

// leavingLocked reports whether m is to be retired, now that it is idle.
func (m *member) leavingLocked() bool {
	return m.state == memberLive && m.idleLocked() && (m.cordons != 0 || m.pool.snap.Load().closed == ErrPoolDraining)
}

// idleLocked reports whether nothing is left for m to do. Of a raw worker only the mailbox is known.
func (m *member) idleLocked() bool { return m.queue.len() == 0 && !(m.holding && m.pooled) }
