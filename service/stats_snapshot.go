package service

// Stats implements Service.
func (s *Pools) Stats(id ID) (Stats, error) {
	p, err := s.find(id)
	if err != nil {
		return Stats{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.statsLocked(), nil
}

// statsLocked holds every member's lock at once, so that no task is seen twice or not at all.
func (p *pool) statsLocked() Stats {
	stats := p.sheetLocked()
	stats.Workers = make([]WorkerStat, 0, len(p.slots)-p.held-p.vacant)
	sum := p.past
	p.eachLocked(func(m *member) { m.mu.Lock() })
	p.eachLocked(func(m *member) {
		defer m.mu.Unlock()
		sum.add(&m.counts)
		line := m.statLocked()
		stats.Outstanding += uint64(line.Outstanding)
		stats.Running += uint64(line.Running)
		if m.routableLocked() {
			stats.Live++
		}
		if m.state == memberLive {
			stats.Workers = append(stats.Workers, line)
		}
	})
	stats.Done, stats.FailedTasks, stats.Foreign, stats.Redelivered = sum.done, sum.failed, sum.foreign, sum.redelivered
	stats.Routed += sum.routed(stats.Outstanding)
	stats.Submitted += stats.Routed - sum.legs // a broadcast is one call, counted at the door
	stats.Queued = stats.Outstanding + stats.Parked
	return stats
}

// sheetLocked is what the pool itself knows.
func (p *pool) sheetLocked() Stats {
	p.doorMu.Lock()
	door := p.door
	p.doorMu.Unlock()
	return Stats{
		Pool: p.id, Strategy: p.opts.Strategy,
		Desired: p.desiredLocked(), Min: p.opts.MinWorkers, Max: p.opts.MaxWorkers,
		Draining: p.draining, Halted: p.machine.Halted(), Limited: isLimit(p.limit),
		Submitted: door.submitted, Rejected: door.rejected, Shed: door.shed,
		Routed: p.ledger.routed, Dropped: p.ledger.dropped, Parked: uint64(p.parked.len()), Retried: p.ledger.retried,
		Restarted: p.ledger.restarted, Exited: p.ledger.exited, Failed: p.ledger.failedExits,
		LastExit: p.lastExit,
	}
}
